import { BLOCK_SIZE, emptyBitmap } from '../../../contract/bitmap.ts';
import { type BlockWishes, blockWishesOf, type WishingReader } from '../../../contract/reader-wishes.ts';
import type { LeasedShard } from '../../../contract/shard.ts';
import type { Sql } from '../sql.ts';

const noWishes: BlockWishes = Object.freeze({ silent: emptyBitmap(), caps: [] });

/**
 * The wishes of a block's readers, as columns of a statement that is made anyway: one range of the key. In app $1,
 * from seq $2 up to, not including, $3. Null: nobody has any.
 */
const wishColumns = `now() AS now, (SELECT json_agg(json_build_object(
    'seq', seq, 'max_notifications', max_notifications, 'window_minutes', window_minutes,
    'paused', paused_until > now(), 'quiet_from', quiet_from, 'quiet_to', quiet_to,
    'zone', CASE WHEN quiet_from IS NULL THEN 'UTC' ELSE coalesce(
      (SELECT name FROM subscriptions JOIN time_zones ON time_zones.id = time_zone_id
       WHERE subscriptions.app_id = $1 AND subscriptions.seq = reader_wishes.seq),
      (SELECT time_zone FROM apps WHERE id = $1)) END))
  FROM reader_wishes WHERE app_id = $1 AND seq >= $2 AND seq < $3) AS wishes`;

/** Longest that a transaction may keep a block to itself between two statements. */
const MAX_SILENCE_MS = 10_000;

type Reading = Pick<LeasedShard, 'appId' | 'wishes'>;

/** One that is saved after this read holds from the next block on that is fixed for the reader. */
export async function readBlockWishes(sql: Sql, shard: Reading, block: number): Promise<BlockWishes> {
  if (shard.wishes === 'none') return noWishes;
  const [row] = await sql.query<WishesRow>(`SELECT ${wishColumns}`, rangeOf(shard, block));
  return wishesIn(row, shard);
}

/**
 * The block of an app to this transaction alone, and its readers' wishes as they were when it asked. A statement of its
 * own: the next one must see rows committed while this one waited. If an engine silently vanishes, even with its network,
 * Postgres ends the transaction, or the others would wait for hours.
 */
export async function lockBlock(sql: Sql, shard: Reading, block: number): Promise<BlockWishes> {
  const lock = (at: number): string =>
    `pg_advisory_xact_lock($1, $${at}), set_config('idle_in_transaction_session_timeout', '${MAX_SILENCE_MS}ms', true)`;
  if (shard.wishes === 'none') {
    await sql.query(`SELECT ${lock(2)}`, [shard.appId, block]);
    return noWishes;
  }
  const [row] = await sql.query<WishesRow>(`SELECT ${lock(4)}, ${wishColumns}`, [
    ...rangeOf(shard, block),
    block,
  ]);
  return wishesIn(row, shard);
}

const rangeOf = ({ appId }: Reading, block: number): number[] => [
  appId,
  block * BLOCK_SIZE,
  (block + 1) * BLOCK_SIZE,
];

interface WishesRow {
  readonly wishes: readonly WishRow[] | null;
  /** The clock of Postgres decides. */
  readonly now: Date;
}

interface WishRow {
  readonly seq: number;
  readonly max_notifications: number | null;
  readonly window_minutes: number | null;
  readonly paused: boolean | null;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly zone: string;
}

const wishesIn = (row: WishesRow | undefined, { wishes: heeded }: Reading): BlockWishes =>
  row === undefined || row.wishes === null
    ? noWishes
    : blockWishesOf(row.wishes.map(readerOf), heeded, row.now);

const readerOf = (row: WishRow): WishingReader => ({
  seq: row.seq,
  fewer:
    row.max_notifications === null || row.window_minutes === null
      ? null
      : { maxNotifications: row.max_notifications, windowMinutes: row.window_minutes },
  paused: row.paused === true,
  quietHours:
    row.quiet_from === null || row.quiet_to === null ? null : { from: row.quiet_from, to: row.quiet_to },
  zone: row.zone,
});
