// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import { secretHashOf } from '../../../../api/public/browser-name.ts';
import type { TopicValue } from '../../../../engine/contract/topics.ts';
import { createDeliveryProofs } from '../../../../engine/notification/delivery-proof.ts';
import { acceptFor, type BuiltApp, buildApp } from '../../../support/builders.ts';
import { createOutage } from '../../../support/outage.ts';
import { createTestApi, MASTER_KEY, openTestApi } from '../../support.ts';

const ORIGIN = 'https://news.example';
const DAY_MS = 86_400_000;
const proofs = createDeliveryProofs(MASTER_KEY);
/** Of the subscriber with `seq` 1. */
const SECRET = 's'.repeat(43);

describe('POST /public/beacon', async () => {
  const api = await openTestApi();
  const app = await buildApp(api.database, { subscribers: 3 });
  const delivery = await newDelivery(app);
  await api.database.query(`UPDATE subscriptions SET secret_hash = $2 WHERE app_id = $1 AND seq = 1`, [
    app.id,
    secretHashOf(SECRET),
  ]);
  await acceptFor(api.database, delivery.id, [0, 1]);
  beforeEach(() => {
    readBatches();
  });

  async function newDelivery(of: BuiltApp, dueDaysAgo = 10) {
    const identifier = `dlv_${of.identifier}_${dueDaysAgo}`;
    const [row] = await api.database.query<{ id: number }>(
      `INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, ttl_seconds, plaintext, created_at)
       VALUES ($1, $2, 'n', 't', 'b', 'https://news.example/1', 'success', 60, '', now() - make_interval(days => $3))
       RETURNING id`,
      [of.id, identifier, dueDaysAgo],
    );
    return { id: row?.id ?? 0, identifier };
  }

  /** The messages that reached the log since the last call. */
  const readBatches = (): TopicValue<'events'>[] =>
    api.logStore.take('events', 1_000).map((record) => {
      api.logStore.settle('events', record.position);
      return JSON.parse(record.text);
    });
  const readEvents = () => readBatches().flatMap(({ events }) => events);

  const beacon = (changes: object = {}) => ({
    delivery: delivery.identifier,
    proof: proofs.prove(app.identifier, delivery.identifier),
    browserSecret: SECRET,
    events: [{ id: 'event-0001', type: 'clicked' }],
    ...changes,
  });
  const send = (body: object, headers: object = {}) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/public/beacon',
      headers: { 'x-app-id': app.identifier, origin: ORIGIN, ...headers },
      payload: body,
    });

  it('answers 204 once the log has the event, under the numbers of delivery and subscriber', async () => {
    const before = Date.now();
    const answer = await send(
      beacon({ events: [{ id: 'event-0001', type: 'clicked', action: 'button-0' }] }),
      {},
    );
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    const [event, ...others] = readEvents();
    expect(others).toEqual([]);
    expect(event).toEqual({
      id: 'event-0001',
      app_id: app.id,
      delivery_id: delivery.id,
      seq: 1,
      proven: true,
      type: 'clicked',
      action: 'button-0',
      at: expect.any(Number),
    });
    expect(event?.at).toBeGreaterThanOrEqual(before);
    expect(event?.at).toBeLessThanOrEqual(Date.now());
  });

  it('makes one message with a name of beacons that come at the same time', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send(beacon({ events: [{ id: `event-${n}-0001`, type: 'displayed' }] })),
      ),
    );
    const messages = readBatches();
    expect(messages.map(({ events }) => events.length)).toEqual([20]);
    expect(messages[0]?.batch_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers preflights of the site, as for subscribe', async () => {
    const preflight = await api.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/public/beacon',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(ORIGIN);
  });

  it('refuses pages of another origin, before it reads their body', async () => {
    const answer = await send(beacon(), { origin: 'https://elsewhere.example' });
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'Invalid origin domain' }]);
    expect(readEvents()).toEqual([]);
  });

  it('refuses deliveries without receivers, and invalid beacons, without a detail', async () => {
    const other = await buildApp(api.database);
    const foreign = await newDelivery(other);
    const event = { id: 'event-0001', type: 'clicked' };
    const wrong: object[] = [
      { proof: proofs.prove(app.identifier, 'dlv_other') },
      { proof: 'AAAAAAAAAAAAAAAAAAAAAA' },
      { proof: '' },
      { delivery: 'dlv_invented' },
      { delivery: foreign.identifier, proof: proofs.prove(other.identifier, foreign.identifier) },
      { appId: other.identifier },
      { events: [] },
      { events: Array.from({ length: 11 }, (_, n) => ({ ...event, id: `event-${n}-0001` })) },
      { events: [{ ...event, type: 'bought' }] },
      { events: [{ ...event, id: 'short' }] },
      { events: [{ ...event, id: `tab\tin-the-middle` }] },
      { events: [{ ...event, action: 'a\nb' }] },
      { events: [{ ...event, at: 'yesterday' }] },
      { userId: 'nul\0' },
      { browserSecret: 'short' },
      { userId: '' },
    ];
    for (const changes of wrong) {
      const answer = await send(beacon(changes));
      expect([changes, answer.statusCode, answer.json()]).toEqual([
        changes,
        422,
        { success: false, message: 'Invalid request.' },
      ]);
    }
    expect(readEvents()).toEqual([]);
  });

  it('takes the time from the browser, between the delivery’s and now', async () => {
    const old = await newDelivery(app, 40);
    const now = Date.now();
    const said = [now - 2 * DAY_MS, now - 20 * DAY_MS, now + DAY_MS, 0];
    const at = async (of: typeof delivery) => {
      await send(
        beacon({
          delivery: of.identifier,
          proof: proofs.prove(app.identifier, of.identifier),
          events: said.map((ms, n) => ({
            ...{ id: `event-${n}-0001`, type: 'closed' },
            at: new Date(ms).toISOString(),
          })),
        }),
      );
      return readEvents().map((event) => Math.round(Math.abs(now - event.at) / DAY_MS));
    };
    expect(await at(delivery)).toEqual([2, 10, 0, 10]);
    expect(await at(old)).toEqual([2, 20, 0, 30]);
  });

  it('counts an unproven browser once: by the event’s id, or by its given name', async () => {
    const anonymous = beacon({ browserSecret: undefined, events: [{ id: 'event-0007', type: 'clicked' }] });
    await send(anonymous);
    expect(readEvents()).toMatchObject([{ seq: null, id: 'event-0007' }]);
    const ids: string[] = [];
    for (const [userId, id] of [
      ['user-1', 'event-0001'],
      ['user-1', 'event-0002'],
      ['nobody', 'event-0003'],
    ]) {
      await send(beacon({ browserSecret: undefined, userId, events: [{ id, type: 'clicked' }] }));
      const [event] = readEvents();
      expect(event?.seq).toBeNull();
      ids.push(event?.id ?? '');
    }
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(2);
    expect(ids.join()).not.toContain('user-1');
  });

  it('drops beacons of a removed delivery: 204, so that browsers do not retry', async () => {
    const answer = await send(
      beacon({ delivery: 'dlv_removed', proof: proofs.prove(app.identifier, 'dlv_removed') }),
    );
    expect([answer.statusCode, readEvents()]).toEqual([204, []]);
  });

  it('answers 503 with Retry-After while the log is unavailable, so that the browser keeps the event', async () => {
    api.logStore.setAway(true);
    const answer = await send(beacon());
    api.logStore.setAway(false);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(readEvents()).toEqual([]);
    expect((await send(beacon())).statusCode).toBe(204);
  });

  it('answers 503 with Retry-After while Postgres is unavailable', async () => {
    const outage = createOutage(api.database);
    const second = await createTestApi({ database: outage.database });
    const request = {
      method: 'POST',
      url: '/api/v1/public/beacon',
      headers: { 'x-app-id': app.identifier, origin: ORIGIN },
      payload: beacon(),
    } as const;
    // Known before: the names are looked up for each batch all the same.
    expect((await second.app.inject(request)).statusCode).toBe(204);
    outage.begin();
    const answer = await second.app.inject(request);
    outage.end();
    await second.close();
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});
