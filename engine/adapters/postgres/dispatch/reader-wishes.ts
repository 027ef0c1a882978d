import { BLOCK_SIZE, emptyBitmap } from '../../../contract/bitmap.ts';
import { type BlockWishes, blockWishesOf, type WishingReader } from '../../../contract/reader-wishes.ts';
import type { LeasedShard } from '../../../contract/shard.ts';
import type { Sql } from '../sql.ts';

const noWishes: BlockWishes = Object.freeze({ silent: emptyBitmap(), caps: [] });

/**
 * The wishes of a block's readers: one range of the key, and that only where the app has any. One that is saved after
 * this read holds from the next block on that is fixed for the reader.
 */
export async function readBlockWishes(
  sql: Sql,
  { appId, wishes }: LeasedShard,
  block: number,
): Promise<BlockWishes> {
  if (wishes === 'none') return noWishes;
  const rows = await sql.query<WishRow>(
    `SELECT seq, max_notifications, window_minutes, paused_until, quiet_from, quiet_to, now() AS now,
       CASE WHEN quiet_from IS NULL THEN 'UTC' ELSE coalesce((SELECT name FROM subscriptions JOIN time_zones ON time_zones.id = time_zone_id
         WHERE subscriptions.app_id = $1 AND subscriptions.seq = reader_wishes.seq),
         (SELECT time_zone FROM apps WHERE id = $1)) END AS zone
     FROM reader_wishes WHERE app_id = $1 AND seq >= $2 AND seq < $3`,
    [appId, block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE],
  );
  const now = rows[0]?.now;
  return now === undefined ? noWishes : blockWishesOf(rows.map(readerOf), wishes, now);
}

interface WishRow {
  readonly seq: number;
  readonly max_notifications: number | null;
  readonly window_minutes: number | null;
  readonly paused_until: Date | null;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly zone: string;
  /** The same in all rows: the clock of Postgres decides. */
  readonly now: Date;
}

const readerOf = (row: WishRow): WishingReader => ({
  seq: row.seq,
  fewer:
    row.max_notifications === null || row.window_minutes === null
      ? null
      : { maxNotifications: row.max_notifications, windowMinutes: row.window_minutes },
  pausedUntil: row.paused_until,
  quietHours:
    row.quiet_from === null || row.quiet_to === null ? null : { from: row.quiet_from, to: row.quiet_to },
  zone: row.zone,
});
