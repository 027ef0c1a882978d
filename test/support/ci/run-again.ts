import { existsSync, readFileSync } from 'node:fs';
import { failedFiles } from './read-tally.ts';

/** `.ci/run`: prints the files to run once more, a line each; none where too many failed for an accident. */
const MOST_FILES = 3;

const report = process.argv[2] ?? '';
const files = existsSync(report) ? failedFiles(readFileSync(report, 'utf8')) : [];
if (files.length <= MOST_FILES) for (const file of files) console.log(file);
