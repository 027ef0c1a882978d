import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { type Created, createCampaign, until } from './campaign-calls.ts';
import { FEED_ITEMS, postFeed } from './feed-campaign.ts';
import { type Publisher, texts } from './publisher.ts';

/**
 * - `ab_test`: half of the readers get two variants, then a person names the winner.
 * - `local_time`: one half of the readers is in a zone whose time has passed, for the other it comes in a minute.
 * - `recurring`: its one firing of the day comes in a minute.
 * - `feed`: breaks and comes back before each of its items.
 */
export const campaignKinds = ['ab_test', 'local_time', 'recurring', 'feed'] as const;
export type CampaignKind = (typeof campaignKinds)[number];

/** How many times a campaign reaches every reader. */
export const sendsOf: Readonly<Record<CampaignKind, number>> = {
  ab_test: 1,
  local_time: 1,
  recurring: 1,
  feed: FEED_ITEMS,
};

/** Of the readers, in turn. */
export const readerZones = ['Pacific/Kiritimati', 'Asia/Yekaterinburg'] as const;
/** Ahead of UTC, of the zone whose time is to come; its clocks never change. */
const OFFSET_MS = 5 * 3_600_000;
const MINUTE_MS = 60_000;
const LEAST_AHEAD_MS = 10_000;

/** Creates a campaign and sees it through. @returns its deliveries by send: those of one are for every reader once. */
export const postCampaign = (publisher: Publisher, kind: CampaignKind): Promise<DeliveryId[][]> =>
  kind === 'feed' ? postFeed(publisher) : posts[kind](publisher).then((deliveries) => [deliveries]);

const posts: Readonly<
  Record<Exclude<CampaignKind, 'feed'>, (publisher: Publisher) => Promise<DeliveryId[]>>
> = {
  ab_test: postTest,
  local_time: postByLocalTime,
  recurring: postRecurring,
};

async function postTest(publisher: Publisher): Promise<DeliveryId[]> {
  const plan = { kind: 'ab_test', test_percent: 50, decide_by: 'hand' };
  const { id } = await createCampaign(publisher, {
    notifications: [texts, { ...texts, title: 'u' }],
    plan,
  });
  await until('the variants to be created', async () => {
    const { data } = await publisher.ask<{ readonly status: string }>('GET', `/campaigns/${id}`);
    return data?.status === 'deciding';
  });
  const { status, text } = await publisher.ask('POST', `/campaigns/${id}/winner`, { variant: 2 });
  // An answer that was lost had decided it.
  if (status !== 200 && !text.includes('decided already'))
    throw new Error(`the winner was answered ${status}: ${text}`);
  return deliveriesOf(publisher, id, 3);
}

/** A whole minute, far enough ahead that the campaign is created before. */
const nextMinute = (): number => Math.ceil((Date.now() + LEAST_AHEAD_MS) / MINUTE_MS) * MINUTE_MS;

async function postByLocalTime(publisher: Publisher): Promise<DeliveryId[]> {
  const lastMs = nextMinute();
  const at = new Date(lastMs + OFFSET_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
  const { id } = await createCampaign(publisher, {
    notifications: [texts],
    plan: { kind: 'local_time', at },
  });
  // Zones without readers come later. One delivery where everything was unavailable until now: it is for both halves then.
  await until(`the last readers’ time of campaign ${id}`, async () => {
    const { data } = await publisher.ask<Created>('GET', `/campaigns/${id}`);
    return data !== undefined && (data.next_step_at === null || Date.parse(data.next_step_at) > lastMs);
  });
  return createdBy(publisher, id);
}

/** Again where everything was unavailable until its minute was over: it would fire tomorrow. */
async function postRecurring(publisher: Publisher): Promise<DeliveryId[]> {
  for (;;) {
    const at = new Date(nextMinute());
    const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
    const { id, next_step_at } = await createCampaign(publisher, {
      notifications: [texts],
      plan: { kind: 'recurring', schedule, time_zone: 'UTC', grace_minutes: 60 },
    });
    const firesToday = next_step_at === null || Date.parse(next_step_at) <= at.getTime();
    if (firesToday || (await createdBy(publisher, id)).length > 0) return deliveriesOf(publisher, id, 1);
    await publisher.ask('POST', `/campaigns/${id}/cancel`);
  }
}

async function deliveriesOf(publisher: Publisher, id: number, count: number): Promise<DeliveryId[]> {
  let found: readonly DeliveryId[] = [];
  await until(`${count} deliveries of campaign ${id}`, async () => {
    found = await createdBy(publisher, id);
    return found.length >= count;
  });
  return [...found];
}

async function createdBy(publisher: Publisher, id: number): Promise<DeliveryId[]> {
  const path = `/deliveries?campaign_id=${id}`;
  const { data } = await publisher.ask<readonly { readonly id: DeliveryId }[]>('GET', path);
  return (data ?? []).map((each) => each.id);
}
