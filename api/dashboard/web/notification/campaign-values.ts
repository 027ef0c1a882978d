import { planOf } from '../data/campaigns/plan.ts';
import type { CampaignDetail } from '../data/campaigns/resource.ts';
import { localOf } from '../format/local-time.ts';
import { translationValues } from './languages/values.ts';
import { repeatOf } from './repeat.ts';
import { type ComposeValues, type Content, emptyContent, emptyValues } from './values.ts';

/** A campaign in the form, to be changed or to be sent again. @param zone the app's own. */
export function valuesOfCampaign(campaign: CampaignDetail, zone: string): ComposeValues {
  const [first = emptyContent, ...variants] = campaign.notifications.map(contentOf);
  return {
    ...emptyValues,
    ...first,
    variants,
    name: campaign.name,
    segment_id: String(campaign.segment_id ?? ''),
    delivery_category_id: String(campaign.delivery_category_id ?? ''),
    ignore_frequency_cap: campaign.ignore_frequency_cap,
    ttl_seconds: String(campaign.ttl_seconds),
    during_quiet_hours: campaign.during_quiet_hours,
    urgency: campaign.urgency as ComposeValues['urgency'],
    topic: campaign.topic ?? '',
    rate_per_minute: campaign.rate_per_minute ?? '',
    require_interaction: campaign.require_interaction ? 'yes' : 'no',
    ...timesOf(campaign, zone),
  };
}

const contentOf = (given: CampaignDetail['notifications'][number]): Content => ({
  ...emptyContent,
  title: given.title,
  body: given.body,
  url: given.url,
  image: given.image_url === undefined ? 'none' : 'url',
  image_url: given.image_url ?? '',
  icon: given.icon_url === undefined ? 'none' : 'url',
  icon_url: given.icon_url ?? '',
  action_buttons: (given.action_buttons ?? []).map((button) => ({ ...button })),
  language: given.language ?? '',
  translations: translationValues(given.translations ?? []),
});

/** What has passed is left out: the API takes only times to come. */
function timesOf(campaign: CampaignDetail, zone: string): Partial<ComposeValues> {
  const plan = planOf(campaign);
  switch (plan.kind) {
    case 'ab_test':
      return {
        test_percent: String(plan.test_percent),
        decide_by: plan.decide_by,
        decide_after_minutes: String(plan.decide_after_minutes),
        fallback: String(plan.fallback),
        ...(campaign.rehearsal ? { mode: 'rehearsal' } : startOf(campaign)),
      };
    case 'local_time':
      return { mode: 'local', local_at: plan.at, if_passed: plan.if_passed };
    case 'recurring':
      return {
        mode: 'repeats',
        ...repeatOf(plan.schedule),
        repeat_zone: plan.time_zone === zone ? '' : plan.time_zone,
        repeat_from: dayToCome(plan.from),
        repeat_until: dayToCome(plan.until),
      };
    case 'feed':
    case 'quiet_hours':
      return {};
  }
}

/** Of a test that has not started. */
const startOf = ({ status, next_step_at: at }: CampaignDetail): Partial<ComposeValues> =>
  status === 'scheduled' && at !== null ? { mode: 'later', scheduled_at: localOf(new Date(at)) } : {};

const dayToCome = (at: string | null): string =>
  at === null || Date.parse(at) <= Date.now() ? '' : localOf(new Date(at)).slice(0, 10);
