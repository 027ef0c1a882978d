import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cacheFolder = fileURLToPath(new URL('../../../.cache/crypto-mb/', import.meta.url));
/** Named for the version, so that an upgrade never meets the libraries of the one before. */
const libraryFolder = join(cacheFolder, 'lib-2026.2.0');
const libraryName = 'libcrypto_mb.so.13';
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** Intel's wheels by their contents: the library, and the compiler's runtime that it needs. */
const requirements = [
  'ipp-crypto==2026.2.0 --hash=sha256:3a5c87403b085c09329ee40ceac07fb2a51d448bf19fd1ef2b289bc583276189',
  'intel-cmplr-lib-rt==2026.2.0 --hash=sha256:9f713083073a820d2496a6da8e8d4f3482aba6640f74521d25ea48dcebe72748',
];
const wanted = [libraryName, 'libintlc.so.5', 'libimf.so', 'libirng.so', 'libsvml.so'];

/** A wheel is a zip; Python is there wherever pip is. */
const unpack = `
import os, shutil, sys, zipfile
target, names, wheels = sys.argv[1], sys.argv[2].split(','), sys.argv[3:]
for wheel in wheels:
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            name = os.path.basename(entry.filename)
            if name in names:
                with archive.open(entry) as source, open(os.path.join(target, name), 'wb') as copy:
                    shutil.copyfileobj(source, copy)
`;

export type CryptoMbAvailability =
  | { readonly kind: 'here' }
  /** Could be installed. */
  | { readonly kind: 'missing'; readonly reason: string }
  /** No installation would help. */
  | { readonly kind: 'impossible'; readonly reason: string };

/** Whether this machine can run libcrypto_mb: pip is needed as long as it is not in the cache. */
export function cryptoMbAvailability(): CryptoMbAvailability {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { kind: 'impossible', reason: 'libcrypto_mb is for Linux on x64' };
  if (!/\bavx512ifma\b/.test(readFileSync('/proc/cpuinfo', 'utf8')))
    return { kind: 'impossible', reason: 'this CPU has no AVX-512 IFMA' };
  if (existsSync(libraryFolder)) return { kind: 'here' };
  const pip = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
  if (pip.status === 0) return { kind: 'here' };
  return { kind: 'missing', reason: '`python3 -m pip` does not answer: install python3-pip' };
}

/**
 * Path of the library, downloaded once (59 MB, of which 38 MB are kept) into the repository's cache.
 * @throws Error when pip cannot fetch it, or got other bytes.
 */
export async function cryptoMbLibrary(): Promise<string> {
  if (!existsSync(libraryFolder)) await download();
  return join(libraryFolder, libraryName);
}

async function download(): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(join(cacheFolder, 'download-'));
  try {
    await writeFile(join(folder, 'requirements.txt'), `${requirements.join('\n')}\n`);
    await run('python3', pipArguments(folder), { timeout: DOWNLOAD_TIMEOUT_MS });
    const wheels = (await readdir(folder)).filter((file) => file.endsWith('.whl'));
    await mkdir(join(folder, 'lib'));
    const paths = wheels.map((wheel) => join(folder, wheel));
    await run('python3', ['-c', unpack, join(folder, 'lib'), wanted.join(','), ...paths]);
    await publish(join(folder, 'lib'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const pipArguments = (folder: string): string[] => [
  ...['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'],
  ...['--require-hashes', '--requirement', join(folder, 'requirements.txt'), '--dest', folder],
];

/** A rename is atomic: two test processes that download at once end with one whole folder. */
async function publish(downloaded: string): Promise<void> {
  try {
    await rename(downloaded, libraryFolder);
  } catch (error) {
    if (!existsSync(libraryFolder)) throw error;
  }
}
