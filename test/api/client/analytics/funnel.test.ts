// tier: postgres
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addFunnels, funnelOf, noFunnel } from '../../../../api/client/analytics/funnel.ts';
import type { DeliveryReactions, Reactions } from '../../../../engine/adapters/clickhouse/reactions.ts';
import { buildPastDelivery, dayBefore } from '../../../support/analytics-rows.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { callAs, createMember, createTestApi, deliveryBody, type TestApi } from '../../support.ts';

const count = fc.nat({ max: 50 });
const reactions = fc.record({ displayed: count, clicked: count, closed: count });
const none: Reactions = { displayed: 0, clicked: 0, closed: 0 };
const reactionsOf = (
  displayed: number,
  clicked: number,
  closed: number,
  unproven = none,
): DeliveryReactions => ({
  ...{ displayed, clicked, closed },
  unproven,
});

describe('a funnel', () => {
  it('has each stage within the one before it, with the unproven ones or without, whatever was reported', () => {
    const deliveries = fc.array(fc.tuple(count, reactions, reactions), { maxLength: 3 });
    fc.assert(
      fc.property(deliveries, (given) => {
        const { accepted, unproven, ...proven } = given
          .map(([taken, sure, claimed]) => funnelOf(taken, { ...sure, unproven: claimed }))
          .reduce(addFunnels, noFunnel);
        expect(accepted).toBe(given.reduce((sum, [taken]) => sum + taken, 0));
        for (const figure of [...Object.values(proven), ...Object.values(unproven)])
          expect(figure).toBeGreaterThanOrEqual(0);
        const all = {
          displayed: proven.displayed + unproven.displayed,
          clicked: proven.clicked + unproven.clicked,
          closed: proven.closed + unproven.closed,
        };
        for (const stage of [proven, all]) {
          expect(stage.displayed).toBeLessThanOrEqual(accepted);
          expect(stage.clicked + stage.closed).toBeLessThanOrEqual(stage.displayed);
        }
      }),
    );
  });

  it('leaves the proven readers as they are, however much is claimed', () => {
    const flood = { displayed: 1_005, clicked: 1_005, closed: 1_005 };
    expect(funnelOf(100, reactionsOf(60, 5, 20, flood))).toEqual({
      ...{ accepted: 100, displayed: 60, clicked: 5, closed: 20 },
      unproven: { displayed: 40, clicked: 75, closed: 0 },
    });
    expect(funnelOf(100, reactionsOf(60, 5, 20, { displayed: 3, clicked: 2, closed: 1 }))).toMatchObject({
      ...{ displayed: 60, clicked: 5, closed: 20 },
      unproven: { displayed: 3, clicked: 2, closed: 1 },
    });
  });
});

describe('the funnel in the client API', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  const get = async (path: string) => (await call('GET', `/apps/${app.identifier}/${path}`)).json();
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    call = callAs(api.app, await createMember(api.database, { organizationId: app.organizationId }));
  });
  afterEach(() => api.close());

  it('is on a delivery, with the share that each stage is of the one before', async () => {
    const id = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 200 });
    api.analytics.reactions.set(id, reactionsOf(100, 5, 20, { displayed: 2, clicked: 1, closed: 0 }));
    const { data } = await get(`deliveries/${id}`);
    expect(data.engagement).toEqual({
      ...{ accepted: 200, displayed: 100, clicked: 5, closed: 20 },
      ...{ displayed_rate: 50, clicked_rate: 5, closed_rate: 20 },
      unproven: { displayed: 2, clicked: 1, closed: 0 },
    });
    expect(data).toMatchObject({ click_count: 5, click_rate: 2.5, clicks_known: true });
  });

  it('agrees with the delivery while its beacons are ahead of its blocks', async () => {
    const id = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 10 });
    api.analytics.reactions.set(id, reactionsOf(30, 20, 5));
    api.analytics.clicks.set(id, 20);
    const { data } = await get(`deliveries/${id}`);
    expect(data.engagement).toMatchObject({ accepted: 10, displayed: 10, clicked: 10, closed: 0 });
    expect([data.click_count, data.click_rate]).toEqual([10, 100]);
    const [listed] = (await get('deliveries')).data;
    expect([listed.click_count, listed.click_rate]).toEqual([10, 100]);
    expect((await get('analytics/deliveries?days=1')).daily_stats[0].clicks).toBe(10);
  });

  it('is null while ClickHouse is away, and the delivery reports its clicks as unknown', async () => {
    const id = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 200 });
    api.analytics.reactions.set(id, reactionsOf(100, 5, 20));
    api.analytics.away = true;
    const { data } = await get(`deliveries/${id}`);
    expect(data).toMatchObject({ success_count: 200, engagement: null });
    expect(data).toMatchObject({ click_count: 0, click_rate: 0, clicks_known: false });
    expect((await get('deliveries')).data).toMatchObject([{ click_count: 0, clicks_known: false }]);
    expect((await call('GET', `/apps/${app.identifier}/analytics/funnel`)).statusCode).toBe(503);
    api.analytics.away = false;
    expect((await get('deliveries')).data).toMatchObject([{ clicks_known: true }]);
    expect((await get(`deliveries/${id}`)).data.engagement.clicked).toBe(5);
  });

  it('stands beside what each push service took, which is unknown while ClickHouse is away and none of a rehearsal', async () => {
    const id = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 200 });
    api.analytics.costs = [{ service: 'fcm', requests: 214, answerMs: 48 }];
    const read = async () => (await get(`deliveries/${id}`)).data.push_service_costs;
    expect(await read()).toEqual([{ push_service: 'fcm', requests: 214, answer_ms: 48 }]);
    api.analytics.away = true;
    expect(await read()).toBeNull();
    await api.database.query('UPDATE deliveries SET rehearsal = true WHERE id = $1', [id]);
    expect(await read()).toEqual([]);
  });

  it('queries ClickHouse for no unsent delivery, and once for a page of a hundred', async () => {
    const made = await call('POST', `/apps/${app.identifier}/deliveries`, deliveryBody());
    const asked = api.analytics.asked;
    const { data } = await get(`deliveries/${made.json().data.id}`);
    expect(data.engagement).toMatchObject({ accepted: 0, displayed: 0, clicked: 0, closed: 0 });
    expect([data.clicks_known, api.analytics.asked]).toEqual([true, asked]);
    for (let at = 0; at < 99; at++) await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 5 });
    const listed = (await get('deliveries?per_page=100')).data;
    expect([listed.length, api.analytics.asked]).toEqual([100, asked + 1]);
    expect(listed[0]).not.toHaveProperty('engagement');
  });

  it('adds up an app’s deliveries by the day they were due, without rehearsals and those before', async () => {
    const first = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 100 });
    const second = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 50 });
    const untold = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 10 });
    const old = await buildPastDelivery(api.database, app, { daysAgo: 2, accepted: 9 });
    const rehearsal = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 9 });
    await api.database.query('UPDATE deliveries SET rehearsal = true WHERE id = $1', [rehearsal]);
    api.analytics.reactions
      .set(first, reactionsOf(80, 8, 20, { displayed: 1, clicked: 1, closed: 0 }))
      .set(second, reactionsOf(60, 60, 60))
      .set(old, reactionsOf(9, 9, 0))
      .set(rehearsal, reactionsOf(9, 9, 0));
    expect(untold).toBeGreaterThan(0);
    expect(await get('analytics/funnel?days=2')).toEqual({
      period_days: 2,
      funnel_by_day: [
        {
          date: dayBefore(1),
          ...{ accepted: 150, displayed: 130, clicked: 58, closed: 20 },
          unproven: { displayed: 1, clicked: 1, closed: 0 },
        },
        { date: dayBefore(0), ...{ accepted: 10, displayed: 0, clicked: 0, closed: 0 }, unproven: none },
      ],
      totals: {
        ...{ accepted: 160, displayed: 130, clicked: 58, closed: 20 },
        ...{ displayed_rate: 81.25, clicked_rate: 44.62, closed_rate: 15.38 },
        unproven: { displayed: 1, clicked: 1, closed: 0 },
      },
    });
  });
});

describe('push services in analytics', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  const path = () => `/apps/${app.identifier}/analytics/push-services?days=2`;
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    call = callAs(api.app, await createMember(api.database, { organizationId: app.organizationId }));
  });
  afterEach(() => api.close());

  it('are what the roll-up holds, by day and in all', async () => {
    api.analytics.serviceTotals = [
      { day: dayBefore(1), service: 'fcm', accepted: 90, failed: 10, retried: 5, throttled: 4 },
      { day: dayBefore(0), service: 'fcm', accepted: 1, failed: 0, retried: 0, throttled: 0 },
      { day: dayBefore(0), service: 'mozilla', accepted: 198, failed: 2, retried: 0, throttled: 0 },
    ];
    const { daily_stats: days, ...rest } = (await call('GET', path())).json();
    expect(days[0]).toEqual({
      ...{ date: dayBefore(1), push_service: 'fcm' },
      ...{ sent: 100, accepted: 90, failed: 10, retried: 5, throttled: 4 },
    });
    expect(days).toHaveLength(3);
    expect(rest).toEqual({
      period_days: 2,
      push_services: [
        {
          ...{ push_service: 'mozilla', sent: 200, accepted: 198, failed: 2 },
          ...{ retried: 0, throttled: 0, accepted_rate: 99 },
        },
        {
          ...{ push_service: 'fcm', sent: 101, accepted: 91, failed: 10 },
          ...{ retried: 5, throttled: 4, accepted_rate: 90.1 },
        },
      ],
      unrecorded: 0,
    });
  });

  it('report how many messages Postgres has counted that the roll-up lacks', async () => {
    const before = await buildPastDelivery(api.database, app, { daysAgo: 40, accepted: 7 });
    const whole = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 10 });
    const behind = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 10 });
    const running = await buildPastDelivery(api.database, app, { daysAgo: 3, status: 'processing' });
    const rehearsal = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 10 });
    await api.database.query('UPDATE deliveries SET started_at = created_at, rehearsal = id = $1', [
      rehearsal,
    ]);
    await api.database.query(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, accepted_count, failed_count)
       VALUES ($1, $2, 0, '{}', 0, 20, 3)`,
      [running, app.id],
    );
    expect(before).toBeGreaterThan(0);
    api.analytics.ended
      .set(whole, { accepted: 10, failed: 0 })
      .set(behind, { accepted: 6, failed: 0 })
      .set(running, { accepted: 20, failed: 1 });
    expect((await call('GET', path())).json()).toMatchObject({ push_services: [], unrecorded: 6 });
  });

  it('answer 503 with Retry-After while ClickHouse is away, never zeros', async () => {
    api.analytics.away = true;
    const answer = await call('GET', path());
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    api.analytics.away = false;
    expect((await call('GET', path())).statusCode).toBe(200);
  });
});
