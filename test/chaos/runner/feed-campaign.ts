import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { type FeedServer, startFeedServer } from '../../api/client/campaigns/feed-server.ts';
import { createCampaign, until } from './campaign-calls.ts';
import type { Publisher } from './publisher.ts';

/** Each is sent to every reader once. */
export const FEED_ITEMS = 3;
const BROKEN_FOR_MS = 3_000;
/** Somebody who waits for an item saves the feed again, and it is checked at once. */
const SAVED_AGAIN_AFTER_MS = 12_000;
const ARCHIVE = 400;
const WEEK_MS = 7 * 86_400_000;

/** As long as a feed of 500 such links may be: parameters that all have to go. */
const worstQuery = `?${'utm_x=1&'.repeat(240)}`;

interface Item {
  readonly title: string;
  readonly delivery_id: DeliveryId | null;
}

/**
 * A feed that breaks before each of its items, and comes back with its archive: the first check sends nothing, and each item
 * since is sent once. @returns its deliveries, a send each.
 */
export async function postFeed(publisher: Publisher): Promise<DeliveryId[][]> {
  const server = await startFeedServer('json');
  try {
    server.items = [{ name: 'was-there' }];
    return await followFeed(publisher, server);
  } finally {
    await server.close();
  }
}

async function followFeed(publisher: Publisher, server: FeedServer): Promise<DeliveryId[][]> {
  const given = {
    plan: { kind: 'feed', url: server.url, every_minutes: 1, publish: 'automatic', max_per_hour: 20 },
  };
  const { id } = await createCampaign(publisher, given);
  await until('the first check of a feed', async () => {
    const { data } = await publisher.ask<{ feed: { last_read_at: string | null } }>(
      'GET',
      `/campaigns/${id}`,
    );
    return data?.feed.last_read_at != null;
  });
  for (let number = 1; number <= FEED_ITEMS; number++) {
    breakFor(server, number);
    const name = `item-${number}`;
    server.items = [{ name }, ...server.items];
    let savedAtMs = 0;
    await until(`${name} of a feed`, async () => {
      if (performance.now() - savedAtMs > SAVED_AGAIN_AFTER_MS) {
        savedAtMs = performance.now();
        await publisher.ask('PUT', `/campaigns/${id}`, { name: 'c', ...given });
      }
      return (await sentOf(publisher, id)).some(({ title }) => title === name);
    });
  }
  return (await sentOf(publisher, id)).map(({ delivery_id: delivery }) =>
    delivery === null ? [] : [delivery],
  );
}

async function sentOf(publisher: Publisher, id: number): Promise<readonly Item[]> {
  const { data } = await publisher.ask<readonly Item[]>('GET', `/campaigns/${id}/items`);
  return data ?? [];
}

/** It answers with an error or with a page, and comes back with what it had long before. */
function breakFor(server: FeedServer, number: number): void {
  const status = number % 2 === 0 ? 200 : 503;
  server.answer = { status, body: '<html><body>Back soon</body></html>' };
  setTimeout(() => {
    const at = new Date(Date.now() - WEEK_MS);
    const archive = Array.from({ length: ARCHIVE }, (_, n) => ({
      name: `archive-${number}-${n}`,
      at,
      query: worstQuery,
    }));
    server.items = [...server.items, ...archive].slice(0, 500);
    server.answer = null;
  }, BROKEN_FOR_MS);
}
