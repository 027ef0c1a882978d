import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildDashboard } from '../dashboard/build.ts';
import { buildSdk } from '../sdk/files.ts';
import { type Compiled, compile } from './compile.ts';
import { type Lock, lockOf, type Manifest } from './lock.ts';

/** Of the checkout alone: they make what the package brings as built. */
const builders: ReadonlySet<string> = new Set([
  ...['api/dashboard/build-command.ts', 'api/dashboard/build.ts'],
  ...['api/sdk/bundle.ts', 'api/sdk/build-command.ts'],
]);
/** Sources of what is built, and of the clients, which are packages of their own. */
const builtFolders = /^api\/(dashboard\/(web|screenshots)|sdk\/browser|client-libraries|release)(\/|$)/;

/** With these it ends what it started, however it ends itself. */
const ofDemo = ['test/support/run/end-with-run.sh', 'test/support/ci/end-marked.sh'];

type Root = Manifest & { readonly devDependencies: Readonly<Record<string, string>> };

/**
 * Lays the files of the npm package `broadside` into an empty folder: the command line with all that it can start, as
 * JavaScript; migrations, texts and guides beside it; the built pages and SDK; and, for the bill of
 * materials alone, the lock of what it needs. npm packs no such lock: with one, it would put the right Node where `npx`
 * does not look.
 * @param described further fields of its manifest.
 */
export async function stagePackage(root: string, folder: string, described: object): Promise<void> {
  const read = async <T>(file: string): Promise<T> =>
    JSON.parse(await readFile(join(root, file), 'utf8')) as T;
  const compiled = await compile(root, folder, ['api/bin.mjs'], builders);
  for (const file of await otherFiles(root)) await cp(join(root, file), join(folder, file));
  await cp(await buildDashboard(), join(folder, 'built/dashboard'), { recursive: true });
  await mkdir(join(folder, 'built'), { recursive: true });
  await cp(await buildSdk(), join(folder, 'built/sdk.json'));
  const manifest = manifestOf(await read<Root>('package.json'), compiled, described);
  await writeJson(join(folder, 'package.json'), manifest);
  await writeJson(join(folder, 'package-lock.json'), lockOf(await read<Lock>('package-lock.json'), manifest));
}

/** What the sources read: SQL, pages, guides, lists. */
async function otherFiles(root: string): Promise<readonly string[]> {
  const found = await Promise.all(
    ['engine', 'api', 'reporting'].map((room) =>
      readdir(join(root, room), { recursive: true, withFileTypes: true }),
    ),
  );
  const files = found
    .flat()
    .filter((entry) => entry.isFile() && !/\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !builtFolders.test(file));
  return [...files, ...ofDemo, 'LICENSE', 'README.md', 'CHANGELOG.md', '.env.example'].toSorted();
}

/** @throws Error where a source imports a package that the checkout does not name. */
function manifestOf(root: Root, { packages }: Compiled, described: object): Manifest {
  const { name, version, dependencies, optionalDependencies, devDependencies } = root;
  const { description, license, type, engines, bin } = root as unknown as Record<string, unknown>;
  // The demo is a tool of the checkout, and runs in the package as well.
  const packagesOfDemo = packages.filter(
    (each) => !(each in dependencies) && !(each in optionalDependencies),
  );
  const unknown = packagesOfDemo.filter((each) => !(each in devDependencies));
  if (unknown.length > 0) throw new Error(`package.json does not name ${unknown.join(', ')}`);
  const all = {
    ...dependencies,
    ...Object.fromEntries(packagesOfDemo.map((each) => [each, devDependencies[each] ?? ''])),
  };
  return {
    ...{ name, version, description, license, type, engines, bin },
    ...described,
    dependencies: Object.fromEntries(
      Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    optionalDependencies,
  };
}

const writeJson = (file: string, value: unknown): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
