import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import {
  findDeadParts,
  forgetPart,
  type JobPart,
  nameOfPart,
  removeOldJobs,
} from '../../engine/adapters/postgres/report-jobs/parts.ts';
import {
  type ClaimedJob,
  claimReportJob,
  failReportJob,
  finishReportJob,
  keepReportJob,
  releaseReportJob,
} from '../../engine/adapters/postgres/report-jobs/runs.ts';
import type { ReportMetrics } from '../../engine/adapters/telemetry/report-metrics.ts';
import { eachStep } from '../../engine/contract/concurrency/each-step.ts';
import { createSetAside } from '../../engine/contract/concurrency/set-aside.ts';
import { logFailure } from '../../engine/kit/roles/log-failure.ts';
import { type Loop, startLoop } from '../../engine/kit/roles/loop.ts';
import { ReportFailed, type ReportReader, type ReportRun } from '../answer/report-reader.ts';
import type { GenerateReport } from '../generate/generate.ts';
import { type JobEnding, type MakeDeps, makeJob } from './make.ts';
import { keyOf } from './store/store.ts';

export interface JobsDeps extends Omit<MakeDeps, 'database'> {
  readonly database: Database;
  readonly reader: ReportReader;
  /** With a reader of the job's own. */
  readonly generateWith: (reader: ReportReader) => GenerateReport;
  /** That this process runs at a time. */
  readonly atOnce: number;
  readonly metrics: ReportMetrics;
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
}

export interface RunningJobs {
  /** A job was made. */
  wake(): void;
  /** Gives running jobs back: another process begins them again. */
  close(): Promise<void>;
}

const IDLE_MS = 2_000;
/** What this process makes wakes it: for jobs of others, and of those that died. */
const QUIET_MS = 6_000;
const SWEEP_MS = 60_000;
const MAX_BACKOFF_MS = 60_000;
/** Within `LEASE_SECONDS` several times. */
const ALIVE_MS = 3_000;
/** Longer than any job: what a killed process left in the folder. */
const LEFT_MS = 24 * 3_600_000;

/** Runs jobs as long as it is open, and removes what no job needs. */
export function startJobs(deps: JobsDeps): RunningJobs {
  const stop = new AbortController();
  const onError = (error: unknown): void =>
    logFailure(deps.logger, error, 'jobs of reports wait', { level: 'error' });
  const common = { maxBackoffMs: MAX_BACKOFF_MS, onError };
  const runners: Loop[] = Array.from({ length: deps.atOnce }, () =>
    startLoop({ ...common, idleMs: IDLE_MS, quietMs: QUIET_MS, step: () => runNext(deps, stop.signal) }),
  );
  const sweep = startLoop({ ...common, idleMs: SWEEP_MS, step: createSweep(deps) });
  return {
    wake: () => {
      for (const runner of runners) runner.wake();
    },
    close: async () => {
      stop.abort(new Error('the process stops'));
      await Promise.all([...runners, sweep].map((loop) => loop.close()));
    },
  };
}

/** @returns how many: one or none. */
async function runNext(deps: JobsDeps, stop: AbortSignal): Promise<number> {
  if (stop.aborted) return 0;
  const job = await claimReportJob(deps.database);
  if (job === null) return 0;
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const progress: Progress = { rows: 0, run: null, readShare: null, isAsking: false };
  const reader: ReportReader = {
    begin: (until) => {
      progress.run = deps.reader.begin(until);
      return progress.run;
    },
  };
  const alive = setInterval(() => {
    stayAlive(deps, job, progress).then(
      (isKept) => isKept || lost.abort(new Error('the job was taken away')),
      (error: unknown) => logFailure(deps.logger, error, 'a job of a report cannot show that it is alive'),
    );
  }, ALIVE_MS);
  try {
    const ending = await makeJob(job, deps.generateWith(reader), deps, signal, (rows) => {
      progress.rows = rows;
    });
    await noteEnding(deps, job, ending);
  } catch (error) {
    await release(deps, job, error, stop.aborted || lost.signal.aborted);
  } finally {
    clearInterval(alive);
  }
  return 1;
}

interface Progress {
  rows: number;
  run: ReportRun | null;
  /** As it was last known; a question that takes long holds up no sign of life. */
  readShare: number | null;
  isAsking: boolean;
}

function stayAlive({ database }: JobsDeps, job: ClaimedJob, progress: Progress): Promise<boolean> {
  void askReadShare(progress);
  return keepReportJob(database, job, progress);
}

async function askReadShare(progress: Progress): Promise<void> {
  if (progress.isAsking || progress.run === null) return;
  progress.isAsking = true;
  progress.readShare = await progress.run.readShare().catch(() => null);
  progress.isAsking = false;
}

async function noteEnding(
  { database, metrics }: JobsDeps,
  job: ClaimedJob,
  ending: JobEnding,
): Promise<void> {
  if (ending.kind === 'failed') {
    metrics.jobEnded('failed');
    return failReportJob(database, job, ending.problem);
  }
  if (ending.kind === 'made' && (await finishReportJob(database, job, ending.result)))
    return metrics.jobEnded('done');
  metrics.jobEnded('given-back');
  await releaseReportJob(database, job, false);
}

/** Where ClickHouse or the store is unavailable, the loop waits; what breaks for another reason may be the job's own fault. */
async function release(
  { database, logger, metrics }: JobsDeps,
  job: ClaimedJob,
  error: unknown,
  isTaken: boolean,
): Promise<void> {
  const isAway = (error instanceof ReportFailed && error.failure === 'away') || isOfMachine(error);
  metrics.jobEnded('given-back');
  await releaseReportJob(database, job, !(isTaken || isAway));
  if (isTaken) return;
  logFailure(logger, error, 'a job of a report broke off and will be run again', { fields: { job: job.id } });
  // What is the job's own ends after a few tries: those behind it do not wait for them.
  if (isAway) throw error;
}

/** A full disk and the like, which no job is the cause of. */
const isOfMachine = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** One that cannot be removed, as in a bucket that is gone, is tried again later: it keeps no room of the others. */
const ASIDE_MS = 3_600_000;
const MOST_ASIDE = 10_000;

/** @returns a step: 0 where nothing is left to do. */
function createSweep({ database, store, folder }: JobsDeps): () => Promise<number> {
  const failed = createSetAside<string>(ASIDE_MS, MOST_ASIDE);
  const remove = (part: JobPart) => async (): Promise<number> => {
    try {
      await store.remove(keyOf(part, part.part));
    } catch (error) {
      failed.add(nameOfPart(part));
      throw error;
    }
    await forgetPart(database, part);
    return 1;
  };
  const tidy = async (): Promise<number> => {
    await removeLeftFiles(folder);
    return 0;
  };
  return async () => {
    await removeOldJobs(database);
    const parts = await findDeadParts(database, failed.keys());
    return eachStep([...parts.map(remove), tidy]);
  };
}

async function removeLeftFiles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!/^(making|answer)-/.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LEFT_MS) await rm(path, { recursive: true, force: true });
  }
}
