// tier: postgres
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createReportToken,
  createTestReporting,
  generateRequest,
  oneRow,
  plainBody,
  until,
} from '../support.ts';
import { askJob, endedJob, jobsPath, look, makeJobOf, partsOf, startTestJobs } from './support.ts';

const rates = { reportRatePerMinute: 5, reportJobRatePerMinute: 3 };

const reporting = await createTestReporting();
const jobs = await startTestJobs(reporting, {}, { config: rates });
afterAll(async () => {
  await jobs.close();
  await reporting.close();
});

describe('the rates', () => {
  it('of jobs, of questions about them and of reports are apart', async () => {
    const token = await createReportToken(reporting.database);
    const made: number[] = [];
    for (let time = 0; time < 4; time++) made.push((await askJob(jobs.app, token, plainBody)).statusCode);
    expect(made).toEqual([202, 202, 202, 429]);
    const reports: number[] = [];
    for (let time = 0; time < 6; time++)
      reports.push((await jobs.app.inject(generateRequest(token, plainBody))).statusCode);
    expect(reports).toEqual([200, 200, 200, 200, 200, 429]);
    const looks: number[] = [];
    for (let time = 0; time < 73; time++) looks.push((await look(jobs.app, token, '')).statusCode);
    expect([looks.filter((status) => status === 200).length, looks.at(-1)]).toEqual([72, 429]);
  });
});

describe('without a place for results', () => {
  it('jobs are 404 and names the settings, and reports are made as ever', async () => {
    const app = reporting.another({ jobs: null });
    const token = await createReportToken(reporting.database);
    const words = { status: 'error', message: expect.stringContaining('REPORT_JOBS_FOLDER') };
    for (const answer of [await askJob(app, token, plainBody), await look(app, token, '/1')])
      expect([answer.statusCode, answer.json()]).toEqual([404, words]);
    expect((await look(app, token, '')).json()).toEqual({
      status: 'success',
      data: [],
      meta: { available: false },
    });
    expect((await app.inject(generateRequest(token, plainBody))).statusCode).toBe(200);
  });
});

describe('a result', () => {
  it('that is gone from its place is 410', async () => {
    const token = await createReportToken(reporting.database);
    const job = await makeJobOf(jobs.app, token, plainBody);
    await jobs.store.remove(`report-${job.id}-1-0`);
    const [part] = await partsOf(jobs.app, token, job);
    expect([part?.statusCode, part?.json().message]).toEqual([
      410,
      expect.stringContaining('Make the job again'),
    ]);
  });

  it('is 503 while its place cannot be read, whole or by pages', async () => {
    const token = await createReportToken(reporting.database);
    const job = await makeJobOf(jobs.app, token, plainBody);
    const path = join(jobs.folder, `report-${job.id}-1-0`);
    await rename(path, `${path}-kept`);
    // A file that links to itself can be found and never be opened.
    await symlink(path, path);
    const answers = [
      await look(jobs.app, token, `/${job.id}/parts/0`),
      await look(jobs.app, token, `/${job.id}/rows`),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.headers['retry-after'], answer.json().status]).toEqual([
        503,
        '5',
        'error',
      ]);
    await rename(`${path}-kept`, path);
    expect((await look(jobs.app, token, `/${job.id}/parts/0`)).statusCode).toBe(200);
  });

  it('that exceeds its bound, or the room, fails with the way out', async () => {
    for (const [bound, words] of [
      [{ mostBytes: 5 }, 'REPORT_JOB_MB'],
      [{ space: { totalBytes: 5, organizationBytes: 5, userBytes: 5 } }, 'a quarter of REPORT_JOBS_MB'],
      [
        { space: { totalBytes: 50, organizationBytes: 5, userBytes: 50 } },
        'three quarters of REPORT_JOBS_MB',
      ],
      [{ space: { totalBytes: 5, organizationBytes: 50, userBytes: 50 } }, 'All results together'],
    ] as const) {
      const other = await createTestReporting();
      const small = await startTestJobs(other, bound);
      const token = await createReportToken(other.database);
      const job = await makeJobOf(small.app, token, plainBody);
      expect(job).toMatchObject({ state: 'failed', problem: { message: expect.stringContaining(words) } });
      await small.close();
      await other.close();
    }
  });
});

describe('what one job breaks', () => {
  it('is its own: the others are made, and no process waits', async () => {
    const other = await createTestReporting();
    const errors: unknown[] = [];
    const small = await startTestJobs(other, {
      generateWith: () => async (request, access, signal) => {
        if (request.limit === 13) throw new TypeError('a request of another release');
        return oneRow(request, access, signal);
      },
      logger: { debug: () => {}, warn: () => {}, error: (...said: unknown[]) => void errors.push(said) },
    });
    const [odd, sound] = [await createReportToken(other.database), await createReportToken(other.database)];
    const broken = (await askJob(small.app, odd, { ...plainBody, limit: 13 })).json().data.id;
    expect(await makeJobOf(small.app, sound, plainBody)).toMatchObject({ state: 'done' });
    expect(await endedJob(small.app, odd, broken)).toMatchObject({ state: 'failed' });
    expect(errors).toEqual([]);
    await small.close();
    await other.close();
  });

  it('of what is removed keeps no room of the rest', async () => {
    const other = await createTestReporting();
    await other.database.query(
      `INSERT INTO report_job_parts (job_id, epoch, part, user_id, rows, bytes, made_at)
       SELECT job, 1, 0, 1, 1, 1, now() - interval '1 hour' FROM generate_series(7, 9) AS job`,
    );
    const small = await startTestJobs(other, {
      store: {
        put: async () => {},
        read: async () => null,
        remove: async (key) => {
          if (key === 'report-7-1-0') throw new Error('it is locked');
        },
      },
    });
    await until(async () => (await other.database.query('SELECT FROM report_job_parts')).length === 1);
    await small.close();
    await other.close();
  });
});

describe('a question about jobs', () => {
  it('without a valid token is 401', async () => {
    for (const url of [jobsPath, `${jobsPath}/1`, `${jobsPath}/1/rows`, `${jobsPath}/1/parts/0`])
      expect((await jobs.app.inject({ method: 'GET', url })).statusCode).toBe(401);
  });
});
