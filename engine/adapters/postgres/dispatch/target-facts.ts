import type { AppId } from '../../../contract/ids.ts';
import { pushServiceOf, pushServices } from '../../../contract/push-service.ts';
import type { Sql } from '../sql.ts';

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
