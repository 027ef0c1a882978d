import type { FastifyInstance } from 'fastify';
import { type OpenSchedules, openSchedules, type SchedulesParts } from '../../../reporting/schedules/open.ts';
import { testMasterKey } from '../../support/builders.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { startTestJobs, type TestJobs } from '../jobs/support.ts';
import { createAsk, savedBody } from '../saved/support.ts';
import {
  createReportToken,
  createReportUser,
  type TestReporting,
  until,
  withoutClickHouse,
} from '../support.ts';

export interface TestSchedules {
  readonly app: FastifyInstance;
  readonly jobs: TestJobs;
  readonly schedules: OpenSchedules;
  /** As another process would have them. */
  another(parts?: Partial<SchedulesParts>, config?: { readonly reportEmailMb: number }): OpenSchedules;
  close(): Promise<void>;
}

/** The reporting API with jobs and schedules, whose receivers are on this machine. */
export async function startTestSchedules(
  reporting: TestReporting,
  { smtpUrl = null, ...parts }: Partial<SchedulesParts> & { readonly smtpUrl?: string | null } = {},
): Promise<TestSchedules> {
  const jobs = await startTestJobs(reporting);
  const opened: OpenSchedules[] = [];
  const open: TestSchedules['another'] = (more = {}, config = { reportEmailMb: 1 }) => {
    const schedules = openSchedules(
      {
        masterKey: testMasterKey.toString('base64'),
        masterKeysOld: [],
        reportingBaseUrl: 'https://reports.example',
        ...{ reportingHost: '127.0.0.1', reportingPort: 0, ...config },
        ...{ smtpUrl, mailFrom: 'reports@broadside.example' },
      },
      {
        database: reporting.database,
        jobs: { store: jobs.store, folder: jobs.folder, wake: () => jobs.running.wake() },
        reader: {
          begin: () => {
            throw new Error('this test has no ClickHouse');
          },
        },
        clickhouse: { client: withoutClickHouse },
        logger: { debug: () => {}, warn: () => {}, error: () => {} },
        publicAddresses: loopbackAllowed,
        ...parts,
        ...more,
      },
    );
    if (schedules === null) throw new Error('no schedules');
    opened.push(schedules);
    return schedules;
  };
  const schedules = open();
  const app = reporting.another({
    jobs: { store: jobs.store, wake: () => jobs.running.wake() },
    schedules,
  });
  await app.ready();
  return {
    ...{ app, jobs, schedules, another: open },
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await jobs.close();
    },
  };
}

/** As the API shows it. */
export interface Run {
  readonly id: number;
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | null;
  readonly bytes: number | null;
  readonly [field: string]: unknown;
}

export interface Owned {
  readonly userId: number;
  readonly email: string;
  readonly token: string;
  readonly savedId: number;
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): ReturnType<ReturnType<typeof createAsk>>;
  /** @returns its id, and the secret of a webhook. */
  schedule(body: object): Promise<{ readonly id: number; readonly secret: string }>;
  runs(id: number): Promise<Run[]>;
}

/** A new organization with a saved report. */
export async function ownerOf(reporting: TestReporting, app: FastifyInstance): Promise<Owned> {
  const userId = await createReportUser(reporting.database);
  const token = await createReportToken(reporting.database, undefined, userId);
  const askAs = createAsk(app);
  const ask: Owned['ask'] = (method, path, body) => askAs(token, method, path, body);
  const saved = await ask('POST', '/saved', savedBody);
  const [user] = await reporting.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    userId,
  ]);
  const savedId = saved.json().data.id as number;
  return {
    ...{ userId, token, savedId, ask, email: user?.email ?? '' },
    schedule: async (body) => {
      const made = await ask('POST', '/schedules', { saved_id: savedId, format: 'ndjson', ...body });
      if (made.statusCode !== 201) throw new Error(`${made.statusCode}: ${made.body}`);
      return made.json().data;
    },
    runs: async (id) => (await ask('GET', `/schedules/${id}/runs`)).json().data,
  };
}

/** Where a test's receiver listens: the API takes https alone. */
export const toReceiver = (reporting: TestReporting, id: number, url: string): Promise<unknown> =>
  reporting.database.query(
    `UPDATE report_schedules SET destination = jsonb_set(destination::jsonb, '{url}', to_jsonb($2::text)) WHERE id = $1`,
    [id, url],
  );

/** The time of the next firing has come. */
export const fireNow = (reporting: TestReporting, id: number): Promise<unknown> =>
  reporting.database.query('UPDATE report_schedules SET next_at = now() WHERE id = $1', [id]);

/** The pause before the next attempt is over. */
export const pauseIsOver = (reporting: TestReporting, schedule: number): Promise<unknown> =>
  reporting.database.query(
    `UPDATE report_runs SET due_at = now() WHERE schedule_id = $1 AND state <> 'done'`,
    [schedule],
  );

/** The only run of the schedule, once that holds of it. */
export async function runThat(
  reporting: TestReporting,
  { schedules }: Pick<TestSchedules, 'schedules'>,
  owner: Pick<Owned, 'runs'>,
  id: number,
  holds: (run: Run) => boolean,
): Promise<Run> {
  let found: Run | undefined;
  await until(async () => {
    // Between two checks of a job.
    await reporting.database.query(
      `UPDATE report_runs SET due_at = now() WHERE state = 'reporting' AND schedule_id = $1`,
      [id],
    );
    schedules.wake();
    found = (await owner.runs(id))[0];
    return found !== undefined && holds(found);
  });
  if (found === undefined) throw new Error('no run');
  return found;
}
export const isDone = ({ state }: Run): boolean => state === 'done';
export const isFailed = ({ state }: Run): boolean => state === 'failed';
