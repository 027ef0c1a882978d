import { engineSettings } from '../../engine/config.ts';

/** A way of encrypting that the engine can be told to use. */
export interface Backend {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The slowest first. */
const names = ['node', 'openssl', 'multibuffer'] as const;

/** What the installed engine offers; whether the machine bears it shows when it starts (`refusalOf`). */
export function encryptionBackends(settings: object = engineSettings): Backend[] {
  if (!('encryptionBackend' in settings)) return [{ name: 'node', env: {} }];
  const { CRYPTO_MB_LIBRARY } = process.env;
  const library = CRYPTO_MB_LIBRARY === undefined ? {} : { CRYPTO_MB_LIBRARY };
  return names.map((name) => ({ name, env: { ENCRYPTION_BACKEND: name, ...library } }));
}

/**
 * An engine that cannot use the backend it was told to says so in a warning, and uses another one.
 * @param output what it logged
 * @returns the warning; null where there is none
 */
export function refusalOf({ name }: Backend, output: string): string | null {
  const line = output.split('\n').find((one) => /encrypt/i.test(one) && one.includes(name));
  if (line === undefined) return null;
  return /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;
}
