import { chmod, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { makeFolder } from '../../../engine/kit/command-line/make-folder.ts';
import { librariesFolder, libraryFolder, type Wheel } from '../../../engine/kit/fast-library/files.ts';
import { type Installed, lookAt } from '../../../engine/kit/fast-library/look.ts';
import { makeDataFolder } from '../../up/data-folder.ts';
import { copyWheel } from './copy-wheel.ts';
import { unpackWheel } from './unpack-wheel.ts';

export interface InstallOptions {
  readonly dataFolder: string;
  readonly wheels: readonly Wheel[];
  /** @returns paths of files that should be these wheels. */
  readonly bring: (into: string) => Promise<readonly string[]>;
}

const PART = 'part-';
/** What a run that was killed left behind; none takes this long. */
const LEFT_BEHIND_MS = 3_600_000;

/**
 * Each file is put in place by a rename, and only the contents that are known: so two runs at once, or one that
 * stops anywhere, leave whole files. Those who read them check that none is missing.
 */
export async function installLibrary({
  dataFolder,
  wheels,
  bring,
}: InstallOptions): Promise<'installed' | 'there already'> {
  const files = wheels.flatMap((wheel) => wheel.files);
  const libraries = librariesFolder(dataFolder);
  await removeLeftovers(libraries);
  if ((await lookAt(dataFolder, { files })) === 'whole') return 'there already';
  await makeDataFolder(dataFolder);
  await makeFolder(libraries, { mode: 0o755 });
  const part = await mkdtemp(join(libraries, PART));
  try {
    for (const { wheel, path } of await bringAll(wheels, part, bring)) {
      const kept = await unpackWheel(wheel, path, part);
      await putInPlace(kept, part, libraryFolder(dataFolder));
    }
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  refuse(await lookAt(dataFolder, { files }), dataFolder);
  return 'installed';
}

/** All of them before the first is unpacked: half of the library is of no use. */
async function bringAll(wheels: readonly Wheel[], part: string, bring: InstallOptions['bring']) {
  const copied = [];
  for (const file of await bring(part)) copied.push(await copyWheel(wheels, file, part));
  for (const wheel of wheels)
    if (!copied.some((one) => one.wheel === wheel))
      throw new CliError(
        `nothing was installed: a file of ${wheel.package} is missing (sha256 ${wheel.sha256})`,
      );
  return copied;
}

async function putInPlace(names: readonly string[], from: string, folder: string): Promise<void> {
  await makeFolder(folder, { mode: 0o755 });
  for (const name of names) {
    await chmod(join(from, name), 0o644);
    await rename(join(from, name), join(folder, name));
  }
}

async function removeLeftovers(libraries: string): Promise<void> {
  for (const name of await readdir(libraries).catch(() => [])) {
    const path = join(libraries, name);
    const found = name.startsWith(PART) ? await stat(path).catch(() => null) : null;
    if (found !== null && found.mtimeMs < Date.now() - LEFT_BEHIND_MS)
      await rm(path, { recursive: true, force: true });
  }
}

function refuse(installed: Installed, dataFolder: string): void {
  if (installed === 'whole') return;
  const folder = libraryFolder(dataFolder);
  throw new CliError(
    installed === 'open to others'
      ? `the library is in ${folder}, and no engine will load it: other accounts may write there. Give ${resolve(dataFolder)} to the engine’s account alone (chown, chmod go-w).`
      : `the files in ${folder} are not those that were written: check the disk, and run it again`,
  );
}
