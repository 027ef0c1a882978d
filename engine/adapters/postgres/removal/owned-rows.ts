import type { AppId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/**
 * The tables that an app owns, in the order of removal: references go before their target. Shards first,
 * because no engine can write a block without its shard. Every table with a column `app_id` is here or among
 * the kept ones; a test checks it.
 */
export const ownedTables = [
  'shards',
  'approvals',
  'deliveries',
  'feed_keys',
  'feed_items',
  'campaigns',
  'blocks',
  'test_browsers',
  'reader_wishes',
  'welcomes',
  'welcome_templates',
  'prompts',
  'prompt_counts',
  'subscriptions',
  // Triggers on subscriptions and shards write these: their rows go when the triggers no longer fire.
  'unfolded_facets',
  'subscription_facets',
  'subscription_activity',
  'subscription_tags',
  'block_counts',
  'accepted_endpoints',
  'failing_endpoints',
  'new_subscriptions',
  'subscriber_days',
  'permission_days',
  'site_time_days',
  'release_turns',
  'push_service_standings',
  'push_service_minutes',
  'subscription_prunings',
  'forgotten_subscriptions',
  'erasures',
  'erasure_parts',
  'idempotency_keys',
  'drafts',
  'segments',
  'delivery_categories',
  'analytics_cache',
  'alerts',
  'webhook_cursors',
  'webhook_messages',
  'vapid_keys',
  'app_grants',
  'app_images',
] as const;
type OwnedTable = (typeof ownedTables)[number];

/** Tables that mention an app and outlive it. */
export const keptTables = ['audit_log', 'removed_apps'] as const;

/** Whose rows are the app's: found through an index, however large the table. */
const conditions: Readonly<Partial<Record<OwnedTable, string>>> = {
  shards: 'delivery_id IN (SELECT id FROM deliveries WHERE app_id = $1)',
};
const conditionOf = (table: OwnedTable): string => conditions[table] ?? 'app_id = $1';

export interface OwnedRows {
  readonly deleted: number;
  /** Some are left: past the limit, or locked at this moment. */
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
    // A row's ctid is unique within one partition only: the condition keeps to that of the app.
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
