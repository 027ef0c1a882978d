import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Fault, patternFaults } from './patterns.ts';
import { type Proven, proven } from './proven-patterns.ts';

const SOURCES = '{engine,api,reporting}/**/*.{ts,tsx,js,mjs}';

const isProven = ({ file, pattern }: Fault, by: Proven): boolean =>
  by.file === file && pattern.includes(by.part);

/** @returns a sentence for each pattern of the product that nobody has proven, and for each proof without a pattern. */
export function unprovenPatterns(root: string): { readonly files: number; readonly faults: string[] } {
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => path.includes('node_modules') });
  const found = files
    .filter((file) => !file.endsWith('.d.ts'))
    .flatMap((file) => patternFaults(`${root}/${file}`).map((fault) => ({ ...fault, file })));
  const open = found.filter((fault) => !proven.some((each) => isProven(fault, each)));
  const stale = proven.filter((each) => !found.some((fault) => isProven(fault, each)));
  return {
    files: files.length,
    faults: [
      ...open.map(
        ({ file, line, pattern, words }) =>
          `${file}:${line} ${pattern} ${words}.\n    Write it so that it cannot: bound it, leave out of the repetition what follows it, or use indexOf. If it is harmless, say why in test/architecture/proven-patterns.ts.`,
      ),
      ...stale.map(({ file, part }) => `proven-patterns.ts: ${file} has no such pattern any more: ${part}`),
    ],
  };
}

/** Part of `npm run check`. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, faults } = unprovenPatterns(fileURLToPath(new URL('../..', import.meta.url)));
  for (const fault of faults) console.error(fault);
  console.log(`patterns: ${files} files of production, ${faults.length} that may be slow`);
  if (files < 1_000 || faults.length > 0) process.exitCode = 1;
}
