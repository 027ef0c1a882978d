// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeUnusedImages } from '../../../../engine/adapters/postgres/removal/sweeps.ts';
import { until } from '../../../support/engine-harness.ts';
import { loopbackAllowed } from '../../../support/images.ts';
import { type FeedServer, startFeedServer } from './feed-server.ts';
import { type CampaignStand, openCampaignStand } from './stand.ts';

describe('the own icons of a feed’s items', () => {
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

  const planOf = (mapping: object) => ({
    ...{ kind: 'feed', url: server.url, every_minutes: 1, publish: 'review', max_per_hour: 10 },
    mapping,
  });
  const items = async (id: number) => (await stand.call('GET', `/campaigns/${id}/items`)).json().data;
  const stepOf = async (id: number) => {
    const [row] = await stand.api.database.query<{ step: number; rests: boolean }>(
      `SELECT step, next_step_at > now() AS rests FROM campaigns WHERE id = $1`,
      [id],
    );
    return row;
  };
  /** Its first items, once they were found. */
  async function found(mapping: object) {
    const { id } = await stand.create({ name: 'News', plan: planOf(mapping) });
    await stand.startEngine();
    await until('no look is due', async () => (await stepOf(id))?.rests === true);
    server.items = [
      { name: 'moved', icon: '/moved' },
      { name: 'second', icon: '/face.png' },
      { name: 'first', icon: '/face.png', image: '/image.png' },
      { name: 'old' },
    ];
    await stand.makeDue(id);
    await until('the items', async () => (await items(id)).length === 3, 150_000);
    return { id, drafts: await items(id) };
  }
  const age = () => stand.api.database.query(`UPDATE images SET used_at = now() - interval '2 days'`);

  it('are shown from our own address, and asked for once a check; otherwise the mapping’s is', async () => {
    const { id, drafts } = await found({
      icon_url: `${server.url.replace('/feed', '/image.png')}`,
      item_icon: true,
    });
    const [moved, second, first] = drafts;
    expect(first.icon_url).toMatch(/\/images\/[0-9a-f]{64}\.png$/);
    expect(second.icon_url).toBe(first.icon_url);
    expect(moved.icon_url).toBe(first.image_url);
    expect(moved.icon_url).not.toBe(first.icon_url);
    expect(server.asked.filter((url) => url === '/face.png')).toHaveLength(1);
    const { plan } = (await stand.call('GET', `/campaigns/${id}`)).json().data;
    expect(plan.mapping).toMatchObject({ item_icon: true, icon_url: moved.icon_url });
  });

  it('stay while a draft shows one, go to its delivery, and are removed with the last that does', async () => {
    const { id, drafts } = await found({ item_icon: true });
    const [moved, second, first] = drafts;
    expect(moved.icon_url).toBeUndefined();
    await age();
    expect(await removeUnusedImages(stand.api.database, 10)).toBe(0);
    await stand.call('POST', `/campaigns/${id}/items/${second.id}/dismiss`);
    const sent = await stand.call('POST', `/campaigns/${id}/items/${first.id}/approve`, {});
    const { delivery_id } = sent.json().data;
    const delivery = (await stand.call('GET', `/deliveries/${delivery_id}`)).json().data;
    expect(delivery).toMatchObject({ icon_url: first.icon_url, image_url: first.image_url });
    await age();
    expect(await removeUnusedImages(stand.api.database, 10)).toBe(0);
    await stand.api.database.query('DELETE FROM delivery_icons');
    expect(await removeUnusedImages(stand.api.database, 10)).toBe(1);
  });

  it('are asked for by the feed’s setting alone, and seen before', async () => {
    server.items = [{ name: 'one', icon: '/face.png' }];
    const preview = async (mapping: object) =>
      (await stand.call('POST', '/campaigns/preview', { plan: planOf(mapping) })).json().data.feed.next;
    expect(await preview({ item_icon: true })).toMatchObject({
      icon_url: server.url.replace('/feed', '/face.png'),
    });
    expect(await preview({})).toMatchObject({ icon_url: null });
    server.items = [{ name: 'old' }];
    const asked = server.asked.length;
    const { drafts } = await found({});
    expect(drafts.map(({ icon_url: url }: { icon_url?: string }) => url)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(server.asked.slice(asked)).not.toContain('/face.png');
  });
});
