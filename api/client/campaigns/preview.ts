import { nextFirings } from '../../../engine/campaigns/rules/firings.ts';
import { firingAfter } from '../../../engine/campaigns/rules/recurring.ts';
import { instantsOfPlan } from '../../../engine/campaigns/rules/zoned.ts';
import type {
  AbTestPlan,
  FeedPlan,
  LocalTimePlan,
  RecurringPlan,
} from '../../../engine/contract/campaign.ts';
import { SHARE_PARTS } from '../../../engine/contract/share.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { timestamp } from '../../http/fields.ts';
import type { StoredApp } from '../apps/store.ts';
import { countByZone, type Readers } from './count-by-zone.ts';
import type { FeedForecast } from './feed-schema.ts';
import { readPlan } from './read-plan.ts';
import type { CampaignForecast, CampaignPreviewBody } from './schema.ts';

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
