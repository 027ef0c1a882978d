import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createMetrics } from '../../../engine/adapters/telemetry/metrics.ts';
import {
  createReportReader,
  type ReportBounds,
  type ReportReader,
} from '../../../reporting/answer/report-reader.ts';
import { type JobsDeps, type RunningJobs, startJobs } from '../../../reporting/jobs/run.ts';
import { createFolderStore } from '../../../reporting/jobs/store/folder.ts';
import type { ResultStore } from '../../../reporting/jobs/store/store.ts';
import { type Changes, oneRow, type TestReporting, until } from '../support.ts';
import type { ReportWorld } from '../world.ts';

export const jobsPath = '/api/v1/reports/jobs';
export const jobBounds: ReportBounds = { seconds: 60, memoryBytes: 1024 ** 3, rows: 2_000_000, isJob: true };

/** Of made-up reports. */
const noReader: ReportReader = {
  begin: () => {
    throw new Error('there is no ClickHouse');
  },
};

export interface TestJobs {
  readonly app: FastifyInstance;
  readonly store: ResultStore;
  readonly folder: string;
  running: RunningJobs;
  close(): Promise<void>;
}

/** The reporting API with jobs, and one process that runs them. */
export async function startTestJobs(
  world: TestReporting & Partial<Pick<ReportWorld, 'clickhouse' | 'generateWith'>>,
  changes: Partial<JobsDeps> = {},
  apiChanges: Changes = {},
): Promise<TestJobs> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-jobs-'));
  const { store = createFolderStore(folder) } = changes;
  const running = startJobs({
    database: world.database,
    store,
    folder,
    reader:
      world.clickhouse === undefined ? noReader : createReportReader(world.clickhouse, jobBounds, folder),
    generateWith: (reader) => world.generateWith?.(reader, jobBounds) ?? oneRow,
    space: { totalBytes: 1024 ** 3, organizationBytes: 1024 ** 3, userBytes: 1024 ** 3 },
    mostBytes: 1024 ** 3,
    partRows: 500_000,
    atOnce: 1,
    metrics: createMetrics().reports,
    logger: { debug: () => {}, warn: () => {}, error: () => {} },
    ...changes,
  });
  const jobs = { store, wake: () => running.wake() };
  const app = world.another({ ...apiChanges, jobs });
  await app.ready();
  return {
    ...{ app, store, folder, running },
    close: async () => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

/** The job as it is shown. */
export type Job = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly state: string;
  readonly rows: number;
  readonly parts: readonly {
    readonly part: number;
    readonly kind: string;
    readonly rows: number;
    readonly bytes: number;
  }[];
};

export const askJob = (app: FastifyInstance, token: string, body: object) =>
  app.inject({ method: 'POST', url: jobsPath, headers: headersOf(token), payload: body });

export const look = (app: FastifyInstance, token: string, path: string) =>
  app.inject({ method: 'GET', url: `${jobsPath}${path}`, headers: { authorization: `Bearer ${token}` } });

export const removeJob = (app: FastifyInstance, token: string, id: number) =>
  app.inject({ method: 'DELETE', url: `${jobsPath}/${id}`, headers: { authorization: `Bearer ${token}` } });

export async function endedJob(app: FastifyInstance, token: string, id: number): Promise<Job> {
  let job: Job | undefined;
  await until(async () => {
    const answer = await look(app, token, `/${id}`);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
    job = (answer.json() as { data: Job }).data;
    return job.state === 'done' || job.state === 'failed';
  });
  if (job === undefined) throw new Error('no job');
  return job;
}

/** Makes a job and waits for its end. */
export async function makeJobOf(app: FastifyInstance, token: string, body: object): Promise<Job> {
  const asked = await askJob(app, token, body);
  if (asked.statusCode !== 202) throw new Error(`${asked.statusCode}: ${asked.body}`);
  return endedJob(app, token, (asked.json() as { data: Job }).data.id);
}

/** All parts of the result, as they are downloaded. */
export async function partsOf(app: FastifyInstance, token: string, job: Job) {
  return Promise.all(job.parts.map(({ part }) => look(app, token, `/${job.id}/parts/${part}`)));
}
