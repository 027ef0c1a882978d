import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { type Publisher, TTL_SECONDS, texts } from './publisher.ts';

/**
 * - `ab_test`: half of the readers get two variants, then a person names the winner.
 * - `local_time`: one half of the readers is in a zone whose time has passed, for the other it comes in a minute.
 */
export const campaignKinds = ['ab_test', 'local_time'] as const;
export type CampaignKind = (typeof campaignKinds)[number];

/** Of the readers, in turn. */
export const readerZones = ['Pacific/Kiritimati', 'Asia/Yekaterinburg'] as const;
/** Ahead of UTC, of the zone whose time is to come; its clocks never change. */
const OFFSET_MS = 5 * 3_600_000;
const MINUTE_MS = 60_000;
/** So that the first delivery is created before. */
const LEAST_AHEAD_MS = 10_000;

const CREATED_WITHIN_MS = 240_000;
const LOOK_EVERY_MS = 500;

interface Campaign {
  readonly id: number;
  readonly status: string;
}

/** Creates a campaign and sees it through. @returns its deliveries: together they are for every reader once. */
export function postCampaign(publisher: Publisher, kind: CampaignKind): Promise<DeliveryId[]> {
  return kind === 'ab_test' ? postTest(publisher) : postByLocalTime(publisher);
}

async function postTest(publisher: Publisher): Promise<DeliveryId[]> {
  const { id } = await create(publisher, [texts, { ...texts, title: 'u' }], {
    kind: 'ab_test',
    test_percent: 50,
    decide_by: 'hand',
  });
  await until('the variants to be created', async () => {
    const { data } = await publisher.ask<Campaign>('GET', `/campaigns/${id}`);
    return data?.status === 'deciding';
  });
  const { status, text } = await publisher.ask('POST', `/campaigns/${id}/winner`, { variant: 2 });
  // An answer that was lost had decided it.
  if (status !== 200 && !text.includes('decided already'))
    throw new Error(`the winner was answered ${status}: ${text}`);
  return deliveriesOf(publisher, id, 3);
}

async function postByLocalTime(publisher: Publisher): Promise<DeliveryId[]> {
  const comes = Math.ceil((Date.now() + LEAST_AHEAD_MS) / MINUTE_MS) * MINUTE_MS;
  const at = new Date(comes + OFFSET_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
  const { id } = await create(publisher, [texts], { kind: 'local_time', at });
  return deliveriesOf(publisher, id, readerZones.length);
}

async function create(
  publisher: Publisher,
  notifications: readonly object[],
  plan: object,
): Promise<Campaign> {
  const body = { name: 'c', notifications, plan, ttl_seconds: TTL_SECONDS };
  const { status, data, text } = await publisher.ask<Campaign>('POST', '/campaigns', body);
  if (status !== 201 || data === undefined) throw new Error(`a campaign was answered ${status}: ${text}`);
  return data;
}

async function deliveriesOf(publisher: Publisher, id: number, count: number): Promise<DeliveryId[]> {
  let found: readonly { readonly id: DeliveryId }[] = [];
  await until(`${count} deliveries of campaign ${id}`, async () => {
    const { data } = await publisher.ask<typeof found>('GET', `/deliveries?campaign_id=${id}`);
    found = data ?? [];
    return found.length >= count;
  });
  return found.map((each) => each.id);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + CREATED_WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`waited ${CREATED_WITHIN_MS} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
