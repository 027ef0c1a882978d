// tier: postgres
import { Compile } from 'typebox/compile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deliveryStatsSchema,
  engagementSchema,
  overviewSchema,
  subscriberStatsSchema,
} from '../../api/client/analytics/schema.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../api/support.ts';
import { buildPastDelivery, dayBefore } from '../support/analytics-rows.ts';
import { type BuiltApp, buildApp } from '../support/builders.ts';

/** The specification's table "Analytics", row by row. */
describe('Analytics', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  const get = (path: string) => call('GET', `/apps/${app.identifier}/analytics${path}`);
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    call = callAs(api.app, await createMember(api.database, { organizationId: app.organizationId }));
  });
  afterEach(() => api.close());

  it('/overview | none | totals, avg_click_rate, subscribers_by_device, subscribers_by_country', async () => {
    await api.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, device_type, browser_name, country, status)
       SELECT $1, n, 'e' || n, '', '', (ARRAY['mobile', 'desktop', NULL])[n % 3 + 1],
         (ARRAY['Chrome', NULL, 'Firefox', 'Chrome', 'Chrome', NULL])[n % 6 + 1], (ARRAY['PL', 'DE', 'PL', NULL])[n % 4 + 1],
         CASE WHEN n = 11 THEN 'unsubscribed' ELSE 'subscribed' END
       FROM generate_series(0, 11) AS n`,
      [app.id],
    );
    await api.database.query(`UPDATE apps SET subscriber_count = 12, active_subscriber_count = 11`);
    const delivery = await buildPastDelivery(api.database, app, { daysAgo: 0, accepted: 11 });
    api.analytics.clicks.set(delivery, 3);
    const answer = await get('/overview');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        total_subscribers: 12,
        active_subscribers: 11,
        total_deliveries: 1,
        total_clicks: 3,
        avg_click_rate: 27.27,
        subscribers_by_device: { desktop: 4, mobile: 4, tablet: 0, unknown: 3 },
        subscribers_by_browser: [
          { browser: 'chrome', count: 6 },
          { browser: 'firefox', count: 2 },
        ],
        subscribers_by_country: [
          { country: 'PL', count: 6 },
          { country: 'DE', count: 3 },
        ],
      },
    ]);
    expect(Compile(overviewSchema).Errors(answer.json())).toEqual([]);
  });

  it('/subscribers | days | period_days, growth, active_vs_inactive', async () => {
    await api.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, created_at, status)
       SELECT $1, n, 'e' || n, '', '', at, CASE WHEN n = 1 THEN 'unsubscribed' ELSE 'subscribed' END
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS came (at, n)`,
      [
        app.id,
        [
          `${dayBefore(3)}T23:59:59.999Z`,
          `${dayBefore(2)}T00:00:00Z`,
          `${dayBefore(2)}T23:59:59.999Z`,
          new Date(),
        ],
      ],
    );
    await api.database.query(`UPDATE apps SET subscriber_count = 4, active_subscriber_count = 3`);
    const answer = await get('/subscribers?days=3');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        period_days: 3,
        growth: [
          { date: dayBefore(2), new_subscribers: 2, left_subscribers: 0 },
          { date: dayBefore(1), new_subscribers: 0, left_subscribers: 0 },
          { date: dayBefore(0), new_subscribers: 1, left_subscribers: 0 },
        ],
        active_vs_inactive: { subscribed: 3, unsubscribed: 1 },
      },
    ]);
    expect(Compile(subscriberStatsSchema).Errors(answer.json())).toEqual([]);
  });

  it('/deliveries | days | period_days, daily_stats, status_breakdown', async () => {
    const given = [
      { daysAgo: 3, accepted: 1_000 },
      { daysAgo: 2, accepted: 100 },
      { daysAgo: 2, status: 'partial', accepted: 50 },
      { daysAgo: 2, status: 'failed' },
      { daysAgo: 0, status: 'cancelled' },
      { daysAgo: 0, status: 'pending' },
    ];
    const ids = [];
    for (const delivery of given) ids.push(await buildPastDelivery(api.database, app, delivery));
    for (const id of ids.slice(0, 3)) api.analytics.clicks.set(id, 7);
    const answer = await get('/deliveries?days=3');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        period_days: 3,
        daily_stats: [
          { date: dayBefore(2), total: 3, successful: 1, notifications_sent: 150, clicks: 14 },
          { date: dayBefore(1), total: 0, successful: 0, notifications_sent: 0, clicks: 0 },
          { date: dayBefore(0), total: 2, successful: 0, notifications_sent: 0, clicks: 0 },
        ],
        status_breakdown: { success: 1, partial: 1, failed: 1, cancelled: 1 },
      },
    ]);
    expect(Compile(deliveryStatsSchema).Errors(answer.json())).toEqual([]);
  });

  it('/engagement | days | period_days, engagement_by_day, top_performing_deliveries', async () => {
    const first = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 300, title: 'One' });
    const second = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 100, title: 'Two' });
    api.analytics.clicks.set(first, 20).set(second, 30);
    const answer = await get('/engagement?days=2');
    const identifiers = await api.database.query<{ identifier: string }>(
      `SELECT identifier FROM deliveries ORDER BY id DESC`,
    );
    const completed_at = `${dayBefore(1)}T12:00:00+00:00`;
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        period_days: 2,
        engagement_by_day: [
          { date: dayBefore(1), avg_click_rate: 12.5, total_clicks: 50, total_sent: 400 },
          { date: dayBefore(0), avg_click_rate: 0, total_clicks: 0, total_sent: 0 },
        ],
        top_performing_deliveries: [
          { id: second, title: 'Two', click_rate: 30, click_count: 30, success_count: 100 },
          { id: first, title: 'One', click_rate: 6.67, click_count: 20, success_count: 300 },
        ].map((delivery, index) => ({ ...delivery, ...identifiers[index], completed_at })),
      },
    ]);
    expect(Compile(engagementSchema).Errors(answer.json())).toEqual([]);
  });

  it('All are GET, app-scoped, need analytics:read', async () => {
    const reader = await createMember(api.database, {
      organizationId: app.organizationId,
      abilities: ['deliveries:read'],
    });
    const stranger = callAs(api.app, await createMember(api.database));
    for (const path of ['overview', 'subscribers', 'deliveries', 'engagement']) {
      const url = `/apps/${app.identifier}/analytics/${path}`;
      expect((await call('POST', url, {})).statusCode).toBe(405);
      expect((await stranger('GET', url)).statusCode).toBe(404);
      const answer = await callAs(api.app, reader)('GET', url);
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { message: 'Token does not have the required ability: analytics:read' },
      ]);
    }
  });

  it('Analytics days | default 30, max 90', async () => {
    for (const path of ['subscribers', 'deliveries', 'engagement']) {
      expect((await get(`/${path}`)).json().period_days).toBe(30);
      for (const days of [1, 90]) expect((await get(`/${path}?days=${days}`)).json().period_days).toBe(days);
      for (const days of ['0', '91', '-1', '1.5', 'ten', '']) {
        const answer = await get(`/${path}?days=${days}`);
        expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['days']]);
      }
    }
  });

  it('Analytics cache | about 5 minutes', async () => {
    const before = (await get('/subscribers?days=1')).json();
    await api.database.query(`UPDATE apps SET subscriber_count = 9, active_subscriber_count = 9`);
    await api.database.query(`UPDATE analytics_cache SET until = until - interval '299 seconds'`);
    expect((await get('/subscribers?days=1')).json()).toEqual(before);
    await api.database.query(`UPDATE analytics_cache SET until = until - interval '1 second'`);
    expect((await get('/subscribers?days=1')).json().active_vs_inactive.subscribed).toBe(9);
  });
});
