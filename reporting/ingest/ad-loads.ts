import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { pluralOf } from '../../engine/contract/counted.ts';
import { type Activation, daysOf } from './activation.ts';
import { dayZoneOf, finalDaysOf, noteDays, sayLockedDays } from './days/ad-days.ts';
import { noteRestatement } from './days/restatements.ts';
import { someDays } from './days/some-days.ts';
import { lockLedger } from './lock-ledger.ts';
import { ownDaysOfLoad, supersede } from './supersede.ts';

/**
 * The ledger of ad statistics. ClickHouse has no transaction over several inserts, so what counts is decided
 * here. A *load* is the files of one import or one batch of the log; all its rows carry its id.
 *
 *   pending ──activate──► active        its rows appear, all at once
 *      └─────abandon────► abandoned     its rows never count; a sweep deletes them
 *
 * - Ids are given out under a lock, so that a smaller one is never seen later than a larger one: a reader
 *   that knows the largest knows them all.
 * - A restatement makes all rows of its (source, day of the source)s below its own id dead, in the transaction that
 *   makes it active. Loads registered after it, on the log or as a file, count on top of it.
 * - A load of the kind `rewrite`, which 0.2.0 made, is a restatement with the rows that counted before: it added no
 *   data.
 * - A load lives in `ad_loads`, its rows in ClickHouse. If its owner dies before `activate`, it stays pending and
 *   invisible: the same batch continues it, the next import of the same files abandons it and begins again, and a sweep
 *   abandons it after a day. After a death between commit and answer the same content is
 *   known. Of two at once, the second finds it active.
 */
export type LoadKind = 'append' | 'restate' | 'batch';

export interface NewLoad {
  readonly source: string;
  readonly kind: LoadKind;
  /** Of files: a SHA-256 over theirs and over how they are read; the id of a batch. */
  readonly content: string;
  /** Of an import. */
  readonly files?: readonly LoadFile[];
  /** Who imports: the account of the machine. */
  readonly madeBy?: string;
}

/** A file of an import: the SHA-256 of its bytes in hex, and the options that decide what its rows mean. */
export interface LoadFile {
  readonly content: string;
  readonly reading: string;
  readonly name?: string;
}

/** A file that counts already, as part of that load. */
export interface KnownFile {
  readonly content: string;
  /** Null: it came in before this was noted. */
  readonly reading: string | null;
  readonly load: number;
  readonly since: Date;
  /** Days of that load which were restated since: its rows of them no longer count. */
  readonly replacedDays: number;
}

export type Registration =
  | { readonly kind: 'registered'; readonly load: number }
  /** It counts already: nothing is to be done. */
  | { readonly kind: 'known'; readonly load: number; readonly since: Date };

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
    if (load.kind === 'append' && load.files !== undefined) {
      const [file] = await knownFiles(
        sql,
        load.source,
        load.files.map(({ content }) => content),
      );
      if (file !== undefined) return { kind: 'known', load: file.load, since: file.since };
      await abandonShared(sql, load.source, load.files);
    }
    const id = await insertLoad(sql, load);
    if (load.files !== undefined) await insertFiles(sql, id, load.files);
    return { kind: 'registered', load: id };
  });
}

const insertFiles = (sql: Sql, load: number, files: readonly LoadFile[]): Promise<unknown> =>
  sql.query(
    `INSERT INTO ad_load_files (content, load, reading, name) SELECT content, $1, reading, name
     FROM unnest($2::text[], $3::text[], $4::text[]) AS file (content, reading, name)`,
    [
      load,
      files.map(({ content }) => content),
      files.map(({ reading }) => reading),
      files.map(({ name }) => name ?? null),
    ],
  );

/** Of these bytes, what counts already from the source: each file once, by the last load that it is in. */
export const knownFiles = (sql: Sql, source: string, contents: readonly string[]): Promise<KnownFile[]> =>
  sql.query<KnownFile>(
    `SELECT DISTINCT ON (content) content, reading, load, since, (
       SELECT count(*)::int FROM ad_restated AS restated
       WHERE restated.source = $1 AND restated.day = ANY(days) AND load < restated.below
     ) AS "replacedDays" FROM (
       SELECT file.content, file.reading, load.id AS load, load.ended_at AS since, coalesce(load.own_days, load.days) AS days
       FROM ad_load_files AS file JOIN ad_loads AS load ON load.id = file.load
       WHERE file.content = ANY($2) AND load.source = $1 AND load.state = 'active'
       UNION ALL
       SELECT load.content, NULL, load.id, load.ended_at, coalesce(load.own_days, load.days) FROM ad_loads AS load
       WHERE load.content = ANY($2) AND load.source = $1 AND load.state = 'active'
         AND load.kind IN ('append', 'restate')
     ) AS known ORDER BY content, load DESC`,
    [source, contents],
  );

/** What an import says of how far its source's data is complete, where its rows are in already. */
export const noteCompleteUntil = (sql: Sql, source: string, completeUntil: Date): Promise<unknown> =>
  sql.query(
    `INSERT INTO ad_sources (source, complete_until) VALUES ($1, $2)
     ON CONFLICT (source) DO UPDATE SET reported_at = now(), complete_until = excluded.complete_until`,
    [source, completeUntil],
  );

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

/** Another import has one of these files too: without its owner it is abandoned. @throws LoadShared. */
async function abandonShared(sql: Sql, source: string, files: readonly LoadFile[]): Promise<void> {
  const pending = await sql.query<{ id: number; abandoned: boolean }>(
    `SELECT id, pg_try_advisory_xact_lock(hashtextextended('broadside ad load ' || source || ' ' || content, 0)) AS abandoned
     FROM ad_loads WHERE source = $1 AND state = 'pending'
       AND id IN (SELECT load FROM ad_load_files WHERE content = ANY($2))`,
    [source, files.map(({ content }) => content)],
  );
  if (pending.some(({ abandoned }) => !abandoned)) throw new LoadShared();
  for (const { id } of pending) await abandonLoad(sql, id);
}

/** Another process imports one of the same files. */
export class LoadShared extends Error {
  constructor() {
    super('another process is importing one of these files');
    this.name = 'LoadShared';
  }
}

async function insertLoad(sql: Sql, { source, kind, content, madeBy }: NewLoad): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO ad_loads (source, kind, content, made_by) VALUES ($1, $2, $3, $4) RETURNING id`,
    [source, kind, content, madeBy ?? null],
  );
  if (row === undefined) throw new Error('a load was registered without an id');
  return row.id;
}

/** Whether the load may still get rows: asked before each insert of a long import. */
export async function isPending(sql: Sql, load: number): Promise<boolean> {
  const rows = await sql.query(`SELECT 1 FROM ad_loads WHERE id = $1 AND state = 'pending'`, [load]);
  return rows.length === 1;
}

/** An import would change days that are final. */
export class DaysAreFinal extends Error {
  constructor(source: string, days: readonly string[]) {
    super(
      `nothing was done: ${someDays(days)} ${pluralOf(days.length, 'is', 'are')} final, and the files would change what ` +
        `${source} delivered for ${pluralOf(days.length, 'it', 'them')}. --change-final changes final days, as a restatement`,
    );
    this.name = 'DaysAreFinal';
  }
}

/**
 * Makes the load count, and the rows it restates not. Safe to repeat.
 * @returns false where it was abandoned meanwhile: its rows never count.
 * @throws DaysAreFinal, DaysNotOver, OtherDays or DaysMoved, and nothing happened.
 */
export function activateLoad(database: Database, activation: Activation): Promise<boolean> {
  return database.transaction(async (sql) => {
    await lockLedger(sql);
    const load = await markActive(sql, activation);
    if (load === undefined) return isActive(sql, activation.load);
    await changeDays(sql, activation, load);
    await sweepAgain(sql, activation, load.source);
    await noteSource(sql, activation, load);
    return true;
  });
}

interface Activated {
  readonly source: string;
  readonly kind: LoadKind;
}

async function changeDays(sql: Sql, activation: Activation, { source, kind }: Activated): Promise<void> {
  const { load, says, mayChangeFinal } = activation;
  const zone = await dayZoneOf(sql, source);
  const days = ownDaysOfLoad(zone, activation)?.map(({ day }) => day) ?? daysOf(activation);
  const final = await finalDaysOf(sql, source, days);
  if (final.length > 0 && kind !== 'batch' && mayChangeFinal !== true) throw new DaysAreFinal(source, final);
  const replaces = kind === 'restate';
  if (replaces || final.length > 0) await noteRestatement(sql, { load, source, zone, replaces, days });
  if (replaces) await supersede(sql, activation, { source, zone });
  await sql.query('UPDATE ad_loads SET own_days = $2 WHERE id = $1', [load, days]);
  await noteDays(sql, source, days);
  if (says != null) await sayLockedDays(sql, { source, days, state: says, by: 'import', load });
}

async function markActive(sql: Sql, activation: Activation) {
  const { load, rows, refused, completeUntil } = activation;
  const [found] = await sql.query<Activated>(
    `UPDATE ad_loads SET state = 'active', ended_at = now(), rows = $2, refused = $3, days = $4, complete_until = $5
     WHERE id = $1 AND state = 'pending' RETURNING source, kind`,
    [load, rows, refused, daysOf(activation), completeUntil],
  );
  return found;
}

async function isActive(sql: Sql, load: number): Promise<boolean> {
  return (await sql.query(`SELECT 1 FROM ad_loads WHERE id = $1 AND state = 'active'`, [load])).length === 1;
}

/** It ends after a restatement that began after it: its rows of these days are dead on arrival. */
const sweepAgain = (sql: Sql, { load, days }: Activation, source: string) =>
  sql.query(
    `UPDATE ad_restated SET cleaned_at = NULL, restated_at = now()
     WHERE source = $2 AND below > $1 AND (day = ANY($3::date[])
       OR (from_at IS NOT NULL AND (day + 1 = ANY($3::date[]) OR day - 1 = ANY($3::date[]))))`,
    [load, source, days],
  );

/** Days of a source that have rows which count. */
export async function daysWithRows(sql: Sql, source: string, days: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ day: string }>(
    `SELECT DISTINCT own.day::text AS day FROM ad_loads AS load, unnest(load.days) AS own (day)
     WHERE load.source = $1 AND load.state = 'active' AND load.rows > 0 AND own.day = ANY($2::date[])
       AND NOT EXISTS (SELECT FROM ad_restated AS restated
         WHERE restated.source = $1 AND restated.day = own.day AND load.id < restated.below)`,
    [source, days],
  );
  return rows.map(({ day }) => day).toSorted();
}

/**
 * Batches come in any order, so their time only moves forward. An import is an operator's statement, and may
 * correct an earlier one downwards.
 */
const noteSource = (sql: Sql, { completeUntil }: Activation, { source, kind }: Activated) =>
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
