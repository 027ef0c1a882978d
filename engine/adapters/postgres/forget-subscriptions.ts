import type { AppId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/**
 * Whoever deletes subscriptions calls this in the same transaction: a loop of the engine then makes their
 * rows in ClickHouse anonymous, whatever crashes meanwhile. Calling it twice does no harm.
 */
export async function forgetSubscriptions(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `INSERT INTO forgotten_subscriptions (app_id, seq) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING`,
    [appId, seqs],
  );
}
