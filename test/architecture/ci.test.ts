// tier: core
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { failedFiles, readTally } from '../support/ci/read-tally.ts';
import { repositoryRoot, temporaryTree } from './temporary-tree.ts';

const run = promisify(execFile);

/** Runs these files through vitest itself, so that its report is the real one. */
async function tallyOf(files: Readonly<Record<string, string>>) {
  const config = `export default { test: { include: ['*.test.mjs'], cache: false } };\n`;
  await using tree = await temporaryTree({ 'vitest.config.mjs': config, ...files });
  const vitest = join(repositoryRoot, 'node_modules/.bin/vitest');
  const args = ['run', '--globals', '--reporter=json', '--outputFile=report.json'];
  await run(vitest, args, { cwd: tree.root }).catch(() => {});
  return readTally([await readFile(join(tree.root, 'report.json'), 'utf8')]);
}

const passes = `it('adds up', () => {});\n`;

describe('the tally of a run', () => {
  it('counts passed tests', async () => {
    expect(await tallyOf({ 'a.test.mjs': passes, 'b.test.mjs': passes })).toEqual({
      line: 'tests: 2 passed, 0 failed, 0 skipped',
      problems: [],
      unsteady: [],
    });
  });

  it('counts failed and skipped tests of any kind, and names both', async () => {
    const tally = await tallyOf({
      'a.test.mjs': [
        passes,
        `it('breaks', () => { throw new Error('no'); });`,
        `it.skip('is skipped', () => {});`,
        `it.todo('is to be done');`,
        `describe.skip('all of it', () => { it('is skipped too', () => {}); });`,
        `it('finds something missing', (test) => test.skip('no broker'));`,
      ].join('\n'),
    });
    expect(tally.line).toBe('tests: 1 passed, 1 failed, 4 skipped');
    expect(tally.problems).toHaveLength(5);
    expect(tally.problems).toContain('failed: breaks');
    expect(tally.problems).toContain('skipped, and nothing may be: finds something missing');
  });

  it('takes a file that does not load, a broken set-up, or a file without tests for a failure', async () => {
    const tally = await tallyOf({
      'a.test.mjs': passes,
      'b.test.mjs': `import './not-there.mjs';\n`,
      'c.test.mjs': `beforeAll(() => { throw new Error('no database'); });\n${passes}`,
      'd.test.mjs': 'export {};\n',
    });
    expect(tally.line).toMatch(/^tests: 1 passed, 3 failed, \d skipped$/);
    expect(tally.problems.length).toBeGreaterThanOrEqual(3);
  });

  it('does not take no tests at all for a success', () => {
    expect(readTally(['{"testResults":[]}'])).toEqual({
      line: 'tests: 0 passed, 0 failed, 0 skipped',
      problems: ['no test ran'],
      unsteady: [],
    });
  });

  it('counts several reports together, and misses one that is empty', () => {
    const full =
      '{"testResults":[{"name":"a","status":"passed","message":"","assertionResults":[{"fullName":"a","status":"passed"}]}]}';
    expect(readTally([full, full])).toMatchObject({
      line: 'tests: 2 passed, 0 failed, 0 skipped',
      problems: [],
    });
    expect(readTally([full, '{"testResults":[]}']).problems).toEqual(['no test ran']);
  });

  describe('with a second run', () => {
    const ran = (name: string, ...statuses: readonly string[]) => ({
      name,
      status: statuses.includes('failed') ? 'failed' : 'passed',
      message: '',
      assertionResults: statuses.map((status, at) => ({ fullName: `${name} ${at}`, status })),
    });
    const report = (...testResults: readonly object[]): string => JSON.stringify({ testResults });
    const first = report(ran('a', 'passed'), ran('b', 'failed', 'passed'), ran('c'));

    it('is of the files in which something failed, or that did not load', () => {
      expect(failedFiles(first)).toEqual(['b', 'c']);
    });

    it('counts its results instead, and names what only passed then', () => {
      expect(readTally([first], report(ran('b', 'passed', 'passed'), ran('c', 'passed')))).toEqual({
        line: 'tests: 4 passed, 0 failed, 0 skipped',
        problems: [],
        unsteady: ['b 0'],
      });
    });

    it('still fails for what fails again, for the first time, or was not run again', () => {
      expect(readTally([first], report(ran('b', 'failed', 'failed')))).toEqual({
        line: 'tests: 1 passed, 3 failed, 0 skipped',
        problems: ['failed: b 0', 'failed: b 1', 'failed as a whole: c '],
        unsteady: [],
      });
    });
  });
});
