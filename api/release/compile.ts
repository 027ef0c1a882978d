import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize } from 'node:path';

/** What was compiled, and what it needs besides. */
export interface Compiled {
  /** Paths of the sources, below their root. */
  readonly files: readonly string[];
  /** Packages that they import, such as `pg` or `@fastify/cors`. */
  readonly packages: readonly string[];
}

/** A text in quotes that could be the path of a source: of an import, a thread's entry, or a process's program. */
const pathLiteral = /(['"`])([\w./-]+)\.ts\1/g;
const imported =
  /(?:\bfrom|\bimport\(?|\bimport\.meta\.resolve\()\s*'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/g;

/**
 * Writes JavaScript in place of TypeScript, for Node strips no types below `node_modules`. Begins at the entries and
 * follows every literal that names a source beside it, so what nothing names is not shipped. The types become spaces and
 * `.js` is as long as `.ts`: a stack trace names the lines and columns of the source.
 * @param root the folder of the sources.
 * @param entries paths below it; `.mjs` stays as it is except for the paths in it.
 * @param leftOut sources that are tools of the checkout: paths to them are left alone.
 */
export async function compile(
  root: string,
  target: string,
  entries: readonly string[],
  leftOut: ReadonlySet<string>,
): Promise<Compiled> {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    const script = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
    for (const [, name = ''] of script.matchAll(imported)) if (!name.startsWith('node:')) packages.add(name);
    const compiled = script.replace(pathLiteral, (whole, quote: string, path: string) => {
      const source = normalize(join(dirname(file), `${path}.ts`));
      if (leftOut.has(source) || !existsSync(join(root, source))) return whole;
      files.add(source);
      return `${quote}${path}.js${quote}`;
    });
    const to = join(target, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, compiled);
    await chmod(to, (await stat(join(root, file))).mode);
  }
  return { files: [...files].toSorted(), packages: [...packages].toSorted() };
}
