// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { acceptFor } from '../../../../support/builders.ts';
import { buildEndpoint, messagesOf } from '../../../../support/webhooks.ts';
import { deliveryBody } from '../../../support.ts';
import { openCampaignStand } from '../../campaigns/stand.ts';

describe('a delivery that is cancelled while it is sent', async () => {
  const stand = await openCampaignStand();
  afterAll(() => stand.close());

  it('has the counts of its blocks: in its webhook, in the calendar, and with those that were in flight', async () => {
    const { database } = stand.api;
    const endpoint = await buildEndpoint(database, stand.member.organizationId);
    const { id } = (await stand.call('POST', '/deliveries', deliveryBody())).json().data;
    await acceptFor(database, id, [1, 2, 3], { state: 'running' });
    const count = (accepted: number) =>
      database.query(
        `UPDATE shards SET audience_count = 5, accepted_count = $2, failed_count = 1 WHERE delivery_id = $1`,
        [id, accepted],
      );
    await count(3);
    await database.query(
      `UPDATE deliveries SET status = 'processing', started_at = now(), total_subscribers = 9 WHERE id = $1`,
      [id],
    );
    const inCalendar = async () =>
      (await stand.call('GET', '/calendar'))
        .json()
        .data.entries.map((entry: { success_count: number }) => entry.success_count);
    expect(await inCalendar()).toEqual([3]);
    expect((await stand.call('POST', `/deliveries/${id}/cancel`)).statusCode).toBe(200);
    const last = (await messagesOf(database, endpoint)).at(-1);
    expect(last).toMatchObject({ type: 'delivery.cancelled', data: { success_count: 3, failed_count: 1 } });
    await count(4);
    expect(await inCalendar()).toEqual([4]);
    expect((await stand.call('GET', `/deliveries/${id}`)).json().data).toMatchObject({
      ...{ status: 'cancelled', total_subscribers: 9, success_count: 4, failed_count: 1 },
    });
  });
});
