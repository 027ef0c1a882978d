import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { deprecatedOf, lockProblems, type Packages } from './lock-problems.ts';

/**
 * `npm run supply`: licences and hashes of the lock file, packages that their authors had given up when it was written, and
 * known weaknesses where the registry answers `npm audit`. What it could not be asked is named. Ends with 1 where something
 * is wrong; with `--strict` also where something could not be asked.
 */
const PATIENCE_MS = 60_000;
const run = promisify(execFile);
const isStrict = process.argv.includes('--strict');
const json = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')) as Record<string, unknown>;

const packages = json('package-lock.json').packages as Packages;
const problems = lockProblems(packages);
const givenUp = deprecatedOf(packages);
console.log(
  `Lock file: ${Object.keys(packages).length - 1} packages, ${problems.length} without a hash or a permissive licence`,
);
for (const line of problems) console.log(`  ${line}`);
console.log(`Deprecated when it was written: ${givenUp.length}`);
for (const line of givenUp) console.log(`  ${line}`);
const unasked: string[] = [];
const weak = await audit();
for (const line of weak) console.log(`  ${line}`);
for (const line of unasked) console.log(`Not asked: ${line}`);
if (problems.length + weak.length > 0 || (isStrict && unasked.length > 0)) process.exitCode = 1;

/** Known weaknesses of what is installed at run time. */
async function audit(): Promise<string[]> {
  const { stdout } = await run('npm', ['audit', '--omit=dev', '--json'], { timeout: PATIENCE_MS }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const answer = parsed(stdout) as {
    readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
    readonly message?: string;
  };
  if (answer.vulnerabilities === undefined) {
    unasked.push(`known weaknesses (npm audit: ${answer.message?.split('\n')[0] ?? 'no answer'})`);
    return [];
  }
  const found = Object.entries(answer.vulnerabilities);
  console.log(`npm audit: ${found.length} packages with known weaknesses`);
  return found.map(([name, { severity }]) => `${name}: ${severity}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
