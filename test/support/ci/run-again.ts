import { existsSync, readFileSync } from 'node:fs';
import { failedFiles } from './read-tally.ts';

/** `.ci/run`: prints the files to run once more, a line each; none where so many failed that it is no accident. */
const MOST_FILES = 3;

/** One of each part of the run that failed. Without a failed file something else went wrong, and no test mends that. */
const parts = process.argv
  .slice(2)
  .map((report) => (existsSync(report) ? failedFiles(readFileSync(report, 'utf8')) : []));
const files = parts.flat();
const isExplained = parts.every((part) => part.length > 0);
if (isExplained && files.length <= MOST_FILES) for (const file of files) console.log(file);
