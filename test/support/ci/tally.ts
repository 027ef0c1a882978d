import { readFileSync } from 'node:fs';
import { readTally } from './read-tally.ts';

/** `.ci/run`: counts what the runner's own report says, and fails where that is not enough. */
const { line, problems } = readTally(readFileSync(process.argv[2] ?? '', 'utf8'));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(line);
