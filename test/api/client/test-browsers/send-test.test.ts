// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import { reachKey } from '../../../../engine/contract/audience.ts';
import type { SendBlock } from '../../../../engine/worker/protocol.ts';
import { buildSubscriptions, readDelivery } from '../../../support/builders.ts';
import {
  blockSent,
  createLogStore,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../../../support/engine-harness.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { appBody, bearer, callAs, createMember, deliveryBody, openWithMember } from '../../support.ts';

/** More than two blocks. */
const READERS = 2_100;
/** In different blocks; the second one's push service refuses it. */
const CHOSEN = [7, 1_024, 2_099];

describe('a test', async () => {
  /** Whom the push service was asked to reach, by the delivery's identifier. */
  const asked = new Map<string, number[]>();
  /** Of deliveries that are not tests. */
  let held: Promise<void> | null = null;

  const { api, member, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const app = `/apps/${identifier}`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, READERS);
  const engine = await startEngineHarness({
    database: api.database,
    logStore: createLogStore(),
    sender: {
      sendBlock: async (task: SendBlock) => {
        const seqs = wantedSeqs(task);
        const { delivery } = JSON.parse(String(Buffer.from(task.notification.plaintext))).notification.data;
        asked.set(delivery, [...(asked.get(delivery) ?? []), ...seqs]);
        if (task.lane !== 'breaking') await held;
        return blockSent(seqs, (seq) => (seq === 1_024 ? 'rejected' : 'accepted'));
      },
    },
  });
  const browsers: { id: number; subscription_id: number }[] = [];
  for (const seq of CHOSEN) {
    const made = await call('POST', `${app}/test-browsers`, { subscription_id: await idOf(seq) });
    expect(made.statusCode, made.body).toBe(201);
    browsers.push(made.json().data);
  }
  afterAll(() => engine.close());

  async function idOf(seq: number): Promise<number> {
    const [row] = await api.database.query<{ id: number }>('SELECT id FROM subscriptions WHERE seq = $1', [
      seq,
    ]);
    return row?.id ?? 0;
  }
  const test = async (changes: object = {}): Promise<{ id: number; identifier: string }> => {
    const made = await call('POST', `${app}/deliveries/test`, { ...deliveryBody(), ...changes });
    expect(made.statusCode, made.body).toBe(201);
    return made.json().data;
  };
  const ended = (id: number) =>
    until('it to end', async () =>
      ['partial', 'success', 'failed'].includes((await readDelivery(api.database, id as never)).status),
    );
  const read = async (id: number) => (await call('GET', `${app}/deliveries/${id}`)).json().data;
  const reached = (identifier: string): number[] => (asked.get(identifier) ?? []).toSorted((a, b) => a - b);
  const results = async (id: number) =>
    (await call('GET', `${app}/deliveries/${id}/test-results`)).json().data;

  /** Everything that an app's figures are read from. */
  const figures = async () => {
    await api.database.query('DELETE FROM analytics_cache');
    const pages = ['overview', 'deliveries', 'engagement', 'funnel', 'push-services'];
    const answers = await Promise.all(
      pages.map(async (page) => (await call('GET', `${app}/analytics/${page}`)).json()),
    );
    const [reader] = (await call('GET', `${app}/subscriptions?search=user-7`)).json().data;
    return { answers, sent: reader.notifications_sent };
  };
  const outcomes = async (): Promise<number> =>
    (await api.database.query(`SELECT 1 FROM outbox WHERE topic = 'outcomes'`)).length;

  it('reaches all test browsers and nobody else, and is in no statistic', async () => {
    const before = await figures();
    const { id, identifier } = await test();
    await ended(id);
    expect(reached(identifier)).toEqual(CHOSEN);
    const data = await read(id);
    expect(data).toMatchObject({
      ...{ test: true, status: 'partial', lane: 'breaking', segment_id: null },
      ...{ total_subscribers: 3, success_count: 2, failed_count: 1, unsubscribed_within_48_hours: null },
    });
    expect(data.engagement.accepted).toBe(2);
    api.analytics.clicks.set(id as never, 2);
    expect(await figures()).toEqual(before);
    expect(await outcomes()).toBe(0);
    api.analytics.clicks.clear();
  });

  it('reaches the chosen ones alone', async () => {
    const { id, identifier } = await test({ test_browser_ids: [browsers[2]?.id] });
    await ended(id);
    expect(reached(identifier)).toEqual([2_099]);
  });

  it('passes the cap and quiet hours, and takes no slot of the cap', async () => {
    const limits = { frequency_cap_max_notifications: 1, frequency_cap_window_minutes: 360 };
    const asleep = { quiet_hours: { from: '00:00', to: '23:59', time_zone: 'app' } };
    await call('PUT', app, appBody({ ...limits, ...asleep }));
    for (let round = 0; round < 2; round++) {
      const { id, identifier } = await test({ test_browser_ids: [browsers[0]?.id] });
      await ended(id);
      expect(reached(identifier)).toEqual([7]);
      expect(await read(id)).toMatchObject({ success_count: 1, capped_subscribers: 0, scheduled_at: null });
    }
    const sent = await call('POST', `${app}/deliveries`, deliveryBody({ during_quiet_hours: 'send' }));
    const { id, identifier } = sent.json().data;
    await ended(id);
    expect(reached(identifier)).toHaveLength(READERS);
    expect((await read(id)).capped_subscribers).toBe(0);
    const { id: after } = await test({ test_browser_ids: [browsers[0]?.id] });
    await ended(after);
    expect((await read(after)).success_count).toBe(1);
    const none = { frequency_cap_max_notifications: null, frequency_cap_window_minutes: null };
    await call('PUT', app, appBody({ ...none, quiet_hours: null }));
  });

  it('goes out while a large delivery is being sent', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const large = (await call('POST', `${app}/deliveries`, deliveryBody())).json().data;
    await until('it to be in flight', async () => asked.has(large.identifier));
    const { id } = await test();
    await ended(id);
    expect((await read(large.id)).status).toBe('processing');
    held = null;
    resolve();
    await ended(large.id);
    expect((await read(large.id)).success_count).toBe(READERS - 1);
  });

  it('says how it went in each browser', async () => {
    const { id } = await test();
    await ended(id);
    const names = async () =>
      (await results(id)).browsers.map(({ subscription_id, state }: Record<string, unknown>) => [
        subscription_id,
        state,
      ]);
    const [first, second, third] = browsers.map((each) => each.subscription_id);
    expect(await names()).toEqual([
      [first, 'accepted'],
      [second, 'failed'],
      [third, 'accepted'],
    ]);
    const shown = new Uint8Array(300);
    shown[0] = 1 << 7;
    api.analytics.reached.set(reachKey({ deliveryId: id as never, reach: 'displayed' }), shown);
    expect((await names())[0]).toEqual([first, 'displayed']);
    api.analytics.reached.set(reachKey({ deliveryId: id as never, reach: 'clicked' }), shown);
    expect((await names())[0]).toEqual([first, 'clicked']);
    api.analytics.away = true;
    expect(await results(id)).toMatchObject({
      reactions_known: false,
      browsers: [{ state: 'accepted' }, {}, {}],
    });
    api.analytics.away = false;
    const plain = (await call('GET', `${app}/deliveries?test=false&per_page=1`)).json().data[0].id;
    expect(await results(plain)).toEqual({ browsers: [], reactions_known: true });
    expect((await call('GET', `${app}/deliveries/999999/test-results`)).statusCode).toBe(404);
  });

  it('is listed among the deliveries, alone or not at all', async () => {
    const list = async (query: string): Promise<boolean[]> =>
      (await call('GET', `${app}/deliveries${query}`))
        .json()
        .data.map((each: { test: boolean }) => each.test);
    expect(new Set(await list(''))).toEqual(new Set([true, false]));
    expect(new Set(await list('?test=true'))).toEqual(new Set([true]));
    expect(new Set(await list('?test=false'))).toEqual(new Set([false]));
  });

  it('is not a duplicate of what readers got, and cannot be corrected', async () => {
    const title = 'Only tested';
    const { id } = await test({ title, url: 'https://news.example.com/only-tested' });
    await ended(id);
    const guarded = deliveryBody({ title, duplicate_guard_hours: 1, url: 'https://news.example.com/tried' });
    const sent = await call('POST', `${app}/deliveries`, guarded);
    expect(sent.statusCode, sent.body).toBe(201);
    await ended(sent.json().data.id);
    const corrected = await call('POST', `${app}/deliveries/${id}/correction`, {
      ...{ title: 'Right', body: 'Now', url: 'https://news.example.com/' },
    });
    expect(corrected.json().errors.status).toEqual(['The delivery is a test: send another one.']);
  });

  it('is told to no webhook', async () => {
    const types = ['delivery.pending', 'delivery.processing', 'delivery.success', 'delivery.partial'];
    await api.database.query(
      `INSERT INTO webhook_endpoints (organization_id, url, types) VALUES ($1, 'https://hooks.example', $2)`,
      [member.organizationId, types],
    );
    const { id } = await test();
    await ended(id);
    expect(await api.database.query('SELECT type FROM webhook_messages')).toEqual([]);
    await api.database.query('DELETE FROM webhook_endpoints');
  });

  it('is planned by no engine that would take it for everyone', async () => {
    const { id } = await test({ test_browser_ids: [browsers[0]?.id] });
    await ended(id);
    const [row] = await api.database.query<{
      segment_id: number;
      audience: { rules: unknown; part: unknown };
    }>('SELECT segment_id, audience FROM deliveries WHERE id = $1', [id]);
    // No segment has this id, and the rule is younger than engines that know no parts.
    expect(row?.segment_id).toBe(0);
    expect(row?.audience.rules).toMatchObject({ conditions: [{ field: 'share' }] });
    expect(row?.audience.part).toEqual({ kind: 'named', seqs: [7] });
  });

  it('is sent once under its key, and leaves the key free where it is refused', async () => {
    const send = (key: string, changes: object = {}) =>
      api.app.inject({
        method: 'POST',
        url: `/api/v1/client${app}/deliveries/test`,
        headers: { ...bearer(member.token), 'idempotency-key': key },
        payload: { ...deliveryBody(), ...changes },
      });
    const refused = await send('one', { test_browser_ids: [999_999] });
    expect(refused.json().errors.test_browser_ids).toEqual([
      'The test_browser_ids field names 999999, which is not a test browser of the app.',
    ]);
    const first = await send('one');
    const again = await send('one');
    expect([first.statusCode, again.body]).toEqual([201, first.body]);
    await ended(first.json().data.id);
  });

  it('is not for other organizations, nor for their browsers', async () => {
    const other = await createMember(api.database);
    const stranger = callAs(api.app, other);
    expect((await stranger('POST', `${app}/deliveries/test`, deliveryBody())).statusCode).toBe(404);
    const own = (
      await stranger('POST', '/apps', appBody({ site_domain: 'https://other.example.com' }))
    ).json();
    const theirs = `/apps/${own.data.identifier}`;
    const ids = { test_browser_ids: [browsers[0]?.id] };
    expect(
      (await stranger('POST', `${theirs}/deliveries/test`, { ...deliveryBody(), ...ids })).statusCode,
    ).toBe(422);
    expect((await stranger('POST', `${theirs}/deliveries/test`, deliveryBody())).json().errors).toEqual({
      test_browser_ids: ['The app has no test browsers: register one first.'],
    });
    const { subscription_id: id } = browsers[0] ?? {};
    expect((await stranger('POST', `${theirs}/test-browsers`, { subscription_id: id })).statusCode).toBe(422);
  });

  it('is sent thirty times an hour', async () => {
    await api.database.query(
      `INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, ttl_seconds, plaintext, test)
       SELECT app_id, 'dlv_t' || n, name, title, body, url, 'success', 60, '', true
       FROM generate_series(1, 30) AS n, (SELECT * FROM deliveries WHERE test LIMIT 1) AS one`,
    );
    const refused = await call('POST', `${app}/deliveries/test`, deliveryBody());
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors.test_browser_ids[0]).toMatch(
      /at most 30 tests an hour: try again in \d+ minutes/,
    );
    await api.database.query(`UPDATE deliveries SET created_at = now() - interval '61 minutes' WHERE test`);
    await ended((await test()).id);
  });
});
