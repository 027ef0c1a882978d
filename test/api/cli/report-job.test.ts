// tier: postgres
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { GenerateReport } from '../../../reporting/generate/generate.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { startTestJobs } from '../../reporting/jobs/support.ts';
import { createReportToken, createTestReporting, madeOf } from '../../reporting/support.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const lines = ['"2026-01-01",1', '"2026-01-02",2', '"2026-01-03",3'].map((line) => `${line}\r\n`);
const heading = '"day","impressions"\r\n';

const asked: ReportRequest[] = [];
const provenance = { loads: [], loads_left_out: 7, rates: [], rates_left_out: 0 };
/** What the next jobs become. */
let ending: 'made' | 'refused' | 'never' = 'made';

const generateReport: GenerateReport = async (request, _access, signal) => {
  asked.push(request);
  if (ending === 'refused') return { kind: 'refused', errors: { dimensions: ['It is too large.'] } };
  if (ending === 'never')
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const made = madeOf(Readable.from([Buffer.from(heading + lines.join(''))]));
  return made.kind === 'made' && request.include !== undefined ? { ...made, provenance } : made;
};

const reporting = await createTestReporting();
const jobs = await startTestJobs(reporting, { generateWith: () => generateReport, partRows: 2 });
const url = await jobs.app.listen({ host: '127.0.0.1', port: 0 });
const env = {
  BROADSIDE_REPORTING_URL: url,
  BROADSIDE_REPORT_TOKEN: await createReportToken(reporting.database),
};
const cwd = await mkdtemp(join(tmpdir(), 'broadside-cli-'));
afterAll(async () => {
  await jobs.close();
  await reporting.close();
  await rm(cwd, { recursive: true, force: true });
});
beforeEach(() => {
  asked.splice(0);
  ending = 'made';
});

const run = (...args: string[]) => runCliHere(['report', ...args], { cwd, env });

describe('broadside report --job', () => {
  it('makes a job of the question, waits for it, and saves its parts', async () => {
    const made = await run(
      '--from',
      '2025-01-01',
      '--to',
      '2026-12-31',
      '--metric',
      'impressions',
      '--job',
      'ads.csv',
    );
    expect([made.code, made.out]).toEqual([0, 'Saved ads-1.csv.\nSaved ads-2.csv.\n']);
    expect(made.err).toMatch(/^Job \d+ (waits for its turn|runs)\.\n/);
    expect(made.err).toMatch(/3 rows in 2 files\.\n$/);
    expect(asked[0]).toMatchObject({ selectedDate: ['2025-01-01', '2026-12-31'], format: 'csv' });
    expect(await readFile(join(cwd, 'ads-1.csv'), 'utf8')).toBe(heading + lines.slice(0, 2).join(''));
    expect(await readFile(join(cwd, 'ads-2.csv'), 'utf8')).toBe(heading + lines[2]);
    expect((await readdir(cwd)).toSorted()).toEqual(['ads-1.csv', 'ads-2.csv']);
  });

  it('saves the sources beside CSV, and has no place for them where CSV is printed', async () => {
    const made = await run('--period', 'yesterday', '--job', 'own.csv', '--include-sources');
    expect([made.code, made.out]).toEqual([
      0,
      'Saved own-1.csv.\nSaved own-2.csv.\nSaved own.csv.sources.json.\n',
    ]);
    expect(made.err).toContain('3 rows in 2 files.');
    expect(JSON.parse(await readFile(join(cwd, 'own.csv.sources.json'), 'utf8'))).toEqual(provenance);
    expect((await run('--include-sources')).err).toContain('add --json, or --job FILE');
    expect((await run('--csv', '--include-sources')).err).toContain("cannot be used with option '--csv'");
  });

  it('takes up a job that was made before, and deletes one', async () => {
    const { err } = await run('--job', 'first.csv');
    const id = /^Job (\d+)/.exec(err)?.[1] ?? '';
    const again = await run('--job', 'again.csv', '--job-id', id);
    expect([again.code, again.out]).toEqual([0, 'Saved again-1.csv.\nSaved again-2.csv.\n']);
    expect(asked).toHaveLength(1);
    const other = await run('--job', 'again.json', '--job-id', id);
    expect([other.code, other.err]).toEqual([
      1,
      `broadside: job ${id} has the format csv: --job must end in .csv\n`,
    ]);
    expect(await run('--cancel-job', id)).toMatchObject({ code: 0, out: `Job ${id} is deleted.\n` });
    const gone = await run('--cancel-job', id);
    expect([gone.code, gone.err]).toEqual([
      1,
      expect.stringContaining(`there is no job ${id} of this report token`),
    ]);
  });

  it('says why a job failed, and which names of files it takes', async () => {
    ending = 'refused';
    const failed = await run('--job', 'x.parquet');
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/broadside: job \d+ failed: Validation failed\n {2}It is too large\.\n$/);
    const named = await run('--job', 'x.pdf');
    expect(named.err).toBe(
      'broadside: --job x.pdf must end in one of .json, .csv, .ndjson, .parquet, .xlsx\n',
    );
    const nowhere = await run('--job-id', '7');
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      'broadside: add --job FILE to save the result of job 7 there\n',
    ]);
  });

  it('leaves a job to go on when Ctrl-C ends the wait, and says how to have it', async () => {
    ending = 'never';
    const waiting = run('--job', 'later.csv');
    const timer = setInterval(() => asked.length > 0 && process.emit('SIGINT'), 50);
    const { code, err } = await waiting;
    clearInterval(timer);
    const id = /^Job (\d+)/.exec(err)?.[1];
    expect([code, err]).toEqual([130, expect.stringContaining(`report --job later.csv --job-id ${id}`)]);
    expect(await run('--cancel-job', id ?? '')).toMatchObject({ code: 0 });
  });
});
