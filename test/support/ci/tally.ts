import { existsSync, readFileSync } from 'node:fs';
import { readTally } from './read-tally.ts';

/** `.ci/run`: counts what the runner's own reports say, and fails where that is not enough. */
const [again = '', ...reports] = process.argv.slice(2);
const read = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined;
// A runner that died before its report ran no known test.
const { line, problems, unsteady } = readTally(
  reports.map((report) => read(report) ?? '{"testResults":[]}'),
  read(again),
);
for (const name of unsteady) console.error(`unsteady, failed among the others and passed by itself: ${name}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(line);
