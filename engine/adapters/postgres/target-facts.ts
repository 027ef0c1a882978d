import { BLOCK_SIZE } from '../../contract/bitmap.ts';
import type { AppId } from '../../contract/ids.ts';
import { pushServiceOf, pushServices } from '../../contract/push-service.ts';
import type { Sql } from './database.ts';

/** Who of a block came back or clicked most recently, first. */
export async function readMostActive(
  sql: Sql,
  appId: AppId,
  block: number,
): Promise<Uint32Array<ArrayBuffer>> {
  const [row] = await sql.query<{ seqs: number[] | null }>(
    `SELECT array_agg(seq ORDER BY greatest(last_seen_at, last_clicked_at) DESC, seq) AS seqs
     FROM subscription_activity WHERE app_id = $1 AND seq >= $2 AND seq < $3`,
    [appId, block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE],
  );
  return Uint32Array.from(row?.seqs ?? []);
}

/** The push service of each, as its index in `pushServices`; who was erased is left out. */
export async function readServices(
  sql: Sql,
  appId: AppId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.query<{ seq: number; host: string | null }>(
    `SELECT seq, lower(substring(endpoint from '^https://([^/:?#]+)')) AS host FROM subscriptions
     WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    [appId, seqs],
  );
  return new Map(rows.map(({ seq, host }) => [seq, pushServices.indexOf(pushServiceOf(host ?? ''))]));
}
