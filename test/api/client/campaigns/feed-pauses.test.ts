// tier: postgres
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../../support/engine-harness.ts';
import { loopbackAllowed } from '../../../support/images.ts';
import { type FeedServer, startFeedServer } from './feed-server.ts';
import { type CampaignStand, openCampaignStand } from './stand.ts';

let stand: CampaignStand;
let server: FeedServer;
beforeEach(async () => {
  stand = await openCampaignStand({ publicAddresses: loopbackAllowed });
  server = await startFeedServer();
});
afterEach(async () => {
  await stand.close();
  await server.close();
});

const MINUTE_MS = 60_000;

it('a broken feed is looked at at once when a person changes it, and its pauses begin anew', async () => {
  const body = { name: 'News', plan: { kind: 'feed', url: server.url, every_minutes: 1 } };
  const { id } = await stand.create(body);
  await stand.startEngine();
  const failures = async (): Promise<number> =>
    ((await stand.read(id)).feed as { readonly failures: number }).failures;
  const pause = async (): Promise<number> =>
    new Date((await stand.read(id)).next_step_at ?? 0).getTime() - Date.now();
  server.answer = { status: 500, body: '' };
  for (let count = 1; count <= 5; count++) {
    await stand.makeDue(id);
    await until(`${count} failures`, async () => (await failures()) >= count && (await pause()) > 0);
  }
  expect(await pause()).toBeGreaterThan(20 * MINUTE_MS);
  const { failing_since: since } = (await stand.read(id)).feed as { readonly failing_since: string };
  expect((await stand.call('PUT', `/campaigns/${id}`, body)).statusCode).toBe(200);
  expect(await failures()).toBeGreaterThan(0);
  await until('a look at once', async () => (await pause()) > 0);
  expect(await pause()).toBeLessThan(5 * MINUTE_MS);
  expect((await stand.read(id)).feed).toMatchObject({ failing_since: since });
});
