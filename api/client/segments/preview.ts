import type { ReachMaps } from '../../../engine/adapters/postgres/deliveries/audience.ts';
import { readAccepted } from '../../../engine/adapters/postgres/deliveries/reaches.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import {
  type AudienceRules,
  type NamedReach,
  namedReaches,
  reachKey,
} from '../../../engine/contract/audience.ts';
import type { Audience } from '../../../engine/contract/frozen-audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import type { RunQuery } from '../../reads/reads.ts';
import type { StoredApp } from '../apps/store.ts';
import { readRules } from './read-rules.ts';
import { missingCategory } from './references.ts';
import type { PreviewBody } from './schema.ts';
import { audienceNow, countAudience, knownCategories } from './store.ts';

export interface Count {
  readonly count: number;
  readonly chose_category: number | null;
}
export type Counted =
  | { readonly kind: 'counted'; readonly count: Count }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

interface Readers {
  readonly query: RunQuery;
  readonly analytics: AnalyticsPort;
}

/**
 * How many a delivery would go to now, before the frequency cap.
 * @throws AnalyticsAway where its rules name what browsers reported, and ClickHouse does not answer.
 */
export async function previewAudience(readers: Readers, app: StoredApp, body: PreviewBody): Promise<Counted> {
  const read = await readAudience(readers, app, body);
  if (read.kind === 'refused') return read;
  // Everybody: this count is kept with every change, while reading each of ten million takes seconds.
  if (read.audience === null)
    return { kind: 'counted', count: { count: app.active_subscriber_count, chose_category: null } };
  const { audience, reaches } = read;
  const { count, chose } = await readers.query((sql) => countAudience(sql, app.id, audience, reaches));
  return {
    kind: 'counted',
    count: { count, chose_category: body.delivery_category_id === undefined ? null : chose },
  };
}

export type AudienceRead =
  | { readonly kind: 'audience'; readonly audience: Audience | null; readonly reaches: ReachMaps }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** The audience that a delivery would have now. */
export async function readAudience(
  { query, analytics }: Readers,
  { id: appId, time_zone: zone }: StoredApp,
  body: PreviewBody,
): Promise<AudienceRead> {
  const categoryId = body.delivery_category_id ?? null;
  const read = await query((sql) => readBody(sql, appId, body));
  if (read.kind === 'refused') return read;
  const reaches = await readReaches({ query, analytics }, appId, read.rules);
  const audience = await query((sql) => audienceNow(sql, appId, { rules: read.rules, categoryId, zone }));
  return { kind: 'audience', audience, reaches };
}

type BodyRead =
  | { readonly kind: 'rules'; readonly rules: AudienceRules | null }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

async function readBody(sql: Sql, appId: AppId, body: PreviewBody): Promise<BodyRead> {
  const { delivery_category_id: categoryId, rules } = body;
  // Nothing hangs on it: no lock keeps it, as it does for a delivery.
  if (categoryId !== undefined && !(await knownCategories(sql, appId, [categoryId])).has(categoryId))
    return { kind: 'refused', errors: missingCategory };
  return rules === undefined ? { kind: 'rules', rules: null } : readRules(sql, appId, rules);
}

/** Whom deliveries reached until now; planning a delivery reads the same, and keeps it. */
export async function readReaches(
  { query, analytics }: Readers,
  appId: AppId,
  rules: AudienceRules | null,
): Promise<ReachMaps> {
  const read = async (named: NamedReach): Promise<Uint8Array> =>
    named.reach === 'accepted'
      ? query((sql) => readAccepted(sql, appId, named.deliveryId, false))
      : analytics.reacted(appId, named);
  const reaches = new Map<string, { first: number; bits: Uint8Array }>();
  for (const named of namedReaches(rules))
    reaches.set(reachKey(named), { first: 0, bits: await read(named) });
  return reaches;
}
