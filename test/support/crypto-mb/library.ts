import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { downloadWheels } from '../../../api/cli/encryption/download-wheels.ts';
import { installLibrary } from '../../../api/cli/encryption/install-library.ts';
import { libraryPath, wheels } from '../../../engine/kit/fast-library/files.ts';
import { whyImpossible } from '../../../engine/kit/fast-library/look.ts';

/** In the place of a data folder. */
const cacheFolder = fileURLToPath(new URL('../../../.cache/', import.meta.url));

export type CryptoMbAvailability =
  | { readonly kind: 'here' }
  /** Could be installed. */
  | { readonly kind: 'missing'; readonly reason: string }
  /** No installation would help. */
  | { readonly kind: 'impossible'; readonly reason: string };

/** Whether this machine can run libcrypto_mb: pip is needed as long as it is not in the cache. */
export function cryptoMbAvailability(): CryptoMbAvailability {
  const impossible = whyImpossible();
  if (impossible !== null) return { kind: 'impossible', reason: impossible };
  if (existsSync(libraryPath(cacheFolder))) return { kind: 'here' };
  const pip = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
  if (pip.status === 0) return { kind: 'here' };
  return { kind: 'missing', reason: '`python3 -m pip` does not answer: install python3-pip' };
}

/**
 * Path of the library, installed once into the repository's cache (59 MB to download, of which 38 MB are kept).
 * @throws Error when pip cannot fetch it, or got other bytes.
 */
export async function cryptoMbLibrary(): Promise<string> {
  await installLibrary({
    dataFolder: cacheFolder,
    wheels,
    bring: (into) => downloadWheels(wheels, into, null),
  });
  return libraryPath(cacheFolder);
}
