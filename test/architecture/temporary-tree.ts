import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A folder of files for a check to read, path → text. Removed at the end of the `await using` block. */
export async function temporaryTree(
  files: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'broadside-tree-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
