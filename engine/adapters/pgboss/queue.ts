import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { DeadLetter, LogRecord } from '../../contract/log.ts';
import { parseTopicValue, type Topic, topics } from '../../contract/topics.ts';
import type { PgBossSettings } from './options.ts';

/**
 * The statements of the log on pg-boss 12: one job a record, deleted as soon as it is done, so that the
 * table is as long as the lag and no longer.
 */
export interface Queue {
  insert(topic: Topic, records: readonly { readonly key: string; readonly value: unknown }[]): Promise<void>;
  /** Takes the oldest free records; they are this process's for `claimTimeoutMs` from now. */
  fetch<T extends Topic>(topic: T, most: number): Promise<Fetched<T>[]>;
  /** Which of these topics have unclaimed records: one short query for all of them. */
  waiting(topics: readonly Topic[]): Promise<Topic[]>;
  /** Renews the claims of the records. @returns how many of them are still claimed. */
  touch(topic: Topic, ids: readonly string[]): Promise<number>;
  remove(topic: Topic, ids: readonly string[]): Promise<void>;
  /** Free again, at once, with this many attempts counted. */
  putBack(topic: Topic, ids: readonly string[], charged: number): Promise<void>;
  /** Copies the record to the dead letters and removes it: safe to repeat. */
  bury(topic: Topic, letter: DeadLetter): Promise<void>;
  count(topic: Topic): Promise<number>;
  deadLetters(topic: Topic, limit: number): Promise<DeadLetter[]>;
  /** Whether a claim ran out: its process died, or hangs. One short query. */
  hasLostClaim(): Promise<boolean>;
  /**
   * Where Postgres' clock was set back: what was written before has times that are to come, so nobody would fetch it,
   * and no claim of a dead process would run out. Nothing else has such times. @returns how many it sets to now.
   */
  followClock(): Promise<number>;
  /** Frees records whose claim ran out, and pg-boss's own upkeep. */
  supervise(): Promise<void>;
  ping(): Promise<void>;
  stop(): Promise<void>;
}

export type Fetched<T extends Topic> =
  | { readonly kind: 'record'; readonly record: LogRecord<T> }
  | { readonly kind: 'unreadable'; readonly id: string; readonly key: string; readonly value: unknown };

/** Jobs in one INSERT. */
const MAX_INSERT = 5_000;
const MAX_JOB_ATTEMPTS = 1_000_000_000;
/** `pg-boss` deletes jobs that were not fetched within this time; 60 years is "never" in its 32 bits. */
const KEEP_SECONDS = 60 * 365 * 86_400;
/** The longest pg-boss allows; touches, not this, keep a claim. */
const MAX_CLAIM_SECONDS = 23 * 3_600;

const FLOW_SECONDS = 86_400;

const deadQueue = (topic: Topic): string => `${topic}.dead`;

/** Installs pg-boss's schema where it is missing. @throws Error when Postgres does not answer. */
export async function openQueue(settings: PgBossSettings): Promise<Queue> {
  const { schema } = settings;
  const boss = new PgBoss(bossOptions(settings));
  boss.on('error', (error) =>
    settings.logger('error', 'the log on Postgres met an error', { error: String(error) }),
  );
  boss.on('warning', ({ message }) => settings.logger('warn', message, {}));
  try {
    await boss.start();
    await createQueues(boss);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  const query = async (text: string, values: unknown[]) => (await boss.getDb().executeSql(text, values)).rows;

  return {
    insert: async (topic, records) => {
      for (let from = 0; from < records.length; from += MAX_INSERT) {
        const jobs = records.slice(from, from + MAX_INSERT).map(({ key, value }) => ({
          data: { key, value },
          // Below the 10 s that pg-boss requires in a queue's own setting; a job's own value is kept.
          heartbeatSeconds: settings.claimTimeoutMs / 1_000,
        }));
        await boss.insert(topic, jobs);
      }
    },
    fetch: async (topic, most) => {
      const jobs = await boss.fetch<JobData>(topic, { batchSize: most, includeMetadata: true });
      return jobs.sort((a, b) => +a.createdOn - +b.createdOn).map((job) => toFetched(topic, job));
    },
    waiting: async (names) => {
      const text = `SELECT topic FROM unnest($1::text[]) AS topic WHERE EXISTS (SELECT 1 FROM ${schema}.job
        WHERE name = topic AND state < 'active' AND NOT blocked AND start_after <= now())`;
      return (await query(text, [names])).map(({ topic }) => topic as Topic);
    },
    touch: async (topic, ids) => affected(await boss.touch(topic, [...ids])),
    remove: async (topic, ids) => void (await boss.deleteJob(topic, [...ids])),
    putBack: async (topic, ids, charged) => void (await boss.fail(topic, [...ids], { charged })),
    bury: async (topic, letter) => {
      await boss.insert(deadQueue(topic), [{ id: letter.id, data: letter }]);
      await boss.deleteJob(topic, letter.id);
    },
    count: async (topic) => {
      const text = `SELECT count(*)::int AS jobs FROM ${schema}.job WHERE name = $1 AND state < 'completed'`;
      return (await query(text, [topic]))[0]?.jobs ?? 0;
    },
    deadLetters: async (topic, limit) => {
      const text = `SELECT data FROM ${schema}.job WHERE name = $1 ORDER BY created_on DESC LIMIT $2`;
      return (await query(text, [deadQueue(topic), limit])).map(({ data }) => data as DeadLetter);
    },
    hasLostClaim: async () => {
      const text = `SELECT FROM ${schema}.job WHERE state = 'active'
        AND heartbeat_on + heartbeat_seconds * interval '1s' < now() LIMIT 1`;
      return (await query(text, [])).length > 0;
    },
    followClock: async () => {
      const text = `UPDATE ${schema}.job SET start_after = least(start_after, now()), heartbeat_on = least(heartbeat_on, now())
        WHERE (name = ANY ($1::text[]) AND state < 'active' AND start_after > now() + interval '1s')
          OR (state = 'active' AND heartbeat_on > now() + interval '1s') RETURNING id`;
      return (await query(text, [topics])).length;
    },
    supervise: () => boss.supervise(),
    ping: async () => void (await query('SELECT 1', [])),
    stop: () => boss.stop({ graceful: false }),
  };
}

function bossOptions(settings: PgBossSettings) {
  const { connection, schema, maxConnections, connectTimeoutMs, statementTimeoutMs } = settings;
  const database =
    'db' in connection
      ? connection
      : {
          connectionString: connection.url,
          ...connection.pool,
          max: maxConnections,
          connectionTimeoutMillis: connectTimeoutMs,
          // Passed on to pg: a server that silently vanished must not hold a statement forever.
          query_timeout: statementTimeoutMs,
        };
  return {
    ...database,
    schema,
    schedule: false,
    // By `log.ts`, when there is something to free: ten statements every few seconds otherwise.
    supervise: false,
    monitorIntervalSeconds: settings.checkEveryMs / 1_000,
    // Nothing here waits for another job.
    flowIntervalSeconds: FLOW_SECONDS,
  };
}

async function createQueues(boss: PgBoss): Promise<void> {
  const options = {
    // Attempts that count are ours (`charged`): pg-boss also counts claims that a crash ended.
    retryLimit: MAX_JOB_ATTEMPTS,
    retryDelay: 0,
    expireInSeconds: MAX_CLAIM_SECONDS,
    retentionSeconds: KEEP_SECONDS,
  };
  for (const topic of topics) {
    await boss.createQueue(topic, options);
    await boss.createQueue(deadQueue(topic), options);
  }
}

interface JobData {
  readonly key?: unknown;
  readonly value?: unknown;
}

function toFetched<T extends Topic>(topic: T, { id, data, output }: JobWithMetadata<JobData>): Fetched<T> {
  const key = typeof data?.key === 'string' ? data.key : '';
  const value = parseTopicValue(topic, data?.value);
  if (value === null) return { kind: 'unreadable', id, key, value: data?.value ?? data };
  return { kind: 'record', record: { id, key, value, attempt: chargedIn(output) + 1 } };
}

/** Written by `putBack` into the job. A claim that ran out leaves pg-boss's own text instead: 0. */
function chargedIn(output: object | null): number {
  const charged = output !== null && 'charged' in output ? Number(output.charged) : 0;
  return Number.isSafeInteger(charged) ? charged : 0;
}

function affected(response: object): number {
  return 'affected' in response ? Number(response.affected) : 0;
}
