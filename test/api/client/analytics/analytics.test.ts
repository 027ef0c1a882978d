// tier: postgres
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillDays, periodOf } from '../../../../api/client/analytics/period.ts';
import { createRemember } from '../../../../api/client/analytics/remember.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { buildPastDelivery, dayBefore } from '../../../support/analytics-rows.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { bearer, callAs, createMember, createTestApi, type Member, type TestApi } from '../../support.ts';

const paths = ['overview', 'subscribers', 'deliveries', 'engagement'];

describe('analytics', () => {
  let api: TestApi;
  let app: BuiltApp;
  let member: Member;
  const get = (path: string, of = app) =>
    callAs(api.app, member)('GET', `/apps/${of.identifier}/analytics/${path}`);
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    member = await createMember(api.database, { organizationId: app.organizationId });
  });
  afterEach(() => api.close());

  it('are computed once for calls at the same time, and cached for other processes', async () => {
    const asked = api.analytics.asked;
    const answers = await Promise.all([1, 2, 3].map(() => get('engagement')));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const other = await createTestApi({ database: api.database });
    const answer = await other.app.inject({
      method: 'GET',
      url: `/api/v1/client/apps/${app.identifier}/analytics/engagement`,
      headers: bearer(member.token),
    });
    expect([answer.statusCode, answer.body]).toEqual([200, answers[0]?.body]);
    expect([api.analytics.asked, other.analytics.asked]).toEqual([asked + 1, 0]);
    await other.close();
  });

  it('answer each app and each number of days with its own', async () => {
    const other = await buildApp(api.database);
    await api.database.query(`UPDATE apps SET organization_id = $1, subscriber_count = id`, [
      app.organizationId,
    ]);
    for (const days of [2, 20, 2]) {
      const asked = [app, other];
      const answers = await Promise.all(asked.map((of) => get(`subscribers?days=${days}`, of)));
      const bodies = answers.map((answer) => answer.json());
      expect(bodies.map(({ growth }) => growth.length)).toEqual([days, days]);
      expect(bodies.map(({ active_vs_inactive }) => active_vs_inactive.unsubscribed)).toEqual([
        app.id,
        other.id,
      ]);
    }
  });

  it('answer a period between two days, each with its own figures, and name the fault of a wrong one', async () => {
    const [from, to] = [dayBefore(40), dayBefore(38)];
    const between = (path: string, query: string) => get(`${path}?${query}`);
    const { daily_stats: stats } = (await between('deliveries', `from=${from}&to=${to}`)).json();
    expect(stats.map(({ date }: { date: string }) => date)).toEqual([40, 39, 38].map(dayBefore));
    for (const path of ['subscribers', 'deliveries', 'engagement', 'funnel', 'push-services']) {
      expect((await between(path, `from=${from}&to=${to}`)).json().period_days, path).toBe(3);
      const wrong = await between(path, `from=${to}&to=${from}`);
      expect([wrong.statusCode, Object.keys(wrong.json().errors)], path).toEqual([422, ['to']]);
    }
  });

  it('end with the new day after midnight, whatever is cached of the old one', async () => {
    const lastDay = async () => (await get('deliveries?days=1')).json().daily_stats.at(-1).date;
    expect(await lastDay()).toBe(dayBefore(0));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    const tomorrow = await lastDay();
    vi.useRealTimers();
    expect(tomorrow).toBe(dayBefore(-1));
  });

  it('answer 503 with Retry-After while ClickHouse is away, where they need it, and keep no failure', async () => {
    api.analytics.away = true;
    const statuses = await Promise.all(paths.map(async (path) => (await get(path)).statusCode));
    expect(statuses).toEqual([503, 200, 503, 503]);
    expect((await get('overview')).headers['retry-after']).toBe('5');
    api.analytics.away = false;
    for (const path of paths) expect((await get(path)).statusCode).toBe(200);
  });

  it('stop answering for a deleted app, cached or not', async () => {
    for (const path of paths) expect((await get(path)).statusCode).toBe(200);
    await api.database.query(`UPDATE apps SET deleted_at = now()`);
    for (const path of paths) expect((await get(path)).statusCode).toBe(404);
  });

  it('count no more clicks of a delivery than push services accepted of it, in the overview too', async () => {
    for (const [accepted, clicks] of [
      [5, 9],
      [100, 3],
    ] as const) {
      const id = await buildPastDelivery(api.database, app, { daysAgo: 400, accepted });
      api.analytics.clicks.set(id, clicks);
    }
    expect((await get('overview')).json()).toMatchObject({
      total_deliveries: 2,
      total_clicks: 8,
      avg_click_rate: 7.62,
    });
  });

  it('count a scheduled delivery on the day it is due, and not before', async () => {
    const due = await buildPastDelivery(api.database, app, { daysAgo: 40, accepted: 5 });
    const ahead = await buildPastDelivery(api.database, app, { daysAgo: 1, status: 'scheduled' });
    await api.database.query(
      `UPDATE deliveries SET scheduled_at = CASE id WHEN $1 THEN $2 ELSE now() + interval '2 days' END WHERE id IN ($1, $3)`,
      [due, `${dayBefore(1)}T00:00:00Z`, ahead],
    );
    expect((await get('deliveries?days=2')).json().daily_stats).toMatchObject([
      { date: dayBefore(1), total: 1, notifications_sent: 5 },
      { date: dayBefore(0), total: 0 },
    ]);
  });

  it('count a delivery that was cancelled on that day, whether it was due before or would be later', async () => {
    for (const daysAgo of [20, 1, -1, -30]) {
      const id = await buildPastDelivery(api.database, app, { daysAgo, status: 'cancelled' });
      await api.database.query(`UPDATE deliveries SET updated_at = now() WHERE id = $1`, [id]);
    }
    const before = await buildPastDelivery(api.database, app, { daysAgo: 0, status: 'cancelled' });
    await api.database.query(`UPDATE deliveries SET updated_at = now() - interval '1 day' WHERE id = $1`, [
      before,
    ]);
    expect((await get('deliveries?days=1')).json()).toMatchObject({
      daily_stats: [{ total: 4 }],
      status_breakdown: { cancelled: 4 },
    });
    expect((await get('deliveries?days=2')).json()).toMatchObject({
      daily_stats: [{ total: 1 }, { total: 4 }],
      status_breakdown: { cancelled: 5 },
    });
  });

  it('count what shards of a running or cancelled delivery have sent so far', async () => {
    const ids = [
      await buildPastDelivery(api.database, app, { daysAgo: 0, status: 'processing' }),
      await buildPastDelivery(api.database, app, { daysAgo: 0, status: 'cancelled' }),
    ];
    for (const id of ids) {
      await api.database.query(
        `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, accepted_count)
         SELECT $1, $2, n, '{}', 0, 10 FROM generate_series(1, 3) n`,
        [id, app.id],
      );
    }
    expect((await get('deliveries?days=1')).json().daily_stats).toMatchObject([
      { total: 2, notifications_sent: 60 },
    ]);
    expect((await get('engagement?days=1')).json().top_performing_deliveries).toEqual([]);
  });

  it('show the ten best deliveries by rate, then by clicks, the newest first among equals', async () => {
    const given = [
      [1_000, 100],
      [10, 1],
      [100_000, 10_000],
      [100, 50],
      [3, 0],
      [0, 0],
      ...Array.from({ length: 6 }, () => [100, 20]),
    ] as const;
    const ids: number[] = [];
    for (const [accepted, clicks] of given) {
      const id = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted, status: 'partial' });
      api.analytics.clicks.set(id, clicks);
      ids.push(id);
    }
    const top = (await get('engagement?days=1')).json().top_performing_deliveries;
    const order = [3, 11, 10, 9, 8, 7, 6, 2, 0, 1];
    expect(top.map(({ id }: { id: number }) => id)).toEqual(order.map((index) => ids[index]));
  });

  it('hold nothing of another app', async () => {
    const other = await buildApp(api.database, { subscribers: 5 });
    const id = await buildPastDelivery(api.database, other, { daysAgo: 0, accepted: 5 });
    api.analytics.clicks.set(id, 5);
    const [overview, growth, deliveries, engagement] = await Promise.all(
      ['overview', 'subscribers?days=1', 'deliveries?days=1', 'engagement?days=1'].map(async (path) =>
        (await get(path)).json(),
      ),
    );
    expect(overview).toMatchObject({ total_subscribers: 0, active_subscribers: 0, total_deliveries: 0 });
    expect(overview.subscribers_by_device).toEqual({ desktop: 0, mobile: 0, tablet: 0 });
    expect(growth.growth).toEqual([{ date: dayBefore(0), new_subscribers: 0, left_subscribers: 0 }]);
    expect(deliveries).toMatchObject({
      daily_stats: [{ total: 0, successful: 0, notifications_sent: 0, clicks: 0 }],
      status_breakdown: { success: 0, partial: 0, failed: 0, cancelled: 0 },
    });
    expect(engagement).toMatchObject({
      engagement_by_day: [{ avg_click_rate: 0, total_clicks: 0, total_sent: 0 }],
      top_performing_deliveries: [],
    });
  });

  it('ignore clicks of deliveries before the period, and of no delivery', async () => {
    const old = await buildPastDelivery(api.database, app, { daysAgo: 5, accepted: 10 });
    api.analytics.clicks.set(old, 9).set(999_999 as never, 9);
    expect((await get('deliveries?days=5')).json().daily_stats[4].clicks).toBe(0);
    expect((await get('deliveries?days=6')).json().daily_stats[0].clicks).toBe(9);
  });
});

describe('the analytics cache', () => {
  it('is swept, a hundred rows past their time with every new one', async () => {
    const api = await createTestApi();
    await api.database.query(
      `INSERT INTO analytics_cache (app_id, question, answer, until)
       SELECT n, 'old', '{}', now() - interval '1 second' FROM generate_series(1, 250) n`,
    );
    const remember = createRemember(api.database);
    const rows = async () =>
      (await api.database.query<{ n: number }>('SELECT count(*) AS n FROM analytics_cache'))[0]?.n;
    await remember(1 as AppId, 'new', async () => ({}));
    expect(await rows()).toBe(151);
    // An expired row of the same question is overwritten.
    expect(await remember(200 as AppId, 'old', async () => ({ fresh: true }))).toEqual({ fresh: true });
    expect(await rows()).toBe(51);
    await api.close();
  });

  it('is nothing after a failure', async () => {
    const api = await createTestApi();
    const remember = createRemember(api.database);
    const failing = () => Promise.reject(new Error('away'));
    await expect(remember(1 as AppId, 'overview', failing)).rejects.toThrow('away');
    expect(await remember(1 as AppId, 'overview', async () => ({ is: 'back' }))).toEqual({ is: 'back' });
    await api.close();
  });
});

describe('a period', () => {
  it('ends with today in UTC, over the end of a month and of a leap year’s February', () => {
    const period = periodOf(3, Date.UTC(2028, 2, 1, 23, 59, 59, 999));
    expect(period).toEqual({
      days: ['2028-02-28', '2028-02-29', '2028-03-01'],
      firstDay: '2028-02-28',
      from: new Date('2028-02-28T00:00:00Z'),
      until: new Date('2028-03-02T00:00:00Z'),
    });
    expect(periodOf(1, Date.UTC(2028, 2, 2)).days).toEqual(['2028-03-02']);
  });

  it('has every day once, whatever was found', () => {
    const period = periodOf(2, Date.UTC(2026, 0, 2));
    const found = [
      { date: '2026-01-01', n: 4 },
      { date: '2020-01-01', n: 9 },
    ];
    expect(fillDays(period, found, { n: 0 })).toEqual([
      { date: '2026-01-01', n: 4 },
      { date: '2026-01-02', n: 0 },
    ]);
  });
});
