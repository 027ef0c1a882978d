import {
  type Backend,
  type BackendName,
  type BackendOptions,
  backendNames,
  openBackend,
} from './backends.ts';
import { Unavailable } from './ffi.ts';
import { testBackend } from './self-test.ts';

export type EncryptionSetting = BackendName | 'auto';

export interface ChosenEncryption extends Backend {
  readonly name: BackendName;
  /**
   * One line when another backend than the requested one is used, or when one is present and wrong; null: all
   * is well.
   */
  readonly warning: string | null;
}

export interface ChooseOptions extends Pick<BackendOptions, 'cryptoMbLibrary'> {
  readonly setting: EncryptionSetting;
  /** How a backend is opened. */
  readonly open?: typeof openBackend;
}

/**
 * The backend that was asked for, or the next slower one that this machine has and that passes its self-test;
 * `auto` asks for the fastest.
 * @throws Error where even node:crypto fails: then nothing must be sent.
 */
export function chooseEncryption({
  setting,
  cryptoMbLibrary,
  open = openBackend,
}: ChooseOptions): ChosenEncryption {
  const wanted = setting === 'auto' ? backendNames : backendNames.slice(backendNames.indexOf(setting));
  const complaints: string[] = [];
  for (const name of wanted) {
    const openThis = (given: Pick<BackendOptions, 'known'>) => open(name, { cryptoMbLibrary, ...given });
    try {
      testBackend(openThis);
      return { name, ...openThis({}), warning: warningOf(name, complaints) };
    } catch (error) {
      if (!isExpected(error, name)) complaints.push(`${name}: ${(error as Error).message}`);
    }
  }
  throw new Error(`no way to encrypt works: ${complaints.join('; ')}`);

  /** When no backend was named, one that this machine lacks is not an error. */
  function isExpected(error: unknown, name: BackendName): boolean {
    const named = name === 'multibuffer' && cryptoMbLibrary !== null;
    return error instanceof Unavailable && setting === 'auto' && !named;
  }
}

const warningOf = (name: BackendName, complaints: readonly string[]): string | null =>
  complaints.length === 0 ? null : `messages are encrypted by ${name}: ${complaints.join('; ')}`;
