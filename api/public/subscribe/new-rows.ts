import { createHash } from 'node:crypto';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { ParsedSubscription } from './parse-subscription.ts';

/** Those that may not become a new row now, and in how many seconds they may. */
type Refused = ReadonlyMap<ParsedSubscription, number>;

const HASH_BYTES = 16;
const HOUR_SECONDS = 3_600;

/**
 * Counts new rows of an app by their client, and refuses those past the bound: anyone may subscribe endpoints
 * without a reader, and each costs every later delivery a message. The hour begins with the first of them. In
 * the caller's transaction, so that a row that is not stored is not counted, over all processes; the address is
 * stored as a hash, and for the hour alone.
 */
export async function refuseNewRows(
  sql: Sql,
  appId: AppId,
  items: readonly ParsedSubscription[],
  perHour: number,
): Promise<Refused> {
  const hashes = items.map(({ client }) => (client === undefined ? null : hashOf(appId, client)));
  const given = hashes.filter((hash) => hash !== null);
  const refused = new Map<ParsedSubscription, number>();
  if (given.length === 0) return refused;
  const rows = await sql.query<{ address: Buffer; allowed: number; wait: number }>(countStatement, [
    appId,
    given,
    perHour,
    HOUR_SECONDS,
  ]);
  const left = new Map(rows.map(({ address, ...row }) => [address.toString('hex'), { ...row }]));
  for (const [index, item] of items.entries()) {
    const hash = hashes[index] ?? null;
    const client = hash === null ? undefined : left.get(hash.toString('hex'));
    if (client === undefined) continue;
    client.allowed--;
    if (client.allowed < 0) refused.set(item, Math.max(1, client.wait));
  }
  return refused;
}

const hashOf = (appId: AppId, client: string): Buffer =>
  createHash('sha256').update(`${appId} ${client}`).digest().subarray(0, HASH_BYTES);

// In the order of the hashes: two transactions that count several wait for each other, and do not lock up.
const countStatement = `
  WITH given AS (
    SELECT address, count(*)::integer AS count FROM unnest($2::bytea[]) AS each (address) GROUP BY 1
  ), counted AS (
    INSERT INTO new_subscriptions AS kept (app_id, address, since, count)
    SELECT $1, address, now(), count FROM given ORDER BY address
    ON CONFLICT (app_id, address) DO UPDATE SET
      count = least($3, CASE WHEN kept.since > now() - make_interval(secs => $4) THEN kept.count ELSE 0 END) + excluded.count,
      since = CASE WHEN kept.since > now() - make_interval(secs => $4) THEN kept.since ELSE now() END
    RETURNING address, count, since
  )
  SELECT address, greatest(0, $3 - (counted.count - given.count))::integer AS allowed,
    ceil(extract(epoch FROM since - now()) + $4)::integer AS wait
  FROM counted JOIN given USING (address)`;
