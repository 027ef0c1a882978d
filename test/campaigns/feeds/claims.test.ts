// tier: postgres
import { afterAll, expect, it } from 'vitest';
import { createCampaignStore } from '../../../engine/adapters/postgres/campaigns/campaign-store.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { buildApp } from '../../support/builders.ts';
import { createTestDatabase } from '../../support/postgres.ts';

const test = await createTestDatabase();
afterAll(() => test.drop());

async function withFeed(organizationId?: number) {
  const app = await buildApp(test.database, organizationId === undefined ? {} : { organizationId });
  await test.database.query(
    `INSERT INTO campaigns (app_id, kind, name, settings, progress, next_step_at)
     VALUES ($1, 'feed', 'News', '{}', '{}', now() - interval '1 minute')`,
    [app.id],
  );
  return app;
}

it('of an organization two feeds are checked at a time, however many it has and however long they hang', async () => {
  const greedy = [await withFeed()];
  for (let n = 0; n < 3; n++) greedy.push(await withFeed(greedy[0]?.organizationId));
  const { claimFeeds } = createCampaignStore(test.database);
  const claimed = async (busy: readonly AppId[]) =>
    (await claimFeeds(16, busy, 15_000)).map(({ appId }) => appId);
  const ids = greedy.map(({ id }) => id);
  const [first, second] = [await claimed([]), await claimed(ids.slice(0, 1))];
  expect([first, second]).toEqual([ids.slice(0, 1), ids.slice(1, 2)]);
  const neighbour = await withFeed();
  expect(await claimed(ids.slice(0, 2))).toEqual([neighbour.id]);
  expect(await claimed(ids.slice(1, 2))).toEqual(ids.slice(2, 3));
});
