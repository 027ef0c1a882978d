import type { Feed, FeedPlan } from '../../data/campaigns/feeds/resource.ts';
import type { GivenPlan, NewCampaign } from '../../data/campaigns/resource.ts';
import { scheduleOf } from '../../notification/campaign.ts';
import { repeatOf } from '../../notification/repeat.ts';
import {
  type AudienceValues,
  addressOf,
  emptyRepeat,
  everyReader,
  type quietChoices,
  type RepeatValues,
} from '../../notification/values.ts';

export const MAX_WORDS = 50;
export const publishKinds = ['review', 'automatic'] as const;
export const whenKinds = ['items', 'digest'] as const;
export const overflowKinds = ['summary', 'drop'] as const;

/** As the form holds them: texts where a field may be empty. */
export interface FeedValues extends AudienceValues, RepeatValues {
  url: string;
  /** Empty: the host of the address. */
  name: string;
  publish: (typeof publishKinds)[number];
  when: (typeof whenKinds)[number];
  every_minutes: string;
  max_per_hour: string;
  overflow: (typeof overflowKinds)[number];
  title: string;
  body: string;
  image: boolean;
  /** Empty: the app’s. */
  icon_url: string;
  item_icon: boolean;
  categories: string[];
  words: string[];
  without: string[];
  during_quiet_hours: (typeof quietChoices)[number];
}

export const emptyFeed: FeedValues = {
  ...everyReader,
  ...emptyRepeat,
  repeat_at: '18:00',
  url: '',
  name: '',
  publish: 'review',
  when: 'items',
  every_minutes: '5',
  max_per_hour: '3',
  overflow: 'summary',
  title: '{title}',
  body: '{summary}',
  image: true,
  icon_url: '',
  item_icon: false,
  categories: [],
  words: [],
  without: [],
  during_quiet_hours: 'wait',
};

/** A feed to be changed, or to be the model of another. @param zone the app's own. */
export function valuesOfFeed(feed: Feed, plan: FeedPlan, zone: string): FeedValues {
  const { mapping, filter } = plan;
  return {
    ...emptyFeed,
    ...(plan.schedule === undefined ? {} : { when: 'digest' as const, ...repeatOf(plan.schedule) }),
    repeat_zone: plan.time_zone === undefined || plan.time_zone === zone ? '' : plan.time_zone,
    segment_id: String(feed.segment_id ?? ''),
    delivery_category_id: String(feed.delivery_category_id ?? ''),
    ignore_frequency_cap: feed.ignore_frequency_cap,
    url: plan.url,
    name: feed.name,
    publish: plan.publish,
    every_minutes: String(plan.every_minutes),
    max_per_hour: String(plan.max_per_hour),
    overflow: plan.overflow,
    ...mapping,
    categories: [...(filter.categories ?? [])],
    words: [...(filter.words ?? [])],
    without: [...(filter.without ?? [])],
    during_quiet_hours: feed.during_quiet_hours,
  };
}

/** The request body. @param zone the app's own. @param kept the feed that it changes: what the form does not show stays. */
export function bodyOfFeed(values: FeedValues, zone: string, kept: Feed | null): NewCampaign {
  const plan = planOfFeed(values, zone);
  return {
    ...(kept === null ? {} : keptOf(kept)),
    name: values.name.trim() || (URL.parse(addressOf(values.url))?.host ?? values.url),
    ...(values.segment_id === '' ? {} : { segment_id: Number(values.segment_id) }),
    ...(values.delivery_category_id === ''
      ? {}
      : { delivery_category_id: Number(values.delivery_category_id) }),
    ...(values.ignore_frequency_cap ? { ignore_frequency_cap: true } : {}),
    ...(values.during_quiet_hours === 'wait' ? {} : { during_quiet_hours: values.during_quiet_hours }),
    plan,
  };
}

const keptOf = ({ ttl_seconds, require_interaction, topic, urgency, rate_per_minute, rehearsal }: Feed) => ({
  ...{ ttl_seconds, require_interaction, rehearsal },
  urgency: urgency as NonNullable<NewCampaign['urgency']>,
  ...(topic === null ? {} : { topic }),
  ...(rate_per_minute === null ? {} : { rate_per_minute }),
});

export function planOfFeed(values: FeedValues, zone: string): GivenPlan {
  const { title, body, image, icon_url: icon, item_icon, categories, words, without } = values;
  return {
    kind: 'feed',
    url: addressOf(values.url),
    ...(values.when === 'digest'
      ? { schedule: scheduleOf(values), time_zone: values.repeat_zone || zone }
      : {
          every_minutes: Number(values.every_minutes),
          max_per_hour: Number(values.max_per_hour),
          overflow: values.overflow,
        }),
    mapping: {
      ...{ title: title.trim(), body: body.trim(), image },
      ...(icon.trim() === '' ? {} : { icon_url: addressOf(icon) }),
      ...(item_icon ? { item_icon } : {}),
    },
    filter: {
      ...(categories.length === 0 ? {} : { categories }),
      ...(words.length === 0 ? {} : { words }),
      ...(without.length === 0 ? {} : { without }),
    },
    publish: values.publish,
  };
}

const fields: Readonly<Record<string, keyof FeedValues>> = {
  time_zone: 'repeat_zone',
  'mapping.title': 'title',
  'mapping.body': 'body',
  'mapping.icon_url': 'icon_url',
};

/** The form's field for one of the API's. */
export function fieldOfFeed(field: string, { repeat_cron }: FeedValues): string {
  const ofPlan = /^plan\.(.+)$/.exec(field)?.[1];
  if (ofPlan === undefined) return field;
  if (ofPlan === 'schedule') return repeat_cron.trim() === '' ? 'repeat_at' : 'repeat_cron';
  // `filter.words.3` is shown at the field for all words.
  const filter = /^filter\.(\w+)/.exec(ofPlan)?.[1];
  return filter ?? fields[ofPlan] ?? ofPlan;
}
