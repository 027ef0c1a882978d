import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { lockedRows } from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { ofSecrets } from '../lookups.ts';

export interface SiteTime {
  readonly appId: AppId;
  /** Of the browser's secret: without one nothing is counted. */
  readonly secretHash: Buffer;
  readonly seconds: number;
}

/** A browser reports about once a day. A page that is left open and in view for longer is hardly read. */
export const MOST_SECONDS = 4 * 3_600;

/**
 * Adds the time that browsers say they were on the site. One that invents it adds at most what has passed since its last
 * report, or since it subscribed, and `MOST_SECONDS` a report.
 *
 * The sums are in `site_time_days`. If its owner dies, reports of the last second are lost.
 */
export async function countSiteTime(sql: Sql, reports: readonly SiteTime[]): Promise<void> {
  // In the order of the apps, as every batch of every process.
  const byApp = [...Map.groupBy(reports, ({ appId }) => appId)].sort(([a], [b]) => a - b);
  for (const [appId, ofApp] of byApp) {
    const seconds = new Map<string, number>();
    for (const { secretHash, seconds: given } of ofApp) seconds.set(secretHash.toString('hex'), given);
    await sql.query(countOfApp, [appId, [...seconds.keys()], JSON.stringify(Object.fromEntries(seconds))]);
  }
}

const hashes = `ARRAY(SELECT decode(hash, 'hex') FROM unnest($2::text[]) AS given (hash))`;
const passed = 'extract(epoch FROM now() - coalesce(site_time_at, created_at))::float8';
const countOfApp = `
  WITH reporting AS (
    ${lockedRows(`seq = ANY(ARRAY(SELECT seq FROM ${ofSecrets(hashes)})) AND status = 'subscribed'`, {
      columns: `seq, greatest(0, least(($3::jsonb ->> encode(secret_hash, 'hex'))::float8, ${MOST_SECONDS}, ${passed})) AS seconds`,
      lock: 'NO KEY UPDATE',
    })}
  ),
  counted AS (
    UPDATE subscriptions SET site_time_at = now() WHERE app_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM reporting))
  )
  INSERT INTO site_time_days AS kept (app_id, day, seconds)
  SELECT $1, (now() AT TIME ZONE 'UTC')::date, round(sum(seconds)) FROM reporting HAVING count(*) > 0
  ON CONFLICT (app_id, day) DO UPDATE SET seconds = kept.seconds + excluded.seconds`;
