// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import { appBody, deliveryBody, openWithMember } from '../../api/support.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import { createFakeSender, createLogStore, startEngineHarness } from '../../support/engine-harness.ts';
import { appIdOf } from '../../support/subscriptions.ts';

describe('a delivery with a webhook', async () => {
  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, 30);
  const types = ['pending', 'scheduled', 'queued', 'processing', 'success', 'partial', 'failed', 'cancelled'];
  const body = { url: 'https://cms.example.com/in', types: types.map((status) => `delivery.${status}`) };
  const webhook = (await call('POST', '/webhooks', body)).json().data.id;
  const sender = createFakeSender((seq) => (seq === 7 ? 'gone' : 'accepted'));
  const engine = await startEngineHarness({ database: api.database, logStore: createLogStore(), sender });
  afterAll(() => engine.close(500));

  const create = async (changes: object): Promise<number> =>
    (await call('POST', path, deliveryBody(changes))).json().data.id;
  /** Oldest first. */
  const messagesFor = async (id: number): Promise<Record<string, unknown>[]> => {
    const { data } = (await call('GET', `/webhooks/${webhook}/messages?per_page=100`)).json();
    const payloads = data.map(({ payload }: { payload: { data: { delivery_id: number } } }) => payload.data);
    return payloads.filter((each: { delivery_id: number }) => each.delivery_id === id).toReversed();
  };
  const statuses = async (id: number) => (await messagesFor(id)).map(({ status }) => status);

  it('has a message for each state on its way, the last one with the counts that the API shows', async () => {
    const id = await create({});
    await expect
      // A plan may be done before the relay notes that the delivery was queued.
      .poll(async () => (await statuses(id)).filter((status) => status !== 'queued'))
      .toEqual(['pending', 'processing', 'partial']);
    const shown = (await call('GET', `${path}/${id}`)).json().data;
    const {
      delivery_id: number,
      status,
      success_count,
      failed_count,
      total_subscribers,
      completed_at,
    } = (await messagesFor(id)).at(-1) ?? {};
    expect({ id: number, status, success_count, failed_count, total_subscribers, completed_at }).toEqual({
      ...{ id, status: shown.status, success_count: 29, failed_count: 1 },
      ...{ total_subscribers: 30, completed_at: shown.completed_at },
    });
  });

  it('that is scheduled and cancelled has one for each', async () => {
    const id = await create({ scheduled_at: '2999-01-31T12:00:00Z' });
    await call('POST', `${path}/${id}/cancel`);
    expect(await statuses(id)).toEqual(['scheduled', 'cancelled']);
  });
});
