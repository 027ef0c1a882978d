import { startCampaign } from '../../../../engine/adapters/postgres/campaigns/campaign-store.ts';
import { insertCampaign } from '../../../../engine/adapters/postgres/campaigns/insert-campaign.ts';
import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type QuietWay, quietWayOf } from '../../../../engine/campaigns/rules/quiet-hours.ts';
import { stepOfZones } from '../../../../engine/campaigns/rules/zoned.ts';
import type {
  CampaignContent,
  CampaignSettings,
  QuietHoursPlan,
} from '../../../../engine/contract/campaign.ts';
import type { StoredApp } from '../../apps/store.ts';
import type { Refused } from '../refused.ts';

export const quietHoursChoices = ['wait', 'drop', 'send'] as const;
export type DuringQuietHours = (typeof quietHoursChoices)[number];

export type DeliveryWay =
  | Exclude<QuietWay, { readonly kind: 'nobody' }>
  /** It goes out at once although the app has quiet hours, which is noted. */
  | { readonly kind: 'passes' };

/** @param chosen of the request; whoever says nothing waits. */
export function deliveryWayOf(
  app: Pick<StoredApp, 'quiet_hours' | 'time_zone'>,
  { lane, scheduledAt, expiresAt }: Pick<NewDelivery, 'lane' | 'scheduledAt' | 'expiresAt'>,
  chosen: DuringQuietHours = 'wait',
  now = new Date(),
): DeliveryWay | Refused {
  if (app.quiet_hours !== null && (lane === 'breaking' || chosen === 'send')) return { kind: 'passes' };
  const way = quietWayOf(
    app,
    { at: scheduledAt ?? now, expiresAt, chosen: chosen === 'drop' ? 'drop' : 'wait' },
    now,
  );
  if (way.kind !== 'nobody') return way;
  const until = way.until?.toISOString();
  if (until === undefined) return refused('It would reach nobody: it is in everyone’s quiet hours.');
  return refused(
    chosen === 'drop'
      ? `It would reach nobody: the app’s quiet hours last until ${until}.`
      : `It would expire before the app’s quiet hours end, at ${until}.`,
  );
}

const refused = (words: string): Refused => ({
  kind: 'refused',
  errors: { during_quiet_hours: [words] },
});

/**
 * The campaign that serves those who sleep when they wake. In the transaction of its first delivery.
 * @returns that delivery, for those who are awake at its time.
 */
export async function beginQuietCampaign(
  sql: Sql,
  app: StoredApp,
  delivery: NewDelivery,
  { plan, firstAt }: Extract<QuietWay, { kind: 'by-reader' }>,
): Promise<NewDelivery> {
  const settings = settingsOf(app, delivery, plan);
  const { appId, name } = delivery;
  const id = await insertCampaign(sql, {
    appId,
    name,
    settings,
    progress: {},
    firstStepAt: firstAt,
    parent: null,
  });
  const { part, move } = stepOfZones({ id, now: firstAt, progress: {} }, plan);
  const role = move.deliveries[0]?.role;
  if (part === null || role === undefined) throw new RangeError('a campaign begins with a delivery');
  await startCampaign(sql, id, move);
  const isNow = delivery.scheduledAt === null && firstAt.getTime() <= Date.parse(plan.at);
  return { ...delivery, scheduledAt: isNow ? null : firstAt, campaign: { id, role, part } };
}

/** What a delivery says, as its campaign says it to those who slept. */
export const campaignContentOf = (delivery: NewDelivery): CampaignContent => ({
  title: delivery.title,
  body: delivery.body,
  url: delivery.url,
  imageUrl: delivery.imageUrl,
  iconUrl: delivery.iconUrl ?? null,
  imageHash: delivery.imageHash === null ? null : Buffer.from(delivery.imageHash).toString('hex'),
  buttons: delivery.buttons,
  language: delivery.language,
  translations: delivery.translations,
  isPersonal: true,
});

const settingsOf = (app: StoredApp, delivery: NewDelivery, plan: QuietHoursPlan): CampaignSettings => ({
  contents: [campaignContentOf(delivery)],
  options: {
    segmentId: delivery.segmentId,
    approvedRules: delivery.approvedRules ?? null,
    categoryId: delivery.categoryId,
    ignoreCap: delivery.ignoreCap,
    ttlSeconds: delivery.ttlSeconds,
    requireInteraction: delivery.requireInteraction,
    silent: app.default_silent,
    vibratePattern: app.default_vibrate_pattern,
    topic: delivery.topic,
    urgency: delivery.urgency,
    ratePerMinute: delivery.ratePerMinute,
    rehearsal: delivery.rehearsal,
    queryParams: app.default_query_params,
    site: app.site_domain,
    expiresAt: delivery.expiresAt?.toISOString() ?? null,
  },
  plan,
});
