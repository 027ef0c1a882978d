import type { MeasuredCosts } from './measured-costs.ts';
import type { Question } from './question.ts';

/** Something that cannot be had twice. */
export interface Limit {
  readonly name: string;
  /** Of what it can do in the time; above 1 the delivery takes longer than asked for. */
  readonly used: number;
  /** How long the delivery takes at least, for its sake. */
  readonly seconds: number;
  readonly remedy: string;
}

/** The delivery's demands, a second. */
interface Load {
  readonly planSeconds: number;
  /** What planning leaves. */
  readonly sendSeconds: number;
  readonly primaryCores: number;
  readonly readMbPerSecond: number;
  readonly walMbPerSecond: number;
  readonly releasesPerSecond: number;
  /** Of those that a topic may have, at one for each engine. */
  readonly partitionsUsed: number;
}

/** Of ten gigabit, what TCP and everything else leave. */
const NETWORK_MB_PER_SECOND = 1_000;
/** One NVMe volume that is written to in order. */
const WAL_MB_PER_SECOND = 500;

/** Everything that more engines do not help, the nearest to its end first. */
export function limitsOf(costs: MeasuredCosts, question: Question, load: Load): [Limit, ...Limit[]] {
  const { replicas, postgresCores, seconds, readers } = question;
  const { planSeconds, sendSeconds } = load;
  const whileSending = (name: string, used: number, remedy: string): Limit => ({
    ...{ name, used, remedy },
    seconds: planSeconds + sendSeconds * used,
  });
  const limits: [Limit, ...Limit[]] = [
    {
      name: 'planning',
      used: planSeconds / seconds,
      seconds: planSeconds + sendSeconds,
      remedy: 'create the delivery earlier and let it start at its time, or give it more time',
    },
    whileSending(
      'releasing shards, one at a time',
      (load.releasesPerSecond * costs.release_ms) / 1_000,
      'larger shards: SHARD_BLOCKS',
    ),
    whileSending(
      'the primary’s cores',
      load.primaryCores / postgresCores,
      replicas === 0 ? 'read targets from replicas: DATABASE_READ_URLS' : 'a larger machine for Postgres',
    ),
    whileSending(
      'reading targets over the network',
      load.readMbPerSecond / NETWORK_MB_PER_SECOND / Math.max(1, replicas),
      replicas === 0 ? 'replicas: DATABASE_READ_URLS' : 'more replicas',
    ),
    whileSending('partitions of a topic', load.partitionsUsed, 'machines with more cores for the engines'),
    whileSending('writing Postgres’ log', load.walMbPerSecond / WAL_MB_PER_SECOND, 'a faster disk for it'),
    ...question.pushServices.map(({ name, share, perSecond }) =>
      whileSending(
        `what ${name} takes`,
        (readers * share) / perSecond / sendSeconds,
        'more time: no number of engines makes a push service faster',
      ),
    ),
  ];
  return limits.sort((a, b) => b.used - a.used);
}

/** Of the limits that do not hold; null: it is done in the time. */
export function lateSeconds(limits: readonly Limit[]): number | null {
  const late = limits.filter(({ used }) => used > 1).map(({ seconds }) => seconds);
  return late.length === 0 ? null : Math.max(...late);
}
