import type { AppId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/**
 * What an app owns, in the order it is removed: what refers to something goes before it. Shards first, for
 * no engine can write a block without its shard. Every table with a column `app_id` is here or among the
 * kept ones; a test says so.
 */
export const ownedTables = [
  'shards',
  'deliveries',
  'blocks',
  'subscriptions',
  // Triggers on subscriptions and shards write these: what they left goes when they no longer can.
  'subscription_facets',
  'subscription_activity',
  'subscription_tags',
  'block_counts',
  'accepted_endpoints',
  'failing_endpoints',
  'new_subscriptions',
  'subscriber_days',
  'release_turns',
  'forgotten_subscriptions',
  'idempotency_keys',
  'segments',
  'delivery_categories',
  'analytics_cache',
  'vapid_keys',
] as const;
type OwnedTable = (typeof ownedTables)[number];

/** What tells of an app and outlives it. */
export const keptTables = ['audit_log', 'removed_apps'] as const;

/** Whose rows are the app's: found through an index, however large the table. */
const conditions: Readonly<Partial<Record<OwnedTable, string>>> = {
  shards: 'delivery_id IN (SELECT id FROM deliveries WHERE app_id = $1)',
};
const conditionOf = (table: OwnedTable): string => conditions[table] ?? 'app_id = $1';

export interface OwnedRows {
  readonly deleted: number;
  /** Some are left: past the limit, or held by somebody at this moment. */
  readonly left: boolean;
}

/** Deletes at most `limit` rows, table by table. Waits for no lock: an engine's last block ends undisturbed. */
export async function deleteOwnedRows(sql: Sql, appId: AppId, limit: number): Promise<OwnedRows> {
  let deleted = 0;
  for (const table of ownedTables) {
    deleted += await deleteSome(sql, table, appId, limit - deleted);
    if (await hasRows(sql, table, appId)) return { deleted, left: true };
  }
  return { deleted, left: false };
}

async function deleteSome(sql: Sql, table: OwnedTable, appId: AppId, limit: number): Promise<number> {
  const rows = await sql.query(
    // The place of a row is unique within one partition only: the condition keeps to that of the app.
    `DELETE FROM ${table} WHERE ${conditionOf(table)} AND ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} WHERE ${conditionOf(table)} LIMIT $2 FOR UPDATE SKIP LOCKED
     )) RETURNING 1`,
    [appId, limit],
  );
  return rows.length;
}

async function hasRows(sql: Sql, table: OwnedTable, appId: AppId): Promise<boolean> {
  return (
    (await sql.query(`SELECT 1 FROM ${table} WHERE ${conditionOf(table)} LIMIT 1`, [appId])).length === 1
  );
}
