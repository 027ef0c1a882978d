// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import type { DeliveryId } from '../../../../../engine/contract/ids.ts';
import { buildSubscriptions, readDelivery } from '../../../../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  startEngineHarness,
  until,
} from '../../../../support/engine-harness.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { appBody, deliveryBody, openWithMember } from '../../../support.ts';

const SUBSCRIBERS = 1_500;

describe('a rehearsal', async () => {
  const rehearsals: boolean[] = [];
  const accept = createFakeSender(() => 'accepted');

  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const app = `/apps/${identifier}`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, SUBSCRIBERS);
  const engine = await startEngineHarness({
    database: api.database,
    logStore: createLogStore(),
    sender: {
      sendBlock: (task) => {
        rehearsals.push(task.rehearsal);
        return accept.sendBlock(task);
      },
    },
  });
  afterAll(() => engine.close());

  const deliver = async (changes: object) => {
    const created = await call('POST', `${app}/deliveries`, deliveryBody(changes));
    expect([created.statusCode, created.json().errors]).toEqual([201, undefined]);
    const id: DeliveryId = created.json().data.id;
    await until(
      'the delivery to complete',
      async () => (await readDelivery(api.database, id)).status === 'success',
    );
    return (await call('GET', `${app}/deliveries/${id}`)).json().data;
  };
  const outcomeRows = async (): Promise<number> =>
    (await api.database.query(`SELECT 1 FROM outbox WHERE topic = 'outcomes'`)).length;
  const figures = async () => {
    const [overview, deliveries, engagement] = await Promise.all(
      ['overview', 'deliveries', 'engagement'].map(async (page) =>
        (await call('GET', `${app}/analytics/${page}`)).json(),
      ),
    );
    return { overview, deliveries, engagement };
  };
  const sentTo = async (): Promise<number> =>
    (await call('GET', `${app}/subscriptions?per_page=1`)).json().data[0].notifications_sent;

  it('shows the counts to expect, and changes no statistic', async () => {
    const before = await figures();
    const data = await deliver({ rehearsal: true });
    expect(data).toMatchObject({
      rehearsal: true,
      total_subscribers: SUBSCRIBERS,
      success_count: SUBSCRIBERS,
      failed_count: 0,
      click_count: 0,
    });
    expect(rehearsals).toEqual([true, true]);
    // Figures are remembered for a while: they are to be read again.
    await api.database.query('DELETE FROM analytics_cache');
    expect(await figures()).toEqual(before);
    expect(await sentTo()).toBe(0);
    expect(await outcomeRows()).toBe(0);
  });

  it('is one among the deliveries, and no other delivery is one', async () => {
    const data = await deliver({});
    expect(data.rehearsal).toBe(false);
    expect(rehearsals.slice(-2)).toEqual([false, false]);
    expect(await sentTo()).toBe(1);
    expect(await outcomeRows()).toBe(2);
    const { data: listed } = (await call('GET', `${app}/deliveries`)).json();
    expect(listed.map((each: { rehearsal: boolean }) => each.rehearsal)).toEqual([false, true]);
  });

  it('waits for its time like any other, and requires a boolean', async () => {
    const scheduled = { rehearsal: true, scheduled_at: '2099-01-01T00:00:00Z' };
    const later = await call('POST', `${app}/deliveries`, deliveryBody(scheduled));
    expect(later.json().data).toMatchObject({ status: 'scheduled', rehearsal: true });
    const wrong = await call('POST', `${app}/deliveries`, deliveryBody({ rehearsal: 'perhaps' }));
    expect([wrong.statusCode, wrong.json().errors]).toMatchObject([422, { rehearsal: [expect.any(String)] }]);
  });
});
