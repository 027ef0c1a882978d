import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findingsIn } from './rules.ts';
import { textsOf } from './texts.ts';

const READ = /\.(md|tsx?|mts|mjs|cjs|js|sql|ya?ml|css|example)$/;
/** Texts in other languages, what others wrote, migrations that have run, and the rules themselves. */
const NOT_OURS =
  /(^|\/)texts\/(?!en\b)[a-z]{2}(\.ts|\/)|\/vendored\/|\/migrations\/|architecture\/words\/|openapi\.json/;

const filesOf = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => READ.test(file) && !NOT_OURS.test(file) && existsSync(join(root, file)));

export function wordFaults(
  root: string,
  files: readonly string[] = filesOf(root),
): { readonly texts: number; readonly faults: string[] } {
  const faults: string[] = [];
  let texts = 0;
  for (const file of files) {
    for (const text of textsOf(file, readFileSync(join(root, file), 'utf8'))) {
      texts += 1;
      for (const { line, message } of findingsIn(text)) faults.push(`${file}:${line} ${message}`);
    }
  }
  return { texts, faults };
}

/** Part of `npm run check`. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { texts, faults } = wordFaults(fileURLToPath(new URL('../../..', import.meta.url)));
  for (const fault of faults) console.error(fault);
  console.log(`words: ${texts} texts, ${faults.length} to write in other words`);
  if (texts < 10_000 || faults.length > 0) process.exitCode = 1;
}
