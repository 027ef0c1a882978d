import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

/**
 * Call it in the transaction that deletes subscriptions: an engine loop then makes their rows in ClickHouse
 * anonymous, whatever crashes meanwhile. Calling it twice does no harm.
 * A deleted subscription lives in `forgotten_subscriptions`. If its owner dies, any engine anonymizes its rows in
 * ClickHouse; doing it twice changes nothing.
 */
export async function forgetSubscriptions(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `INSERT INTO forgotten_subscriptions (app_id, seq) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING`,
    [appId, seqs],
  );
}
