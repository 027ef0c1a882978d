// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../../support/engine-harness.ts';
import { loopbackAllowed } from '../../../support/images.ts';
import { appBody, callAs, createMember } from '../../support.ts';
import { type FeedServer, startFeedServer } from './feed-server.ts';
import { type CampaignStand, openCampaignStand } from './stand.ts';

let stand: CampaignStand;
let server: FeedServer;
beforeEach(async () => {
  stand = await openCampaignStand({ publicAddresses: loopbackAllowed });
  server = await startFeedServer();
  server.items = [{ name: 'old' }];
});
afterEach(async () => {
  await stand.close();
  await server.close();
});

/** Until no look is due. */
const rested = (id: number): Promise<void> =>
  until('no look is due', async () => {
    const [row] = await stand.api.database.query<{ rests: boolean }>(
      `SELECT next_step_at > now() AS rests FROM campaigns WHERE id = $1`,
      [id],
    );
    return row?.rests === true;
  });

it('items of a feed wait as drafts where the app asks for approval, and are sent word for word', async () => {
  await stand.subscribe(2);
  const second = callAs(
    stand.api.app,
    await createMember(stand.api.database, { organizationId: stand.member.organizationId }),
  );
  await stand.call('PATCH', '', { ...appBody(), approval: 'all' });
  const { id } = await stand.create({
    name: 'News',
    plan: { kind: 'feed', url: server.url, every_minutes: 1, publish: 'automatic' },
  });
  await stand.startEngine();
  await rested(id);
  server.items = [{ name: 'one' }, { name: 'old' }];
  await stand.makeDue(id);
  const items = async () => (await stand.call('GET', `/campaigns/${id}/items`)).json().data;
  await until('an item', async () => (await items()).length > 0, 150_000);
  expect(await items()).toMatchObject([{ title: 'one', status: 'draft', delivery_id: null }]);
  const path = `/campaigns/${id}/items/${(await items())[0]?.id}/approve`;
  const approve = (body: object) => second('POST', `/apps/${stand.app}${path}`, body);
  const edited = await approve({ title: 'Another' });
  expect([edited.statusCode, edited.json().message]).toEqual([
    422,
    expect.stringContaining('The app asks for a second person'),
  ]);
  expect((await stand.call('POST', path, {})).json().message).toBe(
    'You made or changed this feed, so another person has to approve its items.',
  );
  expect((await approve({})).statusCode).toBe(200);
  expect(await stand.deliveries(id, 1)).toMatchObject([{ title: 'one', success_count: 2 }]);
});
