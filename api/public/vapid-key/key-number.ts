import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

/** Of a row of `apps`, as a JSON object: the active pair, and one that is retiring, but none that was ended. */
export const usableKeyNumbers = `(
  SELECT json_object_agg(public_key, number) FROM (
    SELECT apps.vapid_public_key, apps.vapid_key_number
    UNION ALL SELECT public_key, number FROM vapid_keys WHERE app_id = apps.id AND state = 'retiring'
  ) AS usable (public_key, number)
)`;

/**
 * The app's key pair that the page subscribed with; null where it does not say. A key that the cached app lacks
 * is looked up again: another process may have given the page a newer one.
 */
export async function keyNumberOf(
  sql: Sql,
  app: { readonly id: AppId; readonly keyNumbers: Readonly<Record<string, number>> },
  vapidKey: string | undefined,
): Promise<number | null | 'unknown'> {
  if (vapidKey === undefined) return null;
  const key = vapidKey.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (Object.hasOwn(app.keyNumbers, key)) return app.keyNumbers[key] ?? 'unknown';
  const [row] = await sql.query<{ keys: Record<string, number> }>(
    `SELECT ${usableKeyNumbers} AS keys FROM apps WHERE id = $1`,
    [app.id],
  );
  return row !== undefined && Object.hasOwn(row.keys, key) ? (row.keys[key] ?? 'unknown') : 'unknown';
}
