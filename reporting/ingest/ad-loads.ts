import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';

/**
 * The ledger of ad statistics. ClickHouse has no transaction over several inserts, so what counts is decided
 * here. A *load* is one file of an import or one batch of the log; all its rows carry its id.
 *
 *   pending ──activate──► active        its rows appear, all at once
 *      └─────abandon────► abandoned     its rows never count; a sweep deletes them
 *
 * - Ids are given out under a lock, so that a smaller one is never seen later than a larger one: a reader
 *   that knows the largest knows them all.
 * - A restatement makes all rows of its (source, UTC day)s below its own id dead, in the transaction that
 *   makes it active. Loads registered after it, on the log or as a file, count on top of it.
 * - A rewriting (`ad-rewrites.ts`) is a restatement with the rows that counted before: it adds no data.
 * - A process that dies before `activate` leaves a pending load: the next import of the same content abandons it
 *   and begins again; a sweep abandons it after a day. After a death between commit and answer the same content is
 *   known. Of two at once, the second finds it active.
 */
export type LoadKind = 'append' | 'restate' | 'batch' | 'rewrite';

export interface NewLoad {
  readonly source: string;
  readonly kind: LoadKind;
  /** The SHA-256 of a file in hex; the id of a batch. */
  readonly content: string;
}

export type Registration =
  | { readonly kind: 'registered'; readonly load: number }
  /** It counts already: nothing is to be done. */
  | { readonly kind: 'known'; readonly load: number; readonly since: Date };

export const lockLedger = (sql: Sql): Promise<unknown> =>
  sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('broadside ad loads', 0))`);

/**
 * For files, the caller holds the session lock of the same content (`loadLockName`): a pending load of it has
 * no living owner then, and is abandoned. A pending load of a batch is continued: the same batch is the same
 * one insert, whose name ClickHouse knows.
 */
export function registerLoad(database: Database, load: NewLoad): Promise<Registration> {
  return database.transaction(async (sql) => {
    await lockLedger(sql);
    const [known] = await findActive(sql, load);
    if (known !== undefined) return { kind: 'known', load: known.id, since: known.ended_at };
    if (load.kind === 'batch') {
      const [pending] = await findPending(sql, load);
      if (pending !== undefined) return { kind: 'registered', load: pending.id };
    } else {
      await abandonPending(sql, load);
    }
    return { kind: 'registered', load: await insertLoad(sql, load) };
  });
}

export const loadLockName = ({ source, content }: NewLoad): string => `ad load ${source} ${content}`;

/** A restatement that another one, or late rows, followed since is no longer in effect: the same file restates it. */
const findActive = (sql: Sql, { source, kind, content }: NewLoad) =>
  sql.query<{ id: number; ended_at: Date }>(
    `SELECT id, ended_at FROM ad_loads AS load
     WHERE content = $1 AND source = $2 AND kind = $3 AND state = 'active' AND (kind <> 'restate' OR NOT EXISTS (
       SELECT FROM ad_loads AS later
       WHERE later.source = $2 AND later.state = 'active' AND later.kind <> 'rewrite' AND later.id > load.id
         AND later.days && load.days
     ))
     ORDER BY id DESC LIMIT 1`,
    [content, source, kind],
  );

const findPending = (sql: Sql, { source, kind, content }: NewLoad) =>
  sql.query<{ id: number }>(
    `SELECT id FROM ad_loads WHERE content = $1 AND source = $2 AND kind = $3 AND state = 'pending'
     ORDER BY id DESC LIMIT 1`,
    [content, source, kind],
  );

const abandonPending = (sql: Sql, { source, content }: NewLoad) =>
  sql.query(
    `UPDATE ad_loads SET state = 'abandoned', ended_at = now()
     WHERE content = $1 AND source = $2 AND kind <> 'batch' AND state = 'pending'`,
    [content, source],
  );

export const abandonPendingRewrites = (sql: Sql, source: string) =>
  sql.query(
    `UPDATE ad_loads SET state = 'abandoned', ended_at = now()
     WHERE source = $1 AND kind = 'rewrite' AND state = 'pending'`,
    [source],
  );

export async function insertLoad(sql: Sql, { source, kind, content }: NewLoad): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO ad_loads (source, kind, content) VALUES ($1, $2, $3) RETURNING id`,
    [source, kind, content],
  );
  if (row === undefined) throw new Error('a load was registered without an id');
  return row.id;
}

/** Whether the load may still get rows: asked before each insert of a long import. */
export async function isPending(sql: Sql, load: number): Promise<boolean> {
  const rows = await sql.query(`SELECT 1 FROM ad_loads WHERE id = $1 AND state = 'pending'`, [load]);
  return rows.length === 1;
}

export interface LoadTotals {
  readonly rows: number;
  readonly refused: number;
  /** UTC days `YYYY-MM-DD` that have rows. */
  readonly days: readonly string[];
}

export interface Activation extends LoadTotals {
  readonly load: number;
  readonly completeUntil: Date | null;
}

/**
 * Makes the load count, and the rows it restates not. Safe to repeat.
 * @returns false where it was abandoned meanwhile: its rows never count.
 */
export function activateLoad(database: Database, activation: Activation): Promise<boolean> {
  return database.transaction(async (sql) => {
    await lockLedger(sql);
    const load = await markActive(sql, activation);
    if (load === undefined) return isActive(sql, activation.load);
    if (load.kind === 'restate' || load.kind === 'rewrite') await supersede(sql, activation, load);
    await sweepAgain(sql, activation, load.source);
    if (load.kind !== 'rewrite') await noteSource(sql, activation, load);
    return true;
  });
}

async function markActive(sql: Sql, { load, rows, refused, days, completeUntil }: Activation) {
  const [found] = await sql.query<{ source: string; kind: LoadKind }>(
    `UPDATE ad_loads SET state = 'active', ended_at = now(), rows = $2, refused = $3, days = $4, complete_until = $5
     WHERE id = $1 AND state = 'pending' RETURNING source, kind`,
    [load, rows, refused, days, completeUntil],
  );
  return found;
}

async function isActive(sql: Sql, load: number): Promise<boolean> {
  return (await sql.query(`SELECT 1 FROM ad_loads WHERE id = $1 AND state = 'active'`, [load])).length === 1;
}

const supersede = (
  sql: Sql,
  { load, days }: Activation,
  { source, kind }: { readonly source: string; readonly kind: LoadKind },
) =>
  sql.query(
    `INSERT INTO ad_restated AS kept (source, day, below, rewritten) SELECT $2, unnest($3::date[]), $1, $4
     ON CONFLICT (day, source) DO UPDATE
       SET below = greatest(kept.below, excluded.below), rewritten = kept.rewritten AND excluded.rewritten,
         restated_at = now(), cleaned_at = NULL`,
    [load, source, days, kind === 'rewrite'],
  );

/** It ends after a restatement that began after it: its rows of these days are dead on arrival. */
const sweepAgain = (sql: Sql, { load, days }: Activation, source: string) =>
  sql.query(
    `UPDATE ad_restated SET cleaned_at = NULL, restated_at = now()
     WHERE source = $2 AND day = ANY($3::date[]) AND below > $1`,
    [load, source, days],
  );

/**
 * Batches come in any order, so their time only moves forward. An import is an operator's statement, and may
 * correct an earlier one downwards.
 */
const noteSource = (
  sql: Sql,
  { completeUntil }: Activation,
  { source, kind }: { readonly source: string; readonly kind: LoadKind },
) =>
  sql.query(
    `INSERT INTO ad_sources AS kept (source, complete_until) VALUES ($1, $2)
     ON CONFLICT (source) DO UPDATE SET reported_at = now(), complete_until =
       CASE WHEN $3 THEN greatest(kept.complete_until, excluded.complete_until)
         ELSE coalesce(excluded.complete_until, kept.complete_until) END`,
    [source, completeUntil, kind === 'batch'],
  );

/** Gives a load up that did not become active. Safe to repeat. */
export async function abandonLoad(sql: Sql, load: number): Promise<void> {
  await sql.query(
    `UPDATE ad_loads SET state = 'abandoned', ended_at = now() WHERE id = $1 AND state = 'pending'`,
    [load],
  );
}

/** Whose days this source means from now on, in rows that are there too: a name of the IANA database. */
export async function noteDayZone(sql: Sql, source: string, zone: string): Promise<void> {
  await sql.query(
    `INSERT INTO ad_sources (source, day_zone) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET day_zone = $2`,
    [source, zone],
  );
}
