import { checkBooks } from '../crew/books.ts';
import {
  type EngineProcess,
  type PartTimes,
  readPartTimes,
  startEngines,
  withoutSending,
} from '../crew/crew.ts';
import { type Idle, measureIdle } from '../crew/idle.ts';
import { watchLockWaits } from '../crew/lock-waits.ts';
import { type Standing, startDeliveries, untilEnded } from '../crew/send-to.ts';
import { readTransactions } from '../crew/transactions.ts';
import { readCounter } from '../stand/metrics.ts';
import type { MeasureDeps } from './deps.ts';
import { type TakeOver, takeOver } from './take-over.ts';

/** One number of engines, measured. */
export interface Measured {
  readonly engines: number;
  readonly messages: number;
  readonly seconds: number;
  /** CPU time for a message, in µs, by part. */
  readonly engineUs: number;
  readonly postgresUs: number;
  readonly logUs: number;
  readonly clickhouseUs: number;
  /** Of engines, Postgres and the log: what they would have cost in the same time with nothing to do. */
  readonly idleUs: number;
  /** CPU time of one engine, of Postgres and of the log, while nothing is to be done, in ms a second. */
  readonly idleEngineMs: number;
  readonly idlePostgresMs: number;
  readonly idleLogMs: number;
  /** Transactions of Postgres for a thousand messages. */
  readonly transactions: number;
  /** That sessions waited for locks, for a thousand messages. */
  readonly lockWaitMs: number;
  /** Of the engine that sent least, to the mean of all. */
  readonly leastShare: number;
  /** How far the other organization's delivery was when the first of the two ended. */
  readonly otherShare: number;
  readonly takeOver: TakeOver | null;
}

/**
 * One thread each: sixteen engines share this machine. Shards of two blocks, so that there are enough for all of them:
 * a message then costs four times as much coordination as with the shipped eight.
 */
const settings = {
  ...withoutSending,
  WORKER_THREADS: '1',
  TASKS_PER_THREAD: '4',
  SHARD_BLOCKS: '2',
  DATABASE_CONNECTIONS: '6',
};
/** An engine that gets no partition of a topic has nothing to do. */
const PARTITIONS_PER_ENGINE = 2;
const LEAST_PARTITIONS = 12;
/** Of each engine, before anything is counted: until then its code is still being compiled. */
const WARM_UP_MESSAGES = 25_000;

export async function measureEngines(engines: number, deps: MeasureDeps): Promise<Measured> {
  await using opened = new AsyncDisposableStack();
  const { servers, say } = deps;
  say(`${engines} ${engines === 1 ? 'engine' : 'engines'}: starting`);
  const KAFKA_PARTITIONS = String(Math.max(LEAST_PARTITIONS, PARTITIONS_PER_ENGINE * engines));
  const crew = await startEngines(opened, servers, engines, { ...settings, KAFKA_PARTITIONS });
  await warmUp(engines, deps);
  say('idle');
  const idle = await measureIdle(servers, crew);
  say('sending');
  const measured = await measureSending(crew, idle, deps);
  const taken = engines < 2 ? null : await takeOver(crew, deps);
  return {
    ...{ engines, ...measured, takeOver: taken },
    idleEngineMs: idle.engines / engines / 1_000,
    idlePostgresMs: idle.postgres / 1_000,
    idleLogMs: idle.log / 1_000,
  };
}

async function warmUp(engines: number, { servers, apps, readers, say }: MeasureDeps): Promise<void> {
  const rounds = Math.max(1, Math.ceil((WARM_UP_MESSAGES * engines) / (readers * apps.length)));
  for (let round = 1; round <= rounds; round++) {
    say(`warming up, ${round} of ${rounds}`);
    await untilEnded(servers.database, await startDeliveries(servers.database, apps));
  }
}

async function measureSending(
  crew: readonly EngineProcess[],
  idle: Idle,
  { servers, apps, readers }: MeasureDeps,
) {
  const { database } = servers;
  const attemptsBefore = await readAllAttempts(crew);
  const transactionsBefore = await readTransactions(database);
  const before = await readPartTimes(servers, crew);
  const startedAt = performance.now();
  const locks = watchLockWaits(database);
  let otherShare = Number.NaN;
  const ids = await startDeliveries(database, apps);
  const ended = await untilEnded(database, ids, (standings) => {
    if (Number.isNaN(otherShare)) otherShare = shareOfOthers(standings);
  }).finally(() => locks.stop());
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await readPartTimes(servers, crew);
  const lockWaitMs = await locks.stop();
  const messages = checkBooks(ended, readers);
  const transactions = (await readTransactions(database)) - transactionsBefore;
  const attempts = (await readAllAttempts(crew)).map((now, at) => now - (attemptsBefore[at] ?? 0));
  return {
    ...{ messages, seconds, otherShare },
    ...perMessage(before, after, idle, { messages, seconds }),
    transactions: (transactions * 1_000) / messages,
    lockWaitMs: (lockWaitMs * 1_000) / messages,
    leastShare: Math.min(...attempts) / (sum(attempts) / attempts.length),
  };
}

function perMessage(
  before: PartTimes,
  after: PartTimes,
  idle: Idle,
  { messages, seconds }: { readonly messages: number; readonly seconds: number },
) {
  const us = (of: (times: PartTimes) => number): number => (of(after) - of(before)) / messages;
  return {
    engineUs: us(({ engines }) => sum(engines)),
    postgresUs: us((times) => times.postgres),
    logUs: us((times) => times.log),
    clickhouseUs: us((times) => times.clickhouse),
    idleUs: ((idle.engines + idle.postgres + idle.log) * seconds) / messages,
  };
}

/** NaN until one has ended. */
function shareOfOthers(standings: readonly Standing[]): number {
  if (!standings.some(({ ended }) => ended)) return Number.NaN;
  return Math.min(...standings.map(({ accepted, total }) => (total === 0 ? 0 : accepted / total)));
}

const readAllAttempts = (crew: readonly EngineProcess[]): Promise<number[]> =>
  Promise.all(crew.map(({ internalUrl }) => readCounter(internalUrl, 'broadside_attempts_total')));

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
