// tier: postgres
import { Compile } from 'typebox/compile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedItemSchema } from '../../../../api/client/campaigns/feed-schema.ts';
import {
  campaignDetailSchema,
  campaignForecast,
  campaignSchema,
} from '../../../../api/client/campaigns/schema.ts';
import { until } from '../../../support/engine-harness.ts';
import { loopbackAllowed } from '../../../support/images.ts';
import { type FeedArticle, type FeedServer, startFeedServer } from './feed-server.ts';
import { type CampaignStand, openCampaignStand, words } from './stand.ts';

const article = (name: string, rest: Partial<FeedArticle> = {}): FeedArticle => ({ name, ...rest });

describe('feeds', () => {
  let stand: CampaignStand;
  let server: FeedServer;
  beforeEach(async () => {
    stand = await openCampaignStand({ publicAddresses: loopbackAllowed });
    server = await startFeedServer();
    server.items = [article('old')];
  });
  afterEach(async () => {
    await stand.close();
    await server.close();
  });

  const bodyOf = (plan: object = {}, rest: object = {}) => ({
    name: 'News',
    plan: { kind: 'feed', url: server.url, every_minutes: 1, publish: 'automatic', ...plan },
    ...rest,
  });
  const stateOf = async (id: number) => (await stand.read(id)).feed as Readonly<Record<string, unknown>>;
  const row = async (id: number): Promise<{ readonly step: number; readonly rests: boolean }> => {
    const [found] = await stand.api.database.query<{ readonly step: number; readonly rests: boolean }>(
      `SELECT step, next_step_at > now() AS rests FROM campaigns WHERE id = $1`,
      [id],
    );
    return found ?? { step: 0, rests: false };
  };
  const rested = (id: number): Promise<void> => until('no look is due', async () => (await row(id)).rests);
  const look = async (id: number): Promise<void> => {
    await rested(id);
    const { step } = await row(id);
    await stand.makeDue(id);
    // Longer than a minute: a check that failed is tried again after one.
    await until('a check', async () => (await row(id)).step > step, 150_000);
  };
  const items = async (id: number, query = '') =>
    (await stand.call('GET', `/campaigns/${id}/items${query}`)).json().data as {
      readonly id: number;
      readonly title: string;
      readonly status: string;
      readonly items: number;
      readonly delivery_id: number | null;
      readonly image_url?: string;
    }[];
  const titles = async (id: number) => (await items(id)).map(({ title }) => title);
  const start = async (plan: object = {}): Promise<number> => {
    const { id } = await stand.create(bodyOf(plan));
    await stand.startEngine();
    await rested(id);
    return id;
  };

  it.each(['rss', 'atom', 'json'] as const)(
    'send each new item of a %s feed once, and nothing at the first check',
    async (format) => {
      await server.close();
      server = await startFeedServer(format);
      server.items = [article('old')];
      await stand.subscribe(3);
      const id = await start();
      expect(await items(id)).toEqual([]);
      server.items = [article('two'), article('one', { category: 'Politics' }), article('old')];
      await look(id);
      const deliveries = await stand.deliveries(id, 2);
      expect(deliveries.map(({ title, success_count: accepted }) => [title, accepted])).toEqual([
        ['one', 3],
        ['two', 3],
      ]);
      await look(id);
      server.items = [article('two'), article('one'), article('old', { category: 'Changed' })];
      await look(id);
      expect(await titles(id)).toEqual(['two', 'one']);
      const [two] = await items(id);
      expect(Compile(feedItemSchema).Check(two)).toBe(true);
      expect(two).toMatchObject({ status: 'sent', delivery_id: deliveries[1]?.id });
      const state = await stand.read(id);
      expect(Compile(campaignDetailSchema).Check(state)).toBe(true);
      expect(state).toMatchObject({
        status: 'running',
        notifications: [],
        error_message: null,
        feed: { title: 'News', failures: 0, drafts: 0 },
      });
    },
  );

  it('ask for what has changed only, and are asked by one of several engines', async () => {
    const { id } = await stand.create(bodyOf());
    await Promise.all([
      stand.startEngine({ owner: 'a' }),
      stand.startEngine({ owner: 'b' }),
      stand.startEngine({ owner: 'c' }),
    ]);
    await rested(id);
    const asked = server.asked.length;
    await look(id);
    expect(server.unchanged()).toBe(server.asked.length - asked);
    server.items = [article('new'), article('old')];
    await look(id);
    expect(await titles(id)).toEqual(['new']);
  });

  it('send at most as many an hour as they may, and sum up or drop the others', async () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      article(`item-${n}`, { at: new Date(Date.now() - n * 60_000) }),
    );
    const summed = await start({ max_per_hour: 3 });
    server.items = many;
    await look(summed);
    expect(await titles(summed)).toEqual(['News: +498', 'item-0', 'item-1']);
    const [summary] = await items(summed);
    expect(summary).toMatchObject({ items: 498, status: 'sent' });
    server.items = [article('later'), ...many];
    await look(summed);
    expect((await titles(summed)).length).toBe(3);
    await stand.api.database.query(`UPDATE feed_items SET created_at = created_at - interval '61 minutes'`);
    await look(summed);
    expect((await titles(summed))[0]).toBe('later');

    server.items = [article('old')];
    const dropped = (await stand.create(bodyOf({ max_per_hour: 2, overflow: 'drop' }))).id;
    await rested(dropped);
    server.items = many;
    await look(dropped);
    await look(dropped);
    expect(await titles(dropped)).toEqual(['item-0', 'item-1']);
  });

  it('say on their resource how they broke, look less often, and do no harm when they come back', async () => {
    const id = await start();
    server.answer = { status: 404, body: '' };
    await look(id);
    await look(id);
    const broken = await stand.read(id);
    expect(broken).toMatchObject({ status: 'running', error_message: 'The feed answered 404.' });
    expect(broken.feed).toMatchObject({ failures: 2, failing_since: expect.any(String) });
    const waits = new Date(broken.next_step_at ?? 0).getTime() - Date.now();
    expect(waits).toBeGreaterThan(2 * 60_000);
    server.answer = { status: 200, body: '<html><body>Back soon</body></html>' };
    await look(id);
    expect((await stand.read(id)).error_message).toBe('The feed is a web page and no feed.');
    server.answer = null;
    const aWeekAgo = new Date(Date.now() - 7 * 86_400_000);
    server.items = Array.from({ length: 500 }, (_, n) => article(`old-${n}`, { at: aWeekAgo }));
    await look(id);
    expect(await items(id)).toEqual([]);
    expect(await stand.read(id)).toMatchObject({ error_message: null, feed: { failures: 0 } });
  });

  it('may be changed while they run; the first check of another URL sends nothing', async () => {
    const id = await start();
    const other = await startFeedServer();
    other.items = [article('there')];
    try {
      const put = (plan: object) => stand.call('PUT', `/campaigns/${id}`, bodyOf(plan));
      expect((await put({ mapping: { title: 'Breaking: {title}' } })).statusCode).toBe(200);
      await rested(id);
      server.items = [article('one'), article('old')];
      await look(id);
      expect(await titles(id)).toEqual(['Breaking: one']);
      expect((await put({ url: other.url })).statusCode).toBe(200);
      await rested(id);
      await look(id);
      expect(other.asked.length).toBe(2);
      expect(await titles(id)).toEqual(['Breaking: one']);
      other.items = [article('news'), article('there')];
      await look(id);
      expect(await titles(id)).toEqual(['news', 'Breaking: one']);
      const refused = await stand.call('PUT', `/campaigns/${id}`, {
        name: 'Test',
        notifications: [words('One'), words('Two')],
        plan: { kind: 'ab_test' },
      });
      expect([refused.statusCode, refused.json().errors]).toEqual([
        422,
        { 'plan.kind': ['The plan.kind field must stay feed: this one runs.'] },
      ]);
    } finally {
      await other.close();
    }
  });

  it('on review make drafts, which are approved with other words, or dismissed, each once', async () => {
    await stand.subscribe(2);
    const id = await start({ publish: 'review' });
    server.items = [article('two'), article('one', { image: '/image.png' }), article('old')];
    await look(id);
    const drafts = await items(id, '?status=draft');
    expect(drafts.map(({ title, status }) => [title, status])).toEqual([
      ['two', 'draft'],
      ['one', 'draft'],
    ]);
    expect((await stateOf(id)).drafts).toBe(2);
    expect((await stand.read(id)).deliveries).toBe(0);
    const decide = (item: number | undefined, what: string, body?: object) =>
      stand.call('POST', `/campaigns/${id}/items/${item}/${what}`, body);
    const [two, one] = drafts;
    expect(one?.image_url).toMatch(/\/images\/[0-9a-f]{64}\.png$/);
    const approvals = await Promise.all([
      decide(one?.id, 'approve', { title: 'One, edited' }),
      decide(one?.id, 'approve', { title: 'One, edited' }),
    ]);
    expect(approvals.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(approvals[0]?.json()).toEqual(approvals[1]?.json());
    const [delivery] = await stand.deliveries(id, 1);
    expect(delivery).toMatchObject({ title: 'One, edited', success_count: 2, image_url: one?.image_url });
    expect(approvals[0]?.json().data).toMatchObject({ status: 'sent', delivery_id: delivery?.id });
    expect((await decide(two?.id, 'dismiss')).json().data.status).toBe('dismissed');
    expect((await decide(two?.id, 'dismiss')).statusCode).toBe(200);
    expect((await decide(two?.id, 'approve', {})).json().errors).toEqual({
      status: ['The draft was dismissed and is never sent.'],
    });
    expect((await decide(one?.id, 'dismiss')).statusCode).toBe(422);
    expect((await decide(999, 'dismiss')).statusCode).toBe(404);
    const log = await stand.api.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE action LIKE 'campaign.item%' ORDER BY id`,
    );
    expect(log.map(({ action }) => action)).toEqual(['campaign.item-approved', 'campaign.item-dismissed']);
  });

  it('show the image of an item from our own address, and send one without where it cannot be had', async () => {
    const id = await start();
    server.items = [
      article('none', { image: '/feed' }),
      article('inside', { image: '/moved' }),
      article('shown', { image: '/image.png' }),
      article('old'),
    ];
    await look(id);
    const found = await items(id);
    expect(found.map(({ title, image_url: url }) => [title, url?.replace(/^.*images.*$/, 'ours')])).toEqual([
      ['none', undefined],
      ['inside', undefined],
      ['shown', 'ours'],
    ]);
  });

  it('sum up on a schedule what is new since, and send nothing if nothing is', async () => {
    const id = await start({ schedule: '0 18 * * *', time_zone: 'Europe/Berlin' });
    const firingIs = async (): Promise<void> => {
      await stand.api.database.query(
        `UPDATE campaigns SET progress = jsonb_set(progress, '{firing}', to_jsonb(now())) WHERE id = $1`,
        [id],
      );
    };
    const { next_step_at: next } = await stand.read(id);
    expect(new Date(next ?? 0).getTime()).toBeGreaterThan(Date.now());
    server.items = [article('two'), article('one'), article('old')];
    await look(id);
    expect(await items(id)).toEqual([]);
    await firingIs();
    await look(id);
    expect(await titles(id)).toEqual(['News: +2']);
    await firingIs();
    await look(id);
    expect(await titles(id)).toEqual(['News: +2']);
    server.items = [article('three'), ...server.items];
    await firingIs();
    await look(id);
    expect(await titles(id)).toEqual(['three', 'News: +2']);
  });

  it('are stopped by a cancel, and say so; their drafts are dismissed', async () => {
    const id = await start({ publish: 'review' });
    server.items = [article('one'), article('old')];
    await look(id);
    const cancelled = (await stand.call('POST', `/campaigns/${id}/cancel`)).json().data;
    expect(cancelled).toMatchObject({ status: 'cancelled', next_step_at: null, feed: { drafts: 0 } });
    expect((await items(id)).map(({ status }) => status)).toEqual(['dismissed']);
    expect((await stand.call('PUT', `/campaigns/${id}`, bodyOf())).statusCode).toBe(422);
    const [kept] = await stand.api.database.query<{ keys: number }>(
      `SELECT count(*)::int AS keys FROM feed_keys`,
    );
    expect(kept?.keys).toBe(0);
  });

  it.each([
    [{ notifications: [words('One')] }, {}, 'notifications'],
    [{}, { url: 'ftp://news.example.com/' }, 'plan.url'],
    [{}, { url: 'https://user:secret@news.example.com/feed' }, 'plan.url'],
    [{}, { url: 'http://169.254.169.254/feed' }, 'plan.url'],
    [{}, { every_minutes: 0 }, 'plan.every_minutes'],
    [{}, { max_per_hour: 21 }, 'plan.max_per_hour'],
    [{}, { schedule: '* * * * *' }, 'plan.schedule'],
    [{}, { time_zone: 'reader', schedule: '0 8 * * *' }, 'plan.time_zone'],
    [{}, { mapping: { title: '' } }, 'plan.mapping.title'],
    [{}, { filter: { words: [] } }, 'plan.filter.words'],
  ])('name the field that is wrong: %j %j', async (rest, plan, field) => {
    const refused = await stand.call('POST', '/campaigns', bodyOf(plan, rest));
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [field]]);
  });

  it('are at most fifty in an organization, over all its apps, and not those that were cancelled', async () => {
    const fill = (status: string, many: number) =>
      stand.api.database.query(
        `INSERT INTO campaigns (app_id, kind, name, settings, status)
         SELECT $1, 'feed', 'News', '{}', $2 FROM generate_series(1, $3)`,
        [stand.appId, status, many],
      );
    await fill('cancelled', 5);
    await fill('running', 49);
    const { id } = await stand.create(bodyOf());
    const refused = await stand.call('POST', '/campaigns', bodyOf());
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['plan.kind']]);
    await stand.call('POST', `/campaigns/${id}/cancel`);
    await stand.create(bodyOf());
  });

  it('are shown before: what would be sent next, or how to fix what is wrong', async () => {
    await stand.subscribe(2);
    const preview = (plan: object = {}) =>
      stand.call('POST', '/campaigns/preview', { plan: bodyOf(plan).plan });
    server.items = [article('two', { image: '/image.png' }), article('one', { category: 'Politics' })];
    const seen = await preview({ mapping: { title: 'Now: {title}' } });
    expect(Compile(campaignForecast).Check(seen.json().data)).toBe(true);
    expect(seen.json().data).toMatchObject({
      readers: 2,
      steps: [],
      feed: { title: 'News', items: 2, matching: 2, next: { title: 'Now: two', body: 'About two' } },
    });
    const filtered = (await preview({ filter: { categories: ['politics'] } })).json().data.feed;
    expect(filtered).toMatchObject({ matching: 1, next: { title: 'one', image_url: null } });
    const digest = (await preview({ schedule: '0 18 * * *' })).json().data;
    expect([digest.feed.next.title, digest.steps.length]).toEqual(['News: +2', 5]);
    const wordsOf = async (plan: object = {}) => (await preview(plan)).json().errors['plan.url'][0];
    server.answer = { status: 404, body: '' };
    expect(await wordsOf()).toContain('it answered 404. Open the address in a browser');
    server.answer = { status: 200, body: '<html></html>' };
    expect(await wordsOf()).toContain('Look for “RSS” or “Feed” on the site');
    server.answer = { status: 200, body: ' '.repeat(6 * 1024 * 1024) };
    expect(await wordsOf()).toContain('is larger than 5 MB');
    expect(await wordsOf({ url: server.url.replace('/feed', '/moved') })).toContain('public internet only');
    const created = await stand.create(bodyOf());
    expect(Compile(campaignSchema).Check(created)).toBe(true);
  });
});
