import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { print, printNote } from '../../engine/kit/command-line/terminal.ts';
import { buildRelease } from './build-release.ts';

/** `npm run release -- --out FOLDER [--repository URL]`. */
const { values } = parseArgs({ options: { out: { type: 'string' }, repository: { type: 'string' } } });
if (values.out === undefined) {
  printNote('Name the folder that the release is written to: npm run release -- --out FOLDER');
  process.exit(1);
}
const out = resolve(values.out);
try {
  const names = await buildRelease({ out, repository: values.repository ?? null });
  print([`The release is in ${out}; nothing was published:`, ...names.map((name) => `  ${name}`)]);
} catch (error) {
  printNote(`The release was not made: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
