// tier: postgres
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWelcomeStore } from '../../../../engine/adapters/postgres/campaigns/welcome-store.ts';
import { createWelcomeStep } from '../../../../engine/campaigns/welcome-step.ts';
import { buildSubscriptions } from '../../../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
  until,
} from '../../../support/engine-harness.ts';
import { createSite, type Site } from '../../../support/site.ts';
import { callAs, createMember, deliveryBody, openTestApi } from '../../support.ts';

const template = {
  enabled: true,
  title: 'Thank you',
  body: 'We write when it matters.',
  url: 'https://news.example/welcome',
};

describe('the welcome', async () => {
  let site: Site;
  let organizationId: number;
  let call: ReturnType<typeof callAs>;
  let path: string;
  let sender: ReturnType<typeof createFakeSender>;
  let engines: EngineHarness[];

  const api = await openTestApi();
  beforeEach(async () => {
    site = await createSite(api.app, api.database);
    const [owner] = await api.database.query<{ id: number }>(
      'SELECT organization_id AS id FROM apps WHERE id = $1',
      [site.appId],
    );
    organizationId = owner?.id ?? 0;
    call = callAs(api.app, await createMember(api.database, { organizationId }));
    path = `/apps/${site.identifier}/welcome`;
    sender = createFakeSender(() => 'accepted');
    engines = [];
  });
  afterEach(async () => {
    for (const engine of engines) await engine.close();
    // A step checks every app.
    await api.database.query('DELETE FROM welcomes');
  });

  const start = async (owner = 'engine-1'): Promise<void> => {
    engines.push(
      await startEngineHarness({ database: api.database, logStore: createLogStore(), sender, owner }),
    );
  };
  const set = async (changes: object = {}) => {
    const answer = await call('PUT', path, { ...template, ...changes });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  const read = async () => {
    await api.database.query('DELETE FROM analytics_cache');
    return (await call('GET', path)).json().data;
  };
  const subscribe = async (changes: object = {}, subscription: object = {}) => {
    const browserSecret = randomBytes(32).toString('base64url');
    const body = site.subscribeBody({ browserSecret, ...changes }, subscription);
    expect((await site.post('subscribe', body)).statusCode).toBe(200);
    return body as ReturnType<typeof site.subscribeBody> & { readonly browserSecret: string };
  };
  const unsubscribe = (body: { readonly userId: string; readonly browserSecret: string }) =>
    site.post('update_subscription', {
      ...{ userId: body.userId, browserSecret: body.browserSecret },
      subscription: null,
    });
  const waiting = async (): Promise<number[]> =>
    (
      await api.database.query<{ seq: number }>('SELECT seq FROM welcomes WHERE app_id = $1 ORDER BY seq', [
        site.appId,
      ])
    ).map(({ seq }) => seq);
  /** Every reader that waited got theirs, and their deliveries have ended. */
  const served = (count: number) =>
    until('the welcomes to be sent', async () => (await read()).results.sent === count);
  const step = (
    identify = (app: string) => ({ app, delivery: randomBytes(8).toString('hex'), proof: 'p' }),
  ) =>
    createWelcomeStep({
      store: createWelcomeStore(api.database),
      ...{ identify, wakeRelay: () => {}, onPostponed: () => {} },
    });
  const noPause = () =>
    api.database.query('UPDATE welcome_templates SET next_at = now() WHERE app_id = $1', [site.appId]);
  const deliveries = async (): Promise<number> =>
    (await api.database.query('SELECT 1 FROM deliveries WHERE app_id = $1', [site.appId])).length;

  it('goes once to each new subscriber, and is counted on its own page alone', async () => {
    await buildSubscriptions(api.database, site.appId, 3);
    expect(await set()).toMatchObject({ ...template, image_url: null, delay_minutes: 0, waiting: 0 });
    await subscribe();
    await subscribe();
    expect(await waiting()).toEqual([3, 4]);
    await start();
    await served(2);
    expect([...sender.sent].sort()).toEqual([
      [3, 1],
      [4, 1],
    ]);
    const figures = await read();
    expect(figures).toMatchObject({ waiting: 0, results: { days: 30, sent: 2, failed: 0 } });
    // They are kept for a while, and say of when they are.
    const { as_of: asOf } = figures.results;
    expect(Math.abs(Date.now() - Date.parse(asOf))).toBeLessThan(300_000);
    expect((await read()).results.as_of).toBe(asOf);
    const app = `/apps/${site.identifier}`;
    expect((await call('GET', `${app}/deliveries`)).json().data).toEqual([]);
    const [listed] = (await call('GET', `${app}/deliveries?source_type=welcome`)).json().data;
    expect(listed).toMatchObject({
      source_type: 'welcome',
      title: 'Thank you',
      test: false,
      segment_id: null,
    });
    const overview = (await call('GET', `${app}/analytics/overview`)).json();
    expect(overview).toMatchObject({ total_deliveries: 0 });
    // Unlike a test, its outcomes are recorded: reports and a reader's history know it.
    const outcomes = await api.database.query(`SELECT value FROM outbox WHERE topic = 'outcomes'`);
    expect(outcomes.length).toBeGreaterThan(0);
    // The figures of the app's days leave them out.
    expect(outcomes).toEqual(outcomes.map(() => ({ value: { welcome: true } })));
  });

  it('does not come again after an update, a move, or within 30 days of leaving', async () => {
    const early = await subscribe();
    await set();
    await site.post('subscribe', { ...early, externalIds: { a: 'b' } });
    const { subscription: moved } = site.subscribeBody();
    await site.post('subscribe', { ...early, subscription: moved });
    expect(await waiting()).toEqual([]);
    await unsubscribe(early);
    await site.post('subscribe', { ...early, subscription: moved });
    expect((await site.rows()).map(({ status }) => status)).toEqual(['subscribed']);
    expect(await waiting()).toEqual([]);
    await unsubscribe(early);
    await api.database.query(
      `UPDATE subscriptions SET unsubscribed_at = now() - interval '31 days' WHERE app_id = $1`,
      [site.appId],
    );
    await site.post('subscribe', { ...early, subscription: moved });
    expect(await waiting()).toEqual([0]);
  });

  it('waits for its delay, and goes neither to those who left nor once it is switched off', async () => {
    await set({ delay_minutes: 30 });
    const leaves = await subscribe();
    await subscribe();
    expect(await step()()).toBe(0);
    expect(await read()).toMatchObject({ waiting: 2 });
    await api.database.query(`UPDATE welcomes SET due_at = now() WHERE app_id = $1`, [site.appId]);
    await unsubscribe(leaves);
    expect(await step()()).toBe(1);
    expect(await waiting()).toEqual([]);
    await subscribe();
    await set({ enabled: false });
    await subscribe();
    expect(await waiting()).toEqual([2]);
    await api.database.query(`UPDATE welcomes SET due_at = now() WHERE app_id = $1`, [site.appId]);
    await noPause();
    expect(await step()()).toBe(0);
    expect(await waiting()).toEqual([]);
    expect(await deliveries()).toBe(1);
  });

  it('is sent once however many engines look, and a batch that fails half-way leaves its readers waiting', async () => {
    await set();
    for (let n = 0; n < 8; n++) await subscribe();
    await api.database.query(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the process dies here'; END $$`);
    await api.database.query(`CREATE TRIGGER fail_once BEFORE INSERT ON outbox
      FOR EACH ROW WHEN (NEW.topic = 'deliveries') EXECUTE FUNCTION fail_once()`);
    expect(await step()()).toBe(0);
    expect([await deliveries(), (await waiting()).length]).toEqual([0, 8]);
    await api.database.query('DROP TRIGGER fail_once ON outbox; DROP FUNCTION fail_once');
    // It is left alone for a minute.
    expect(await step()()).toBe(0);
    await noPause();
    const sent = await Promise.all(Array.from({ length: 6 }, () => step()()));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(8);
    expect([await deliveries(), await waiting()]).toEqual([1, []]);
    // At most one delivery in ten seconds, however many come.
    await subscribe();
    expect(await step()()).toBe(0);
    await noPause();
    expect(await step()()).toBe(1);
  });

  it('keeps its pace while one engine is at a batch: another one neither waits nor makes a second', async () => {
    await set();
    for (let n = 0; n < 4; n++) await subscribe();
    const store = createWelcomeStore(api.database);
    const build = () => ({ identifier: randomBytes(8).toString('hex'), plaintext: Buffer.from('{}') });
    await api.database.transaction(async (sql) => {
      // As the engine that is at a batch, whose transaction is not over.
      await sql.query('SELECT FROM welcome_templates WHERE app_id = $1 FOR UPDATE', [site.appId]);
      expect(await store.sendDue(site.appId, 2, build)).toBe(0);
      expect([await deliveries(), (await waiting()).length]).toEqual([0, 4]);
    });
    // More wait than one batch takes: of several engines at once one still makes one.
    const counts = await Promise.all(Array.from({ length: 6 }, () => store.sendDue(site.appId, 2, build)));
    expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 2]);
    expect([await deliveries(), (await waiting()).length]).toEqual([1, 2]);
  });

  it('takes its place under the frequency cap as any delivery', async () => {
    await api.database.query(
      'UPDATE apps SET frequency_cap_window_minutes = 60, frequency_cap_max_notifications = 1 WHERE id = $1',
      [site.appId],
    );
    await set();
    await subscribe();
    await start();
    await served(1);
    const made = await call('POST', `/apps/${site.identifier}/deliveries`, deliveryBody());
    expect(made.statusCode, made.body).toBe(201);
    const { id } = made.json().data;
    const one = async () => (await call('GET', `/apps/${site.identifier}/deliveries/${id}`)).json().data;
    await until('the delivery to end', async () => (await one()).status === 'success');
    expect(await one()).toMatchObject({ total_subscribers: 1, capped_subscribers: 1, success_count: 0 });
  });

  it('is set by admins alone where the app asks for approvals', async () => {
    await api.database.query(`UPDATE apps SET approval = 'all' WHERE id = $1`, [site.appId]);
    const member = callAs(api.app, await createMember(api.database, { organizationId, role: 'member' }));
    expect((await member('PUT', path, template)).statusCode).toBe(403);
    expect((await call('PUT', path, template)).statusCode).toBe(200);
  });
});
