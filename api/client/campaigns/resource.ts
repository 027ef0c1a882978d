import { decisionRule } from '../../../engine/campaigns/rules/ab-test.ts';
import { type Decision, decide } from '../../../engine/campaigns/rules/decide.ts';
import type {
  CampaignContent,
  CampaignDecision,
  CampaignPlan,
  FeedProgress,
} from '../../../engine/contract/campaign.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { SHARE_PARTS } from '../../../engine/contract/share.ts';
import type { Translation } from '../../../engine/contract/wording.ts';
import { percent, timestamp, timestampOrNull } from '../../http/fields.ts';
import { approvalResource } from '../approvals/store.ts';
import { feedPlanOf } from './read-feed-plan.ts';
import type { ReaderTimes } from './reader-times.ts';
import type { CampaignDetail, CampaignResource } from './schema.ts';
import type { StoredCampaign } from './store.ts';

export function campaignResource(
  { settings, progress, ...campaign }: StoredCampaign,
  times: ReaderTimes | null = null,
): CampaignResource {
  const { contents, options, plan } = settings;
  return {
    id: campaign.id,
    name: campaign.name,
    kind: campaign.kind,
    status: campaign.status,
    notifications: contents.map(notificationOf),
    segment_id: options.segmentId,
    delivery_category_id: options.categoryId,
    ignore_frequency_cap: options.ignoreCap,
    ttl_seconds: options.ttlSeconds,
    require_interaction: options.requireInteraction,
    topic: options.topic,
    urgency: options.urgency,
    rate_per_minute: options.ratePerMinute,
    rehearsal: options.rehearsal,
    during_quiet_hours: options.duringQuietHours ?? 'wait',
    plan: planOf(plan),
    parent_id: campaign.parent_id,
    next_step_at: timestampOrNull(campaign.next_step_at),
    reader_times:
      times === null ? null : { first_at: timestamp(times.first), last_at: timestamp(times.last) },
    version: campaign.step,
    approval: approvalResource(campaign.approval),
    feed: plan.kind === 'feed' ? feedOf(progress.feed, campaign.drafts) : null,
    decision: progress.decision === undefined ? null : decisionOf(progress.decision),
    deliveries: campaign.deliveries,
    total_subscribers: campaign.total_subscribers,
    success_count: campaign.success_count,
    failed_count: campaign.failed_count,
    error_message: campaign.error_message,
    created_at: timestamp(campaign.created_at),
    updated_at: timestamp(campaign.updated_at),
    started_at: timestampOrNull(campaign.started_at),
    completed_at: timestampOrNull(campaign.completed_at),
  };
}

const notificationOf = ({
  title,
  body,
  url,
  imageUrl,
  iconUrl = null,
  buttons,
  language = null,
  translations = [],
}: CampaignContent) => ({
  title,
  body,
  url,
  ...(imageUrl === null ? {} : { image_url: imageUrl }),
  ...(iconUrl === null ? {} : { icon_url: iconUrl }),
  ...(buttons.length === 0 ? {} : { action_buttons: buttons.map((button) => ({ ...button })) }),
  ...(language === null ? {} : { language }),
  ...(translations.length === 0 ? {} : { translations: translations.map(givenTranslation) }),
});

const givenTranslation = ({ url, buttons, iconUrl = null, ...each }: Translation) => ({
  ...each,
  ...(iconUrl === null ? {} : { icon_url: iconUrl }),
  ...(url === null ? {} : { url }),
  ...(buttons === null ? {} : { action_buttons: buttons.map((button) => ({ ...button })) }),
});

/** As it was given, with the defaults that it took. */
function planOf(plan: CampaignPlan): CampaignResource['plan'] {
  switch (plan.kind) {
    case 'ab_test':
      return {
        kind: plan.kind,
        test_percent: (plan.testParts * 100) / SHARE_PARTS,
        decide_by: plan.decideBy,
        decide_after_minutes: plan.decideAfterMinutes,
        fallback: plan.fallback + 1,
      };
    case 'local_time':
      return { kind: plan.kind, at: `${plan.at.date}T${plan.at.time}`, if_passed: plan.ifPassed };
    case 'recurring':
      return {
        kind: plan.kind,
        schedule: plan.cron,
        time_zone: plan.zone,
        from: isoOrNull(plan.from),
        until: isoOrNull(plan.until),
        grace_minutes: plan.graceMinutes,
      };
    case 'feed':
      return feedPlanOf(plan);
    case 'quiet_hours':
      return { kind: plan.kind, from: plan.from, to: plan.to, at: timestamp(new Date(plan.at)) };
  }
}

const feedOf = (feed: FeedProgress | undefined, drafts: number): CampaignResource['feed'] => ({
  title: feed?.title ?? null,
  last_look_at: isoOrNull(feed?.lookedAt ?? null),
  last_read_at: isoOrNull(feed?.readAt ?? null),
  failures: feed?.failures ?? 0,
  failing_since: isoOrNull(feed?.failingSince ?? null),
  drafts,
});

const isoOrNull = (text: string | null): string | null => (text === null ? null : timestamp(new Date(text)));

const decisionOf = ({ by, at, winner, sent, reason }: CampaignDecision) => ({
  by,
  at: timestamp(new Date(at)),
  winner: winner === null ? null : winner + 1,
  sent: sent + 1,
  reason,
});

export interface CountedVariantDelivery {
  readonly deliveryId: DeliveryId;
  readonly accepted: number;
  readonly clicked: number;
}

/** How a test's variants do now, by the rule that decides. */
export function variantsOf(
  counted: readonly CountedVariantDelivery[],
): Pick<CampaignDetail, 'variants' | 'difference'> {
  if (counted.length < 2) return { variants: null, difference: null };
  const { variants, difference } = decide(counted, decisionRule);
  return {
    variants: variants.map((variant, index) => ({
      number: index + 1,
      delivery_id: counted[index]?.deliveryId ?? 0,
      accepted: variant.accepted,
      clicked: variant.clicked,
      rate: variant.rate === null ? null : percent(variant.clicked, variant.accepted),
      interval: inPercent(variant.interval),
      probability_best: asPercent(variant.probabilityBest),
    })),
    difference: inPercent(difference),
  };
}

const asPercent = (share: number): number => Math.round(share * 10_000) / 100;
const inPercent = (range: Decision['difference']): { low: number; high: number } | null =>
  range === null ? null : { low: asPercent(range[0]), high: asPercent(range[1]) };
