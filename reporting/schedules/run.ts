import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { findReportJob, type ReportJob } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import {
  type DueOfSchedules,
  findDueOfSchedules,
} from '../../engine/adapters/postgres/report-schedules/due.ts';
import {
  type Concerned,
  type Fired,
  fireNext,
  lookAtFinalDays,
} from '../../engine/adapters/postgres/report-schedules/fire.ts';
import {
  beginReport,
  type ClaimedRun,
  claimRun,
  failRun,
  finishRun,
  keepRun,
  LEASE_KEPT_MS,
  leaveRun,
  moveToDelivery,
  removeOldRuns,
  repeatRun,
} from '../../engine/adapters/postgres/report-schedules/runs.ts';
import { whyNotRun } from '../../engine/adapters/postgres/report-schedules/schedules.ts';
import { knownDay } from '../../engine/contract/days.ts';
import { logFailure } from '../../engine/kit/roles/log-failure.ts';
import { type Loop, startLoop } from '../../engine/kit/roles/loop.ts';
import { isWhole, partName } from '../jobs/part-file.ts';
import type { ResultStore } from '../jobs/store/store.ts';
import { requestOn } from '../saved/days.ts';
import type { Deliver, DeliveryEnd } from './deliver/ports.ts';
import type { FileAddresses } from './file-address.ts';

export interface SchedulesDeps {
  readonly database: Pick<Database, 'query' | 'transaction'>;
  readonly fired: Fired;
  readonly concerned: Concerned;
  readonly deliver: Readonly<Record<ClaimedRun['destination']['kind'], Deliver | null>>;
  readonly addresses: FileAddresses;
  /** Of results. */
  readonly store: ResultStore;
  /** With `/api/v1`. */
  readonly baseUrl: string;
  readonly nowMs: () => number;
  /** A job was made. */
  readonly wakeJobs: () => void;
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
}

/** Runs begin within minutes: what asks Postgres more often would cost an idle machine more than it brings. */
const IDLE_MS = 3_000;
const QUIET_MS = 6_000;
const UNASKED_MS = 60_000;
const SWEEP_MS = 3_600_000;
const MAX_BACKOFF_MS = 60_000;
/** Of runs that this process takes steps of at a time: a slow receiver holds up one of them. */
const AT_ONCE = 8;
/** Of these, of one organization: whose receivers take an hour for each file hold up their own files. */
export const AT_ONCE_OF_ORGANIZATION = 2;
/** Where a job has no room yet. */
const ROOM_SECONDS = 20;
const DELIVERY_MS = 3_600_000;

/** Starts runs and takes their steps as long as it is open. */
export function startSchedules(deps: SchedulesDeps): { wake(): void; close(): Promise<void> } {
  const stop = new AbortController();
  const onError = (error: unknown): void =>
    logFailure(deps.logger, error, 'schedules of reports wait', { level: 'error' });
  const common = { maxBackoffMs: MAX_BACKOFF_MS, onError };
  /** One that the look below wakes. */
  const woken = (step: () => Promise<number>): Loop =>
    startLoop({ ...common, idleMs: UNASKED_MS, firstBackoffMs: 2 * IDLE_MS, step });
  const fire = (kind: 'cron' | 'final'): Loop =>
    woken(() => fireNext(deps.database, kind, deps.fired, onError));
  /** Where it is not known, all check their days, as those of others that wait behind these events shall. */
  const concerned: Concerned = (sql, events, wanted) =>
    deps.concerned(sql, events, wanted).catch((error: unknown) => {
      onError(error);
      return () => true;
    });
  const taken: Taken = new Map();
  const loopsOf: Readonly<Record<DueOfSchedules, readonly Loop[]>> = {
    runs: Array.from({ length: AT_ONCE }, () => woken(() => takeStep(deps, stop.signal, taken))),
    cron: [fire('cron')],
    final: [fire('final')],
    days: [woken(() => lookAtFinalDays(deps.database, concerned))],
  };
  const look = startLoop({
    ...common,
    idleMs: IDLE_MS,
    quietMs: QUIET_MS,
    step: async () => {
      for (const due of await findDueOfSchedules(deps.database))
        for (const loop of loopsOf[due]) loop.nudge();
      return 0;
    },
  });
  const loops = [look, ...Object.values(loopsOf).flat()];
  const sweep = startLoop({
    ...common,
    idleMs: SWEEP_MS,
    step: async () => {
      await removeOldRuns(deps.database);
      return 0;
    },
  });
  return {
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    close: async () => {
      stop.abort(new Error('the process stops'));
      await Promise.all([...loops, sweep].map((loop) => loop.close()));
    },
  };
}

/** Steps that this process takes now, by organization. */
type Taken = Map<number, number>;

/** @returns how many: one or none. */
async function takeStep(deps: SchedulesDeps, stop: AbortSignal, taken: Taken): Promise<number> {
  if (stop.aborted) return 0;
  const busy = [...taken].filter(([, steps]) => steps >= AT_ONCE_OF_ORGANIZATION).map(([id]) => id);
  const run = await claimRun(deps.database, busy);
  if (run === null) return 0;
  const { organizationId } = run;
  const steps = (taken.get(organizationId) ?? 0) + 1;
  // Several were claimed at once.
  if (steps > AT_ONCE_OF_ORGANIZATION) {
    await leaveRun(deps.database, run);
    return 1;
  }
  taken.set(organizationId, steps);
  try {
    const why = whyNotRun(run);
    if (why !== null) await failRun(deps.database, run, why, true);
    else await step(deps, run, stop);
  } finally {
    const left = (taken.get(organizationId) ?? 1) - 1;
    if (left > 0) taken.set(organizationId, left);
    else taken.delete(organizationId);
  }
  return 1;
}

/** A run at which a step breaks off waits like any that failed: those behind it go on. */
async function step(deps: SchedulesDeps, run: ClaimedRun, stop: AbortSignal): Promise<void> {
  try {
    if (run.state === 'due') await begin(deps, run);
    else await goOn(deps, run, stop);
  } catch (error) {
    logFailure(deps.logger, error, 'a step of a run of a schedule broke off', {
      level: 'error',
      fields: { run: run.id },
    });
    await noteRepeat(deps, run, run.state === 'delivering' ? 'delivering' : 'due', 'The run broke off.');
  }
}

async function begin({ database, nowMs, wakeJobs }: SchedulesDeps, run: ClaimedRun): Promise<void> {
  const { tokenId, userId } = run;
  if (tokenId === null || userId === null) return;
  const question = requestOn(run, knownDay(run.today), nowMs());
  const { totals, ...request } = { ...question, format: run.format };
  const whole = run.format === 'json' && totals !== undefined ? { ...request, totals } : request;
  if (await beginReport(database, run, { tokenId, userId }, whole)) wakeJobs();
  else await leaveRun(database, run, ROOM_SECONDS);
}

/** Waits for the job, and delivers its result. */
async function goOn(deps: SchedulesDeps, run: ClaimedRun, stop: AbortSignal): Promise<void> {
  const { database } = deps;
  const { jobId, tokenId, userId, scope } = run;
  const job =
    jobId === null || tokenId === null || userId === null || scope === null
      ? null
      : await findReportJob(database, { tokenId, userId }, scope, jobId);
  if (job === null) return noteRepeat(deps, run, 'due', 'The job of the report was deleted.');
  if (job.state === 'failed') return noteRepeat(deps, run, 'due', problemOf(job));
  if (job.state !== 'done') return leaveRun(database, run);
  if (!job.sees_same)
    return noteRepeat(deps, run, 'due', 'The token sees other rows than when the report was made.');
  if (run.state === 'reporting') return moveToDelivery(database, run);
  return deliverRun(deps, run, job, stop);
}

function problemOf({ problem }: ReportJob): string {
  const lines = Object.values(problem?.errors ?? {}).flat();
  return [`The report could not be made: ${problem?.message ?? 'for an unknown reason'}`, ...lines].join(' ');
}

async function noteRepeat(
  { database, logger }: SchedulesDeps,
  run: ClaimedRun,
  from: 'due' | 'delivering',
  why: string,
): Promise<void> {
  const end = await repeatRun(database, run, from, why);
  logger.warn({ run: run.id, schedule: run.scheduleId, end }, 'a run of a schedule did not succeed');
}

async function deliverRun(
  deps: SchedulesDeps,
  run: ClaimedRun,
  job: ReportJob,
  stop: AbortSignal,
): Promise<void> {
  const { database, logger } = deps;
  const deliver = deps.deliver[run.destination.kind];
  if (deliver === null)
    return noteRepeat(deps, run, 'delivering', 'The operator has set up no mail server (SMTP_URL).');
  const lost = new AbortController();
  const alive = setInterval(() => {
    keepRun(database, run).then(
      (isKept) => isKept || lost.abort(new Error('the run was taken away')),
      (error: unknown) => logFailure(logger, error, 'a run of a schedule cannot show that it is alive'),
    );
  }, LEASE_KEPT_MS);
  const signal = AbortSignal.any([stop, lost.signal, AbortSignal.timeout(DELIVERY_MS)]);
  try {
    const bytes = job.parts.reduce((sum, part) => sum + part.bytes, 0);
    // Those who get an address would find nothing there.
    const end = (await isWhole(deps.store, job, signal))
      ? await deliver({ run, job, bytes, ...filesOf(deps, run, job), signal })
      : gone;
    if (end.kind === 'gone') await noteRepeat(deps, run, 'due', GONE);
    else if (end.kind === 'delivered') await finishRun(database, run, { rows: job.rows, bytes });
    else if (end.forGood) await failRun(database, run, end.why, true);
    else await noteRepeat(deps, run, 'delivering', end.why);
  } catch (error) {
    // Given back at once: another process repeats the delivery.
    if (stop.aborted) return leaveRun(database, run, 0);
    if (lost.signal.aborted) return;
    logFailure(logger, error, 'a delivery of a report broke off', {
      level: 'error',
      fields: { run: run.id },
    });
    await noteRepeat(deps, run, 'delivering', 'The delivery broke off.');
  } finally {
    clearInterval(alive);
  }
}

const gone: DeliveryEnd = { kind: 'gone' };
const GONE = 'The result was gone from its place before it was delivered: the report is made again.';

/** Until the result is gone. */
function filesOf({ addresses, baseUrl }: SchedulesDeps, run: ClaimedRun, job: ReportJob) {
  const until = job.expires_at ?? job.created_at;
  const seconds = Math.floor(until.getTime() / 1_000);
  const files = job.parts.map(({ part, bytes }) => ({
    name: partName(job, part),
    url: `${baseUrl}${addresses.pathOf({ run: run.id, job: job.id, part, until: seconds })}`,
    bytes,
  }));
  return { files, until };
}
