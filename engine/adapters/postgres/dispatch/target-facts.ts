import { BLOCK_SIZE } from '../../../contract/bitmap.ts';
import type { AppId } from '../../../contract/ids.ts';
import { pushServiceOf, pushServices } from '../../../contract/push-service.ts';
import type { Sql } from '../sql.ts';

/**
 * The subscriptions of a block that came back or clicked most recently, first.
 * @param sinceMs milliseconds since 1970, or minus infinity.
 */
export async function readMostActive(
  sql: Sql,
  appId: AppId,
  block: number,
  sinceMs: number,
): Promise<{ readonly order: Uint32Array<ArrayBuffer>; readonly since: number }> {
  const [row] = await sql.query<{ seqs: number[] | null; since: number }>(
    `SELECT array_agg(seq ORDER BY active_at DESC, seq) AS seqs,
       count(*) FILTER (WHERE active_at >= to_timestamp($4::float8 / 1000))::integer AS since
     FROM (
       SELECT seq, greatest(last_seen_at, last_clicked_at) AS active_at
       FROM subscription_activity WHERE app_id = $1 AND seq >= $2 AND seq < $3
     ) AS activity`,
    [appId, block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE, sinceMs],
  );
  return { order: Uint32Array.from(row?.seqs ?? []), since: row?.since ?? 0 };
}

/** The push service of each, as its index in `pushServices`; erased subscriptions are left out. */
export async function readServices(
  sql: Sql,
  appId: AppId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.query<{ seq: number; host: string | null }>(
    `SELECT seq, lower(substring(endpoint from '^https://([^/:?#]+)') COLLATE "C") AS host FROM subscriptions
     WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    [appId, seqs],
  );
  return new Map(rows.map(({ seq, host }) => [seq, pushServices.indexOf(pushServiceOf(host ?? ''))]));
}
