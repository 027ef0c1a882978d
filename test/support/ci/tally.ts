import { existsSync, readFileSync } from 'node:fs';
import { readTally } from './read-tally.ts';

/** `.ci/run`: counts what the runner's own report says, and fails where that is not enough. */
const report = process.argv[2] ?? '';
// A runner that died before its report ran no known test.
const { line, problems } = readTally(
  existsSync(report) ? readFileSync(report, 'utf8') : '{"testResults":[]}',
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(line);
