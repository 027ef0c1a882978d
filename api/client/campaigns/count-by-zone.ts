import { audiencePredicate, type ReachMaps } from '../../../engine/adapters/postgres/deliveries/audience.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { parseRules } from '../../../engine/contract/audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import type { RunQuery } from '../../reads/reads.ts';
import type { StoredApp } from '../apps/store.ts';
import { readReaches } from '../segments/preview.ts';
import { missingReferences } from '../segments/references.ts';
import { audienceNow, findSegment } from '../segments/store.ts';
import type { CampaignPreviewBody } from './schema.ts';

export interface Readers {
  readonly query: RunQuery;
  readonly analytics: AnalyticsPort;
}

export type AskedAudience = Pick<CampaignPreviewBody, 'segment_id' | 'delivery_category_id'>;

type CountedByZone =
  | { readonly kind: 'zones'; readonly zones: ReadonlyMap<string, number> }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** Subscribed readers of the audience by their zone; those without one are in the app's. */
export async function countByZone(
  { query, analytics }: Readers,
  app: StoredApp,
  body: AskedAudience,
): Promise<CountedByZone> {
  const { segment_id: segmentId, delivery_category_id: category } = body;
  const missing = await query((sql) => missingReferences(sql, app.id, body, 'none'));
  if (missing !== null) return { kind: 'refused', errors: missing };
  const segment = segmentId === undefined ? null : await query((sql) => findSegment(sql, app.id, segmentId));
  const rules = segment === null ? null : parseRules(segment.rules);
  const reaches = await readReaches({ query, analytics }, app.id, rules);
  const rows = await query((sql) =>
    countZones(sql, app, { rules, categoryId: category ?? null, zone: app.time_zone }, reaches),
  );
  const zones = new Map<string, number>();
  for (const { name, readers } of rows) {
    const zone = name ?? timeZoneOf(app.time_zone) ?? 'UTC';
    zones.set(zone, (zones.get(zone) ?? 0) + readers);
  }
  return { kind: 'zones', zones };
}

async function countZones(
  sql: Sql,
  { id }: { readonly id: AppId },
  asked: Parameters<typeof audienceNow>[2],
  reaches: ReachMaps,
): Promise<{ readonly name: string | null; readonly readers: number }[]> {
  const audience = await audienceNow(sql, id, asked);
  const matches = audience === null ? { text: 'TRUE', values: [] } : audiencePredicate(audience, 1, reaches);
  return sql.query(
    `SELECT (SELECT name FROM time_zones WHERE time_zones.id = time_zone_id) AS name, count(*)::int AS readers
     FROM subscriptions WHERE app_id = $1 AND status = 'subscribed' AND ${matches.text} GROUP BY time_zone_id`,
    [id, ...matches.values],
  );
}
