import { audiencePredicate, type ReachMaps } from '../../../engine/adapters/postgres/deliveries/audience.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { nextFirings } from '../../../engine/campaigns/rules/firings.ts';
import { firingAfter } from '../../../engine/campaigns/rules/recurring.ts';
import { instantsOfPlan } from '../../../engine/campaigns/rules/zoned.ts';
import { parseRules } from '../../../engine/contract/audience.ts';
import type {
  AbTestPlan,
  FeedPlan,
  LocalTimePlan,
  RecurringPlan,
} from '../../../engine/contract/campaign.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { SHARE_PARTS } from '../../../engine/contract/share.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { timestamp } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import type { RunQuery } from '../../reads/reads.ts';
import type { StoredApp } from '../apps/store.ts';
import { readReaches } from '../segments/preview.ts';
import { missingReferences } from '../segments/references.ts';
import { audienceNow, findSegment } from '../segments/store.ts';
import type { FeedForecast } from './feed-schema.ts';
import { readPlan } from './read-plan.ts';
import type { CampaignForecast, CampaignPreviewBody } from './schema.ts';

interface Readers {
  readonly query: RunQuery;
  readonly analytics: AnalyticsPort;
}

export type Previewed =
  | { readonly kind: 'forecast'; readonly forecast: CampaignForecast }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

const SHOWN_FIRINGS = 5;

/** What a campaign with this plan would create, and for how many, if it were created now. */
export async function previewCampaign(
  readers: Readers,
  app: StoredApp,
  body: CampaignPreviewBody,
  now: Date,
  feed: FeedForecast | null,
): Promise<Previewed> {
  const read = readPlan(body.plan, body.variants ?? 2, app.time_zone, now, '');
  if (read.kind === 'refused') return read;
  const counted = await countByZone(readers, app, body);
  if (counted.kind === 'refused') return counted;
  const total = [...counted.zones.values()].reduce((sum, count) => sum + count, 0);
  const { plan, firstStepAt } = read;
  const steps = (): CampaignForecast['steps'] => {
    switch (plan.kind) {
      case 'ab_test':
        return stepsOfTest(plan, body.variants ?? 2, firstStepAt, total);
      case 'recurring':
        return stepsOfSchedule(plan, now, total);
      case 'feed':
        return stepsOfFeed(plan, now, total);
      case 'local_time':
      case 'quiet_hours':
        return stepsOfZones(plan, counted.zones, now);
    }
  };
  return { kind: 'forecast', forecast: { readers: total, steps: steps(), feed } };
}

function stepsOfTest(
  { testParts, decideBy, decideAfterMinutes }: AbTestPlan,
  variants: number,
  startsAt: Date,
  total: number,
): CampaignForecast['steps'] {
  const tested = (total * testParts) / SHARE_PARTS;
  const decidesAt = new Date(startsAt.getTime() + decideAfterMinutes * 60_000);
  const rest = Math.round(total - tested);
  return [
    ...Array.from({ length: variants }, (_, index) => ({
      at: timestamp(startsAt),
      role: `variant-${index + 1}`,
      readers: Math.round(tested / variants),
      time_zones: [],
    })),
    ...(decideBy === 'never' || rest === 0
      ? []
      : [
          {
            at: decideBy === 'clicks' ? timestamp(decidesAt) : null,
            role: 'winner',
            readers: rest,
            time_zones: [],
          },
        ]),
  ];
}

function stepsOfSchedule(plan: RecurringPlan, now: Date, total: number): CampaignForecast['steps'] {
  if (plan.zone !== 'reader') {
    const schedule = {
      cron: plan.cron,
      zone: plan.zone,
      from: plan.from === null ? null : new Date(plan.from),
      until: plan.until === null ? null : new Date(plan.until),
    };
    return nextFirings(schedule, now, SHOWN_FIRINGS).map((at) => stepAt(at, 'run', total, []));
  }
  const steps: CampaignForecast['steps'] = [];
  let after = now;
  while (steps.length < SHOWN_FIRINGS) {
    const next = firingAfter({ ...plan, graceMinutes: 0 }, after, now);
    if (next === null) break;
    steps.push(stepAt(next.stepAt, 'run', total, []));
    after = next.firing;
  }
  return steps;
}

/** Items come when they come; a digest has its times. */
const stepsOfFeed = ({ digest }: FeedPlan, now: Date, total: number): CampaignForecast['steps'] =>
  digest === null
    ? []
    : nextFirings({ ...digest, from: null, until: null }, now, SHOWN_FIRINGS).map((at) =>
        stepAt(at, 'summary', total, []),
      );

/** Zones without readers make no delivery. */
function stepsOfZones(
  plan: LocalTimePlan | Parameters<typeof instantsOfPlan>[0],
  zones: ReadonlyMap<string, number>,
  now: Date,
): CampaignForecast['steps'] {
  const steps = new Map<number, { readers: number; zones: string[] }>();
  for (const instant of instantsOfPlan(plan)) {
    const atMs = Math.max(instant.at.getTime(), now.getTime());
    const step = steps.get(atMs) ?? { readers: 0, zones: [] };
    for (const zone of instant.zones) {
      const readers = zones.get(zone) ?? 0;
      if (readers === 0) continue;
      step.readers += readers;
      step.zones.push(zone);
    }
    if (step.readers > 0) steps.set(atMs, step);
  }
  return [...steps].map(([atMs, step]) => stepAt(new Date(atMs), 'zones', step.readers, step.zones));
}

const stepAt = (at: Date, role: string, readers: number, zones: string[]) => ({
  at: timestamp(at),
  role,
  readers,
  time_zones: zones,
});

type CountedByZone =
  | { readonly kind: 'zones'; readonly zones: ReadonlyMap<string, number> }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** Subscribed readers of the audience by their zone; those without one are in the app's. */
async function countByZone(
  { query, analytics }: Readers,
  app: StoredApp,
  body: CampaignPreviewBody,
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
