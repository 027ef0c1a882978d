import { type Limit, limitsOf } from './limits.ts';
import type { EncryptionName, MeasuredCosts } from './measured-costs.ts';
import type { Question } from './question.ts';

/** The defaults of an engine's settings that the sums need. */
export interface EngineDefaults {
  readonly shardBlocks: number;
  readonly maxInFlight: number;
  readonly partitions: number;
  /** As many as the setting takes. */
  readonly mostPartitions: number;
}

export interface Forecast {
  readonly question: Question;
  /** Once it is planned. */
  readonly messagesPerSecond: number;
  readonly planSeconds: number;
  readonly engines: { readonly count: number; readonly cores: number; readonly memoryGb: number };
  readonly postgres: {
    readonly cores: number;
    /** Of each replica. */
    readonly replicaCores: number;
    /** Of targets, out of the primary or, where there are some, out of its replicas. */
    readonly readMbPerSecond: number;
    readonly walMbPerSecond: number;
    readonly transactionsPerSecond: number;
    readonly readersGb: number;
  };
  readonly log: { readonly brokers: number; readonly partitions: number; readonly mbPerSecond: number };
  readonly clickhouse: { readonly cores: number; readonly gbPerDelivery: number };
  /** Of one delivery, over all parts. */
  readonly cpuHours: number;
  /** The nearest to its end first. */
  readonly limits: readonly [Limit, ...Limit[]];
}

export const BLOCK = 1_024;
/** Of a core, so that a burst or a neighbour makes nothing late. */
export const BUSY_SHARE = 0.7;
/** One may die. */
const LEAST_ENGINES = 2;
const LEAST_CORES = 2;
/** Three copies of what was accepted. */
const LEAST_BROKERS = 3;
/** What one broker writes in a second, with its followers' copies. */
const BROKER_MB_PER_SECOND = 50;
const COPIES = 3;
/** An engine has two shards of a lane in hand: each is a message of a partition. */
const SHARDS_IN_HAND = 2;
/** Of the time asked for, at least so much is left for sending: more would divide by nothing. */
const LEAST_SENDING_SHARE = 0.05;
const US = 1e6;

/** What a delivery to all readers in the given time takes, from what a message was measured to cost. */
export function forecast(costs: MeasuredCosts, question: Question, defaults: EngineDefaults): Forecast {
  const { readers, seconds } = question;
  const planSeconds = (costs.plan_ms_per_million / 1_000) * (readers / 1e6);
  const sendSeconds = Math.max(seconds - planSeconds, seconds * LEAST_SENDING_SHARE);
  const messagesPerSecond = readers / sendSeconds;
  const coresFor = (us: number): number => (messagesPerSecond * us) / US / BUSY_SHARE;
  const mbPerSecond = (bytes: number): number => (messagesPerSecond * bytes) / 1e6;
  const engineUs = costs.engine_us + encryptionUs(costs, question.encryption);
  const engines = countEngines(coresFor(engineUs), messagesPerSecond, question, defaults);
  const readsPrimary = question.replicas === 0 ? costs.postgres_read_us : 0;
  const logMb = mbPerSecond(costs.log_bytes);
  const load = {
    planSeconds,
    sendSeconds,
    primaryCores:
      coresFor(costs.postgres_write_us + readsPrimary) +
      (engines * costs.idle_postgres_ms) / 1_000 / BUSY_SHARE,
    readMbPerSecond: mbPerSecond(costs.target_bytes),
    walMbPerSecond: mbPerSecond(costs.wal_bytes),
    releasesPerSecond: messagesPerSecond / (BLOCK * defaults.shardBlocks),
    partitionsUsed: engines === LEAST_ENGINES ? 0 : engines / defaults.mostPartitions,
  };
  return {
    question,
    messagesPerSecond,
    planSeconds,
    engines: {
      count: engines,
      cores: engines * question.engineCores,
      memoryGb: (engines * costs.engine_mb) / 1_000,
    },
    postgres: {
      cores: Math.max(LEAST_CORES, upwards(load.primaryCores)),
      replicaCores:
        question.replicas === 0
          ? 0
          : Math.max(LEAST_CORES, upwards(coresFor(costs.postgres_read_us) / question.replicas)),
      readMbPerSecond: load.readMbPerSecond,
      walMbPerSecond: load.walMbPerSecond,
      transactionsPerSecond: (messagesPerSecond * costs.transactions_per_1000) / 1_000,
      readersGb: (readers * costs.reader_bytes) / 1e9,
    },
    log: {
      brokers: Math.max(LEAST_BROKERS, upwards((logMb * COPIES) / BROKER_MB_PER_SECOND)),
      partitions: Math.min(Math.max(defaults.partitions, engines * SHARDS_IN_HAND), defaults.mostPartitions),
      mbPerSecond: logMb,
    },
    clickhouse: {
      cores: Math.max(LEAST_CORES, upwards(coresFor(costs.clickhouse_us))),
      gbPerDelivery: (readers * costs.clickhouse_bytes) / 1e9,
    },
    cpuHours: (readers * messageUs(costs, question.encryption)) / US / 3_600,
    limits: limitsOf(costs, question, load),
  };
}

/** CPU time of one message over all parts, in µs. */
export const messageUs = (costs: MeasuredCosts, encryption: EncryptionName): number =>
  encryptionUs(costs, encryption) +
  costs.engine_us +
  costs.postgres_read_us +
  costs.postgres_write_us +
  costs.log_us +
  costs.clickhouse_us;

/** @throws Error where the machine that was measured had no such backend. */
export function encryptionUs(costs: MeasuredCosts, name: EncryptionName): number {
  const us = costs.encryption_us[name];
  if (us === null) throw new Error(`${name} was not measured for this release`);
  return us;
}

/** As many as the CPU takes, and as many as hold the requests that wait for an answer. */
function countEngines(
  cores: number,
  messagesPerSecond: number,
  { engineCores, latencyMs }: Question,
  { maxInFlight }: EngineDefaults,
): number {
  const inFlight = messagesPerSecond * (latencyMs / 1_000);
  const byAnswers = inFlight / (maxInFlight * engineCores) / BUSY_SHARE;
  return Math.max(LEAST_ENGINES, upwards(cores / engineCores), upwards(byAnswers));
}

/** To the next whole one; five that come out as 5.000000001 are five. */
const upwards = (value: number): number => Math.ceil(value * (1 - 1e-9));
