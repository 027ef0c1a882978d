// tier: postgres

import { Compile } from 'typebox/compile';
import { afterAll, describe, expect, it } from 'vitest';
import { traceSchema } from '../../../../../api/client/deliveries/trace/trace-schema.ts';
import type { RecordedAttempt } from '../../../../../engine/adapters/clickhouse/analytics.ts';
import type { DeliveryId } from '../../../../../engine/contract/ids.ts';
import type { Outcome } from '../../../../../engine/contract/outcome.ts';
import { buildSubscriptions, readDelivery } from '../../../../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  startEngineHarness,
  until,
} from '../../../../support/engine-harness.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { appBody, deliveryBody, openWithMember } from '../../../support.ts';

const SUBSCRIBERS = 8;
/** Of the first delivery, by seq; 5 has unsubscribed before anything starts, all others are accepted. */
const outcomes: Record<number, Outcome> = { 1: 'gone', 2: 'rejected', 3: 'throttled' };

const recorded = (changes: Partial<RecordedAttempt>): RecordedAttempt => ({
  attempt: 1,
  at: new Date('2026-01-31T12:00:02.345Z'),
  outcome: 'accepted',
  failure: 'none',
  status: 201,
  pushService: 'fcm',
  latencyMs: 41,
  ...changes,
});

describe('the trace of one subscription in a delivery', async () => {
  let troubled = true;

  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const app = `/apps/${identifier}`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, SUBSCRIBERS);
  const update = (seq: number, set: string) =>
    api.database.query(`UPDATE subscriptions SET ${set} WHERE app_id = $1 AND seq = $2`, [appId, seq]);
  await update(5, `status = 'unsubscribed', unsubscribed_at = now()`);
  const engine = await startEngineHarness({
    database: api.database,
    logStore: createLogStore(),
    sender: createFakeSender((seq) => (troubled ? outcomes[seq] : undefined) ?? 'accepted'),
    maxAttempts: 100,
  });
  const create = async (changes: object = {}): Promise<DeliveryId> => {
    const answer = await call('POST', `${app}/deliveries`, deliveryBody(changes));
    expect([answer.statusCode, answer.json().errors]).toEqual([201, undefined]);
    return answer.json().data.id;
  };
  const sent = await create();
  /** It waits for an hour then. */
  const hold = () =>
    api.database.query(
      `UPDATE shards SET due_at = now() + interval '1 hour' WHERE state = 'waiting' RETURNING id`,
    );
  await until('the shard to wait for another attempt', async () => (await hold()).length === 1);
  troubled = false;
  await buildSubscriptions(api.database, appId, 1);
  afterAll(() => engine.close());

  const idOf = async (seq: number): Promise<number> => {
    const [row] = await api.database.query<{ id: number }>(
      'SELECT id FROM subscriptions WHERE app_id = $1 AND seq = $2',
      [appId, seq],
    );
    return row?.id ?? 0;
  };
  const trace = async (delivery: DeliveryId, seq: number) => {
    const answer = await call('GET', `${app}/deliveries/${delivery}/subscriptions/${await idOf(seq)}`);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(Compile(traceSchema).Errors(answer.json().data)).toEqual([]);
    return answer.json().data;
  };

  it('accepted: with its attempts', async () => {
    api.analytics.attempts = [
      recorded({ outcome: 'unreachable', failure: 'unknown', status: 0 }),
      recorded({ attempt: 2 }),
    ];
    expect(await trace(sent, 0)).toEqual({
      delivery_id: sent,
      subscription_id: await idOf(0),
      decision: 'accepted',
      reason: 'The push service (fcm) accepted it.',
      retry_at: null,
      tried_until: null,
      capped_by: [],
      same_person: [],
      attempts_known: true,
      attempts: [
        {
          attempt: 1,
          at: '2026-01-31T12:00:02+00:00',
          outcome: 'unreachable',
          http_status: null,
          push_service: 'fcm',
          latency_ms: 41,
          may_have_arrived: true,
        },
        {
          attempt: 2,
          at: '2026-01-31T12:00:02+00:00',
          outcome: 'accepted',
          http_status: 201,
          push_service: 'fcm',
          latency_ms: 41,
          may_have_arrived: false,
        },
      ],
    });
  });

  it.each<[number, Outcome, number, RegExp]>([
    [1, 'gone', 410, /fcm\) answered 410: the subscription is gone/],
    [1, 'gone', 0, /unsubscribed before it was sent to/],
    [2, 'rejected', 403, /answered 403 and will not take it/],
    [2, 'rejected', 0, /endpoint or keys cannot be used/],
    [2, 'expired', 0, /ran out before a push service took it/],
  ])('failed: %i, %s with status %i', async (seq, outcome, status, reason) => {
    api.analytics.attempts = [recorded({ outcome, status })];
    expect(await trace(sent, seq)).toMatchObject({
      decision: 'failed',
      reason: expect.stringMatching(reason),
      attempts: [{ outcome, push_service: status === 0 ? null : 'fcm' }],
    });
  });

  it('waiting for another attempt: until when', async () => {
    api.analytics.attempts = [recorded({ outcome: 'throttled', status: 429 })];
    const data = await trace(sent, 3);
    expect(data).toMatchObject({
      decision: 'waiting_for_retry',
      reason: expect.stringMatching(/429.*again/),
    });
    expect(Date.parse(data.retry_at)).toBeGreaterThan(Date.now());
  });

  it('waiting for another attempt: tried until the end of its TTL or its expiry, whichever comes first', async () => {
    const createdAt = (await call('GET', `${app}/deliveries/${sent}`)).json().data.created_at;
    const set = (change: string) =>
      api.database.query(`UPDATE deliveries SET ${change} WHERE id = $1`, [sent]);
    const untilSeconds = async () =>
      Math.round((Date.parse((await trace(sent, 3)).tried_until) - Date.parse(createdAt)) / 1_000);
    await set(`ttl_seconds = 7200`);
    expect(await untilSeconds()).toBeLessThanOrEqual(7_201);
    expect(await untilSeconds()).toBeGreaterThanOrEqual(7_200);
    await set(`expires_at = created_at + interval '1 hour'`);
    expect(await untilSeconds()).toBeLessThanOrEqual(3_601);
    await set(`ttl_seconds = 60`);
    expect(await untilSeconds()).toBeLessThanOrEqual(61);
    await set(`expires_at = NULL, ttl_seconds = 0`);
    expect(await trace(sent, 3)).toMatchObject({ decision: 'waiting_for_retry', tried_until: null });
    await set(`ttl_seconds = 86400`);
    expect(await trace(sent, 0)).toMatchObject({ decision: 'accepted', tried_until: null });
  });

  it('is answered without attempts while ClickHouse is unavailable', async () => {
    api.analytics.away = true;
    expect(await trace(sent, 0)).toMatchObject({ decision: 'accepted', attempts_known: false, attempts: [] });
    const failed = await trace(sent, 2);
    expect(failed).toMatchObject({ decision: 'failed', reason: expect.stringMatching(/cannot be read now/) });
    api.analytics.away = false;
    api.analytics.attempts = [];
    expect(await trace(sent, 2)).toMatchObject({ reason: expect.stringMatching(/not recorded yet/) });
  });

  it('reports that attempts are past their retention, for old deliveries', async () => {
    api.analytics.attempts = [];
    api.analytics.keptDays = 90;
    const startedAgo = (days: number) =>
      api.database.query(
        `UPDATE deliveries SET started_at = started_at - make_interval(days => $2) WHERE id = $1`,
        [sent, days],
      );
    expect(await trace(sent, 2)).toMatchObject({ attempts_known: true });
    await startedAgo(91);
    const past = { attempts_known: false, attempts: [] };
    const kept = 'Its attempts are not kept any more, after 90 days.';
    const accepted = `A push service accepted it. ${kept}`;
    expect(await trace(sent, 0)).toMatchObject({ decision: 'accepted', reason: accepted, ...past });
    const failed = `It failed permanently. ${kept}`;
    expect(await trace(sent, 2)).toMatchObject({ decision: 'failed', reason: failed, ...past });
    expect(await trace(sent, 5)).toMatchObject({ decision: 'not_in_audience', attempts_known: true });
    api.analytics.attempts = [recorded({ outcome: 'rejected', status: 403 })];
    expect(await trace(sent, 2)).toMatchObject({
      attempts_known: true,
      reason: expect.stringMatching(/answered 403/),
    });
    api.analytics.keptDays = null;
    api.analytics.attempts = [];
    expect(await trace(sent, 2)).toMatchObject({ attempts_known: true });
    await startedAgo(-91);
  });

  it('not in the audience: it had left, came later, or is not in the segment', async () => {
    const notIn = (reason: RegExp) => ({
      decision: 'not_in_audience',
      reason: expect.stringMatching(reason),
    });
    expect(await trace(sent, 5)).toMatchObject(notIn(/unsubscribed before the delivery started/));
    expect(await trace(sent, SUBSCRIBERS)).toMatchObject(notIn(/subscribed after/));

    await update(0, `country = 'DE'`);
    const rules = { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE'] }] };
    const segment = await call('POST', `${app}/segments`, { name: 'Germany', rules });
    const narrow = await create({ segment_id: segment.json().data.id });
    await until('it to end', async () => (await readDelivery(api.database, narrow)).status === 'success');
    expect(await trace(narrow, 0)).toMatchObject({ decision: 'accepted' });
    expect(await trace(narrow, 4)).toMatchObject(notIn(/does not match/));
    await update(4, `country = 'DE'`);
    expect(await trace(narrow, 4)).toMatchObject(notIn(/does now/));
  });

  it('capped: by which deliveries', async () => {
    await api.database.query(
      `UPDATE apps SET frequency_cap_max_notifications = 1, frequency_cap_window_minutes = 60 WHERE id = $1`,
      [appId],
    );
    const held = await create({ name: 'Evening' });
    await until('it to end', async () => (await readDelivery(api.database, held)).status === 'success');
    await api.database.query(
      `UPDATE blocks SET accepted = decode(repeat('00', 128), 'hex'), capped = settled WHERE delivery_id = $1`,
      [held],
    );
    const data = await trace(held, 4);
    expect(data).toMatchObject({ decision: 'capped', reason: expect.stringMatching(/frequency cap/) });
    expect(data.capped_by).toEqual([{ delivery_id: sent, name: 'Morning', started_at: expect.any(String) }]);
  });

  it('not started, not reached, being sent, and not sent because it was cancelled', async () => {
    const later = await create({ scheduled_at: '2099-01-01T00:00:00Z' });
    expect(await trace(later, 0)).toMatchObject({ decision: 'not_started' });
    await call('POST', `${app}/deliveries/${later}/cancel`);
    expect(await trace(later, 0)).toMatchObject({ decision: 'not_sent' });

    const slow = await create({ rate_per_minute: 1 });
    const blocks = `FROM blocks WHERE delivery_id = ${Number(slow)}`;
    // Paced, so that the engine fixes its block once and then leaves it alone for a minute.
    await until('its block', async () => (await api.database.query(`SELECT 1 ${blocks}`)).length > 0);
    await api.database.query(`DELETE ${blocks}`);
    expect(await trace(slow, 4)).toMatchObject({
      decision: 'not_reached',
      tried_until: expect.stringMatching(/^20/),
    });

    await api.database.query(`UPDATE shards SET state = 'running' WHERE delivery_id = $1`, [sent]);
    expect(await trace(sent, 3)).toMatchObject({
      decision: 'in_progress',
      tried_until: expect.stringMatching(/^20/),
    });
    await api.database.query(`UPDATE shards SET state = 'waiting' WHERE delivery_id = $1`, [sent]);
    await call('POST', `${app}/deliveries/${sent}/cancel`);
    expect(await trace(sent, 3)).toMatchObject({ decision: 'not_sent' });
    expect(await trace(sent, 0)).toMatchObject({ decision: 'accepted' });
  });

  it.each(['x', '0', '999999999', '99999999999999999999'])(
    'is not there for a subscription %s',
    async (id) => {
      const answer = await call('GET', `${app}/deliveries/${sent}/subscriptions/${id}`);
      expect(answer.statusCode).toBe(404);
    },
  );

  it('is not there for a subscription of another app', async () => {
    const other = (await call('POST', '/apps', appBody())).json().data.identifier;
    const path = `/apps/${other}/deliveries/${sent}/subscriptions/${await idOf(0)}`;
    expect((await call('GET', path)).statusCode).toBe(404);
  });
});
