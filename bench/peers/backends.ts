import { engineSettings } from '../../engine/config.ts';

/** An encryption backend that the engine's setting can name. */
export interface Backend {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The slowest first. */
const names = ['node', 'openssl', 'multibuffer'] as const;

/** The installed engine's backends; whether the machine supports one shows when it starts (`refusalOf`). */
export function encryptionBackends(settings: object = engineSettings): Backend[] {
  if (!('encryptionBackend' in settings)) return [{ name: 'node', env: {} }];
  const { CRYPTO_MB_LIBRARY } = process.env;
  const library = CRYPTO_MB_LIBRARY === undefined ? {} : { CRYPTO_MB_LIBRARY };
  return names.map((name) => ({ name, env: { ENCRYPTION_BACKEND: name, ...library } }));
}

/**
 * An engine that cannot use the configured backend logs a warning, and uses another one.
 * @param output its log.
 * @returns the warning; null where there is none.
 */
export function refusalOf({ name }: Backend, output: string): string | null {
  const line = output.split('\n').find((one) => /encrypt/i.test(one) && one.includes(name));
  if (line === undefined) return null;
  return /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;
}
