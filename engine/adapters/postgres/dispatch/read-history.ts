import { type Bitmap, BLOCK_SIZE, bitsOf } from '../../../contract/bitmap.ts';
import {
  type BlockHistory,
  HALF_LIFE_DAYS,
  HISTORY_DAYS,
  MOST_HISTORY,
  weightAt,
} from '../../../contract/expected-clicks.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/** Postgres refuses a power that it cannot tell from 0. */
const MOST_HALVINGS = 1_000;

/**
 * What a subscription's clicks count for at a time. A reader who clicked before clicks were counted, or came
 * with an import, has clicked once.
 */
export const clicksAt = (time: string): string =>
  `CASE WHEN last_clicked_at IS NULL THEN 0 ELSE greatest(clicks, 1)
     * power(0.5::float8, least(${MOST_HALVINGS}, greatest(0, extract(epoch FROM ${time} - last_clicked_at)
       / ${HALF_LIFE_DAYS * 86_400}))::float8) END`;

/** Read for apps alone that a push service limits or throttles: other deliveries cost nothing more for it. */
export async function readHistory(sql: Sql, appId: AppId, block: number): Promise<BlockHistory> {
  const [readers] = await sql.query<{
    seqs: number[] | null;
    clicks: number[] | null;
    days: number[] | null;
  }>(
    `SELECT array_agg(seq ORDER BY active_at DESC, seq) AS seqs, array_agg(clicks ORDER BY active_at DESC, seq) AS clicks,
       array_agg((extract(epoch FROM now() - active_at) / 86400)::float8 ORDER BY active_at DESC, seq) AS days
     FROM (
       SELECT seq, greatest(last_seen_at, last_clicked_at) AS active_at, (${clicksAt('now()')})::float8 AS clicks
       FROM subscriptions WHERE app_id = $1 AND seq >= $2 AND seq < $3
     ) AS activity`,
    [appId, block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE],
  );
  const sent = await readSent(sql, appId, block);
  const seqs = Uint32Array.from(readers?.seqs ?? []);
  return {
    seqs,
    clicks: readers?.clicks ?? [],
    seen: (readers?.days ?? []).map(weightAt),
    sent: Float64Array.from(seqs, (seq) => sent[seq % BLOCK_SIZE] ?? 0),
  };
}

/** By the place in the block. Of a delivery that goes on, what was accepted up to now. */
async function readSent(sql: Sql, appId: AppId, block: number): Promise<Float64Array> {
  const rows = await sql.query<{ accepted: Bitmap; days: number }>(
    `SELECT accepted, (extract(epoch FROM now() - least(now(), slots_at)) / 86400)::float8 AS days
     FROM blocks WHERE app_id = $1 AND block = $2 AND slots_at > now() - make_interval(days => ${HISTORY_DAYS})
     ORDER BY slots_at DESC LIMIT ${MOST_HISTORY}`,
    [appId, block],
  );
  const sent = new Float64Array(BLOCK_SIZE);
  for (const { accepted, days } of rows)
    for (const place of bitsOf(accepted, 0)) sent[place] = (sent[place] as number) + weightAt(days);
  return sent;
}
