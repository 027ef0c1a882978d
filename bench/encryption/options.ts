import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { EncryptionSetting } from '../../engine/worker/encryption/choose.ts';

const settings: readonly EncryptionSetting[] = ['auto', 'multibuffer', 'openssl', 'node'];

export const encryptionOption = (): Option =>
  new Option('--encryption <list>', `backends, separated by commas: ${settings.join(', ')}`)
    .argParser((text) => text.split(',').map(encryptionSetting))
    .default(['auto'], 'auto');

export const libraryOption = (): Option =>
  new Option('--crypto-mb <path>', 'libcrypto_mb, where it is in no usual place')
    .env('CRYPTO_MB_LIBRARY')
    .argParser((path) => resolve(path));

function encryptionSetting(text: string): EncryptionSetting {
  const setting = settings.find((each) => each === text);
  if (setting === undefined) throw new InvalidArgumentError(`must be of ${settings.join(', ')}.`);
  return setting;
}
