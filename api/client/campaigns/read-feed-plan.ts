import { findScheduleFault } from '../../../engine/campaigns/rules/firings.ts';
import type { FeedPlan } from '../../../engine/contract/campaign.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { say } from '../../../engine/kit/http/explain-with.ts';
import { feedDefaults } from './feed-schema.ts';
import type { GivenPlan, PlanRead } from './plan-schema.ts';

export type GivenFeed = Extract<GivenPlan, { readonly kind: 'feed' }>;

const MAX_URL_LENGTH = 2_048;

/** @param imageBase our own address, where images are served. */
export function readFeedPlan(given: GivenFeed, appZone: string, now: Date, imageBase: string): PlanRead {
  const refused = (field: string, words: string): PlanRead => ({
    kind: 'refused',
    errors: say(`/plan/${field}`, words),
  });
  const url = new URL(given.url);
  if (url.href.length > MAX_URL_LENGTH)
    return refused('url', `must not have more than ${MAX_URL_LENGTH} characters`);
  if (url.username !== '' || url.password !== '') return refused('url', 'must not hold a name or a password');
  const zone = given.time_zone === undefined ? appZone : (timeZoneOf(given.time_zone) ?? appZone);
  const fault = given.schedule === undefined ? null : findScheduleFault(given.schedule, zone);
  if (fault !== null) return refused('schedule', fault);
  if (given.schedule === undefined && given.time_zone !== undefined)
    return refused('time_zone', 'must be left out where there is no schedule');
  return {
    kind: 'plan',
    plan: planOf({ ...given, url: url.href }, zone, imageBase),
    firstStepAt: now,
    progress: {},
  };
}

function planOf(given: GivenFeed, zone: string, imageBase: string): FeedPlan {
  const { mapping: { icon_url: _icon, item_icon: itemIcon, ...mapping } = {}, filter = {} } = given;
  return {
    kind: 'feed',
    url: given.url,
    everyMinutes: given.every_minutes ?? feedDefaults.everyMinutes,
    digest: given.schedule === undefined ? null : { cron: given.schedule, zone },
    mapping: { ...feedDefaults.mapping, ...mapping, ...(itemIcon === true ? { itemIcon } : {}) },
    filter: {
      categories: filter.categories ?? null,
      words: filter.words ?? null,
      without: filter.without ?? null,
    },
    publish: given.publish ?? feedDefaults.publish,
    perHour: given.max_per_hour ?? feedDefaults.perHour,
    overflow: given.overflow ?? feedDefaults.overflow,
    imageBase,
  };
}

/** As it was given, with the defaults that it took: fields that are not there were left out. */
export const feedPlanOf = (plan: FeedPlan): GivenFeed => ({
  kind: plan.kind,
  url: plan.url,
  every_minutes: plan.everyMinutes,
  ...(plan.digest === null ? {} : { schedule: plan.digest.cron, time_zone: plan.digest.zone }),
  mapping: mappingOf(plan),
  filter: {
    ...(plan.filter.categories === null ? {} : { categories: [...plan.filter.categories] }),
    ...(plan.filter.words === null ? {} : { words: [...plan.filter.words] }),
    ...(plan.filter.without === null ? {} : { without: [...plan.filter.without] }),
  },
  publish: plan.publish,
  max_per_hour: plan.perHour,
  overflow: plan.overflow,
});

const mappingOf = ({
  mapping: { iconUrl = null, itemIcon = false, ...mapping },
}: FeedPlan): NonNullable<GivenFeed['mapping']> => ({
  ...mapping,
  ...(iconUrl === null ? {} : { icon_url: iconUrl }),
  ...(itemIcon ? { item_icon: true } : {}),
});
