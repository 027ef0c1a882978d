import { randomUUID } from 'node:crypto';
import { eachStep } from '../../contract/concurrency/each-step.ts';
import type { Log, NewRecord } from '../../contract/log.ts';
import { RecordsRefused } from '../../contract/records-refused.ts';
import { isPlanTopic, type Topic, type TopicValue, topics } from '../../contract/topics.ts';
import type { Traceparent } from '../../contract/trace-context.ts';
import { mayNameBatch } from './backup/hold-outcomes.ts';
import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * Moves outbox rows to the log. A row is deleted in the transaction that publishes it, after the log has
 * acknowledged: stopping between the two publishes it again, which every reader is prepared for. Any
 * number of relays may run; rows one of them holds are skipped by the others. A topic that fails keeps none of the others.
 *
 * A row that the log refuses for what it is, such as one larger than its topic takes, is set aside, and those behind it go
 * on: its topic is `refused.…` then, until `putBackRefused` lets it be tried again. No two rows of a key depend on their
 * order. A batch of outcomes is set aside whole: its name was published before, perhaps, so it cannot be divided.
 */
export interface RelayOptions {
  /** The topics this process relays. */
  readonly topics: readonly Topic[];
  /** Outcome rows (one per block) in one batch, which becomes one insert into ClickHouse. */
  readonly outcomesPerBatch: number;
  /** A batch is made with fewer rows once the oldest has waited this long. */
  readonly outcomesDelayMs: number;
  /** Rows were set aside; the error says how to fix it. */
  readonly onRefused?: (topic: Topic, rows: number, error: RecordsRefused) => void;
}

type Publishes = Pick<Log, 'publish'>;

const ROWS_PER_PUBLISH = 200;
const REFUSED = 'refused.';
const refusedTopic = (topic: Topic): string => `${REFUSED}${topic}`;
/** SQL: of rows of the outbox. */
const isRefused = `topic LIKE '${REFUSED}%'`;

/** @returns a step that resolves to how many rows it moved; rejects when Postgres or the log is unavailable. */
export function createRelayStep(
  database: Database,
  log: Publishes,
  options: RelayOptions,
): () => Promise<number> {
  let { outcomesPerBatch } = options;

  function noteRefused(topic: Topic, rows: number, error: RecordsRefused): void {
    // Smaller ones may fit where a whole batch does not.
    if (topic === 'outcomes')
      outcomesPerBatch = Math.max(1, Math.floor(Math.min(outcomesPerBatch, rows) / 2));
    options.onRefused?.(topic, rows, error);
  }
  async function relay(topic: Topic): Promise<number> {
    if (topic !== 'outcomes') return relayPlain(database, log, topic, noteRefused);
    await nameBatch(database, outcomesPerBatch, options.outcomesDelayMs);
    return relayBatch(database, log, noteRefused);
  }
  return async function relayStep() {
    const waiting = await findTopics(database, options.topics);
    return eachStep(waiting.map((topic) => () => relay(topic)));
  };
}

type NoteRefused = (topic: Topic, rows: number, error: RecordsRefused) => void;

/**
 * Those that have rows, in the given order. Every engine looks several times a second, mostly at an empty outbox: one
 * statement then, where a transaction for each topic kept a primary busy with nothing but its engines.
 */
async function findTopics(database: Database, topics: readonly Topic[]): Promise<Topic[]> {
  const rows = await database.query<{ topic: Topic }>(
    `SELECT topic FROM unnest($1::text[]) WITH ORDINALITY AS wanted (topic, place)
     WHERE EXISTS (SELECT FROM outbox WHERE outbox.topic = wanted.topic) ORDER BY place`,
    [topics],
  );
  return rows.map(({ topic }) => topic);
}

interface PlainRow {
  readonly id: number;
  readonly key: string;
  readonly value: TopicValue<Topic>;
}

function relayPlain(
  database: Database,
  log: Publishes,
  topic: Topic,
  noteRefused: NoteRefused,
): Promise<number> {
  return database.transaction(async (sql) => {
    const rows = await sql.query<PlainRow>(
      `SELECT id, key, value FROM outbox WHERE topic = $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [topic, ROWS_PER_PUBLISH],
    );
    if (rows.length === 0) return 0;
    const error = await publish(log, topic, rows);
    const refused = new Set(error?.indexes);
    const untried = new Set(error?.untried);
    const moved = rows.filter((_, index) => !(refused.has(index) || untried.has(index)));
    await sql.query(`DELETE FROM outbox WHERE id = ANY($1::bigint[])`, [moved.map(({ id }) => id)]);
    if (isPlanTopic(topic))
      await markQueued(
        sql,
        moved.map(({ key }) => Number(key)),
      );
    if (error !== null && refused.size > 0) {
      await setAside(
        sql,
        topic,
        rows.filter((_, index) => refused.has(index)),
      );
      noteRefused(topic, refused.size, error);
    }
    return moved.length + refused.size;
  });
}

/** @returns what was refused of them; null: nothing was. */
async function publish<T extends Topic>(
  log: Publishes,
  topic: T,
  rows: readonly NewRecord<T>[],
): Promise<RecordsRefused | null> {
  try {
    await log.publish(topic, rows);
    return null;
  } catch (error) {
    if (error instanceof RecordsRefused) return error;
    throw error;
  }
}

/** What is written again for the same key, as a shard that nobody ran, takes the place of the row before. */
async function setAside(sql: Sql, topic: Topic, rows: readonly PlainRow[]): Promise<void> {
  await sql.query(`DELETE FROM outbox WHERE topic = $1 AND key = ANY($2)`, [
    refusedTopic(topic),
    rows.map(({ key }) => key),
  ]);
  await sql.query(`UPDATE outbox SET topic = $1, created_at = now() WHERE id = ANY($2::bigint[])`, [
    refusedTopic(topic),
    rows.map(({ id }) => id),
  ]);
}

/** Of a topic, in one turn: each may cost two requests, and new ones wait behind them. */
const MOST_PUT_BACK = 200;

/**
 * Those that were refused this long ago are tried again, the oldest first: somebody may have changed a setting. A batch of
 * outcomes goes back whole.
 * @returns how many rows.
 */
export async function putBackRefused(database: Database, afterMs: number): Promise<number> {
  const rows = await database.query(
    `WITH apart AS (
       SELECT topic, coalesce(batch_id::text, id::text) AS unit, min(created_at) AS since FROM outbox
       WHERE topic = ANY($1) AND created_at < now() - make_interval(secs => $2 / 1000.0) GROUP BY 1, 2
     ), ranked AS (
       SELECT topic, unit, row_number() OVER (PARTITION BY topic ORDER BY since, unit) AS place FROM apart
     )
     UPDATE outbox SET topic = substr(outbox.topic, ${REFUSED.length + 1}), created_at = now() FROM ranked
     WHERE place <= $3 AND outbox.topic = ranked.topic AND coalesce(batch_id::text, id::text) = unit
     RETURNING 1`,
    [topics.map(refusedTopic), afterMs, MOST_PUT_BACK],
  );
  return rows.length;
}

async function markQueued(sql: Sql, deliveryIds: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE deliveries SET status = 'queued', queued_at = now(), updated_at = now()
     WHERE id = ANY($1::bigint[]) AND status = 'pending'`,
    [deliveryIds],
  );
}

/**
 * Gives the oldest unnamed outcome rows a common name. The name is committed before anything is published:
 * every process that publishes the batch, however often, publishes the same rows under it, so ClickHouse
 * recognizes a repetition. While a backup is being taken, none gets a name.
 */
async function nameBatch(database: Database, most: number, delayMs: number): Promise<void> {
  await database.query(
    `WITH next AS (
       SELECT id, created_at FROM outbox WHERE topic = 'outcomes' AND batch_id IS NULL
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE outbox SET batch_id = $1 WHERE id IN (SELECT id FROM next) AND ${mayNameBatch}
       AND ((SELECT count(*) FROM next) >= $2
         OR (SELECT min(created_at) FROM next) < now() - make_interval(secs => $3 / 1000.0))`,
    [randomUUID(), most, delayMs],
  );
}

interface BatchRow {
  readonly id: number;
  readonly packed: Buffer;
  readonly traceparent: Traceparent | null;
  readonly welcome: boolean | null;
}

function relayBatch(database: Database, log: Publishes, noteRefused: NoteRefused): Promise<number> {
  return database.transaction(async (sql) => {
    const batchId = await lockBatch(sql);
    if (batchId === null) return 0;
    const rows = await sql.query<BatchRow>(
      `SELECT id, packed, value->>'traceparent' AS traceparent, (value->>'welcome')::boolean AS welcome
       FROM outbox WHERE batch_id = $1 AND topic = 'outcomes' ORDER BY id`,
      [batchId],
    );
    if (rows.length === 0) return 0;
    const blocks = rows.map(({ packed }) => packed.toString('base64'));
    const error = await publish(log, 'outcomes', [
      { key: batchId, value: { batch_id: batchId, blocks, ...welcomesOf(rows), ...tracesOf(rows) } },
    ]);
    if (error === null) await sql.query(`DELETE FROM outbox WHERE batch_id = $1`, [batchId]);
    else {
      await sql.query(`UPDATE outbox SET topic = $2, created_at = now() WHERE batch_id = $1`, [
        batchId,
        refusedTopic('outcomes'),
      ]);
      noteRefused('outcomes', rows.length, error);
    }
    return rows.length;
  });
}

function welcomesOf(rows: readonly BatchRow[]): Pick<TopicValue<'outcomes'>, 'welcomes'> {
  const welcomes = rows.flatMap(({ welcome }, index) => (welcome ? [index] : []));
  return welcomes.length === 0 ? {} : { welcomes };
}

function tracesOf(rows: readonly BatchRow[]): Pick<TopicValue<'outcomes'>, 'traceparents'> {
  const traceparents = new Set(rows.map(({ traceparent }) => traceparent).filter((one) => one !== null));
  return traceparents.size === 0 ? {} : { traceparents: [...traceparents] };
}

/** A batch is held by a lock on its name, not on its rows: all of its rows go together. */
async function lockBatch(sql: Sql): Promise<string | null> {
  const names = await sql.query<{ batch_id: string }>(
    `SELECT batch_id FROM outbox WHERE batch_id IS NOT NULL AND topic = 'outcomes' GROUP BY batch_id ORDER BY min(id) LIMIT 16`,
  );
  for (const { batch_id } of names) {
    const [lock] = await sql.query<{ held: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('outbox-batch ' || $1, 0)) AS held`,
      [batch_id],
    );
    if (lock?.held) return batch_id;
  }
  return null;
}

/** Age of the oldest row that is not set aside, in seconds; 0: there is none. */
export async function readOutboxAge(database: Database): Promise<number> {
  const [row] = await database.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM now() - created_at), 0)::float8 AS age
     FROM outbox WHERE NOT ${isRefused} ORDER BY id LIMIT 1`,
  );
  return row?.age ?? 0;
}

/** Rows that are not on the log yet. */
export async function countOutboxRows(database: Database): Promise<number> {
  const [row] = await database.query<{ rows: number }>('SELECT count(*)::int AS rows FROM outbox');
  return row?.rows ?? 0;
}

/** Rows that the log refused and that wait to be tried again. */
export async function countRefusedRows(database: Database): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    'SELECT count(*)::int AS rows FROM outbox WHERE topic = ANY($1)',
    [topics.map(refusedTopic)],
  );
  return row?.rows ?? 0;
}
