import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Kept, librariesFolder, libraryFolder, libraryPath, wheels } from './files.ts';

/** What stands in the way of libcrypto_mb on this machine, whatever is installed; null: nothing. */
export function whyImpossible(
  platform: string = process.platform,
  architecture: string = process.arch,
  readCpu: () => string = cpuInfo,
): string | null {
  if (platform !== 'linux' || architecture !== 'x64')
    return `it is for Linux on x64, and this is ${platform} on ${architecture}`;
  return /\bavx512ifma\b/.test(readCpu()) ? null : 'this CPU has no AVX-512 IFMA';
}

/** Nothing in a container that shows none: an engine starts there all the same. */
function cpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
}

/** Whether a folder has a whole library. */
export type Installed = 'none' | 'whole' | 'damaged' | 'open to others';

export interface LookOptions {
  readonly files?: readonly Kept[];
  readonly owners?: readonly number[];
}

const ours = [process.geteuid?.() ?? 0, 0];
const WRITABLE_BY_OTHERS = 0o022;
/** As `/tmp` has it: nobody renames what others own there. */
const STICKY = 0o1000;

/**
 * Reads every file: native code is loaded into the engine, so it must be what was installed, and nobody else may
 * put another file in its place.
 */
export async function lookAt(dataFolder: string, options: LookOptions = {}): Promise<Installed> {
  const { files = wheels.flatMap((wheel) => wheel.files), owners = ours } = options;
  const folder = libraryFolder(dataFolder);
  if ((await lstat(folder).catch(() => null)) === null) return 'none';
  const places = [librariesFolder(dataFolder), folder, ...files.map(({ name }) => join(folder, name))];
  try {
    const { mode } = await stat(resolve(dataFolder));
    if ((mode & STICKY) === 0) places.unshift(resolve(dataFolder));
    for (const path of places) if (!(await isKeptFromOthers(path, owners))) return 'open to others';
    for (const { name, sha256, bytes } of files) {
      const path = join(folder, name);
      const found = await lstat(path);
      if (!found.isFile() || found.size !== bytes || (await digestOf(path)) !== sha256) return 'damaged';
    }
    return 'whole';
  } catch {
    return 'damaged';
  }
}

async function isKeptFromOthers(path: string, owners: readonly number[]): Promise<boolean> {
  const { uid, mode } = await stat(path);
  return owners.includes(uid) && (mode & WRITABLE_BY_OTHERS) === 0;
}

export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** The installed library, and what to do where this machine could be faster. */
export interface FastLibrary {
  /** Null: there is none that may be loaded, or this machine cannot use it. */
  readonly path: string | null;
  /** For people, in a sentence, where messages are not encrypted by libcrypto_mb; null: nothing would help. */
  readonly advice: string | null;
}

export const INSTALL_COMMAND = 'broadside encryption install';

export async function findFastLibrary(
  dataFolder: string,
  impossible: string | null = whyImpossible(),
  options: LookOptions = {},
): Promise<FastLibrary> {
  if (impossible !== null) return { path: null, advice: null };
  const folder = libraryFolder(dataFolder);
  switch (await lookAt(dataFolder, options)) {
    case 'whole':
      return { path: libraryPath(dataFolder), advice: null };
    case 'none':
      return {
        path: null,
        advice: `This machine could encrypt more than twice as fast: run "${INSTALL_COMMAND}", then start the engine again.`,
      };
    case 'damaged':
      return {
        path: null,
        advice: `The files in ${folder} are not those that were installed: run "${INSTALL_COMMAND}" again, then start the engine again.`,
      };
    case 'open to others':
      return {
        path: null,
        advice: `Other accounts may write to ${folder}, so nothing is loaded from there: give it to the engine’s account alone (chown, chmod go-w).`,
      };
  }
}

interface Wanted {
  readonly encryptionBackend: string;
  readonly cryptoMbLibrary: string | null;
}

/** What to say beside the backend that is used: nothing to an operator who chose another one, or another library. */
export const adviceOn = (
  { advice }: FastLibrary,
  { encryptionBackend, cryptoMbLibrary }: Wanted,
  used: string,
): string | null =>
  used !== 'multibuffer' && ['auto', 'multibuffer'].includes(encryptionBackend) && cryptoMbLibrary === null
    ? advice
    : null;
