import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildClients } from '../client-libraries/build.ts';
import { notesOf } from './notes.ts';
import { billOfMaterials } from './sbom.ts';
import { stagePackage } from './stage-package.ts';

export interface ReleaseOptions {
  /** Made where it is missing; must be empty. */
  readonly out: string;
  /** Address of the public repository: npm wants it of a package with provenance. Null: unnamed. */
  readonly repository: string | null;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/**
 * Makes everything that a release publishes, and publishes nothing. The same commit gives the same bytes.
 * @returns names of the files in `out`.
 * @throws Error where the folder holds something, or the change log nothing about this version.
 */
export async function buildRelease({ out, repository }: ReleaseOptions): Promise<readonly string[]> {
  await mkdir(out, { recursive: true });
  if ((await readdir(out)).length > 0)
    throw new Error(`${out} is not empty: name another folder, or empty it`);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const notes = notesOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const at = await timeOfSources();
  const work = await mkdtemp(join(tmpdir(), 'broadside-release-'));
  try {
    const staged = join(work, 'package');
    await mkdir(staged);
    const described = repository === null ? {} : { repository: { type: 'git', url: repository } };
    await stagePackage(root, staged, described);
    await run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: staged });
    await writeFile(join(out, `broadside-${version}.cdx.json`), await billOfMaterials(staged, at));
    await addClients(join(work, 'clients'), out, at, described);
    await writeFile(join(out, 'RELEASE-NOTES.md'), notes);
    await writeFile(join(out, 'SHA256SUMS'), await sumsOf(out));
    return (await readdir(out)).toSorted();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Of the commit: never of the build. */
async function timeOfSources(): Promise<Date> {
  const { stdout } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root });
  return new Date(Number(stdout) * 1_000);
}

async function addClients(work: string, out: string, at: Date, described: object): Promise<void> {
  const { typescript, python } = await buildClients(work, described);
  await copyFile(typescript, join(out, basename(typescript)));
  // The backend of the package itself: no pip, and no network.
  const build = `import os, sys, build_wheel
os.environ["SOURCE_DATE_EPOCH"] = sys.argv[2]
build_wheel.build_wheel(sys.argv[1])`;
  await run('python3', ['-B', '-c', build, out, String(at.getTime() / 1_000)], { cwd: python });
}

/** As `sha256sum --check` reads them. */
async function sumsOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  const lines = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    }),
  );
  return lines.join('');
}
