import { BLOCK_SIZE, emptyBitmap } from '../../../contract/bitmap.ts';
import { type BlockWishes, blockWishesOf, type WishingReader } from '../../../contract/reader-wishes.ts';
import type { LeasedShard } from '../../../contract/shard.ts';
import { type Sql, silentForAtMost } from '../sql.ts';

const noWishes: BlockWishes = Object.freeze({ silent: emptyBitmap(), caps: [] });

/**
 * For how long one reading serves the next blocks of its shard. A block takes some 10 ms, so a shard is read once or
 * twice; a shard that is paced reads again for each block.
 */
const READING_MS = 1_000;
/** Blocks of one reading. */
const MOST_AHEAD = 32;
/** Shorter than of other transactions: every delivery of the app comes by this block. */
const BLOCK_SILENCE_MS = 10_000;

type Reading = Pick<LeasedShard, 'appId' | 'wishes' | 'blocks'>;

interface WishesRead {
  readonly atMs: number;
  readonly blocks: readonly number[];
  /** A block that is missing has none. */
  readonly found: ReadonlyMap<number, BlockWishes>;
}

/** Of a shard that one engine has leased. */
const lastReads = new WeakMap<Reading, WishesRead>();

/** The wishes of a block's readers, as they were within the last second. */
export async function readBlockWishes(
  sql: Sql,
  shard: Reading,
  block: number,
  now = () => performance.now(),
): Promise<BlockWishes> {
  if (shard.wishes === 'none') return noWishes;
  let last = lastReads.get(shard);
  if (last === undefined || !last.blocks.includes(block) || now() - last.atMs > READING_MS) {
    const atMs = now();
    const blocks = [block, ...shard.blocks.filter((one) => one > block)].slice(0, MOST_AHEAD);
    last = { atMs, blocks, found: await readWishes(sql, shard, blocks) };
    lastReads.set(shard, last);
  }
  return last.found.get(block) ?? noWishes;
}

/** A range of the key for each block. $1 app, $2 blocks. */
const wishesStatement = `SELECT now() AS now, block, json_agg(json_build_object(
    'seq', seq, 'max_notifications', max_notifications, 'window_minutes', window_minutes,
    'paused', paused_until > now(), 'quiet_from', quiet_from, 'quiet_to', quiet_to,
    'zone', CASE WHEN quiet_from IS NULL THEN 'UTC' ELSE coalesce(
      (SELECT name FROM subscriptions JOIN time_zones ON time_zones.id = time_zone_id
       WHERE subscriptions.app_id = $1 AND subscriptions.seq = reader_wishes.seq),
      (SELECT time_zone FROM apps WHERE id = $1)) END)) AS wishes
  FROM unnest($2::integer[]) AS block
  JOIN reader_wishes ON app_id = $1 AND seq >= block * ${BLOCK_SIZE} AND seq < (block + 1) * ${BLOCK_SIZE}
  GROUP BY block`;

async function readWishes(
  sql: Sql,
  { appId, wishes: heeded }: Reading,
  blocks: readonly number[],
): Promise<Map<number, BlockWishes>> {
  const rows = await sql.query<WishesRow>(wishesStatement, [appId, blocks]);
  return new Map(
    rows.map(({ block, wishes, now }) => [block, blockWishesOf(wishes.map(readerOf), heeded, now)]),
  );
}

/**
 * The block of an app to this transaction alone. A statement of its own: the next one must see rows committed while
 * this one waited. If the engine falls silent, Postgres ends the transaction.
 */
export async function lockBlock(sql: Sql, { appId }: Pick<Reading, 'appId'>, block: number): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock($1, $2), ${silentForAtMost(BLOCK_SILENCE_MS)}`, [
    appId,
    block,
  ]);
}

interface WishesRow {
  readonly block: number;
  readonly wishes: readonly WishRow[];
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
