// tier: postgres
import { Compile } from 'typebox/compile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryRevenueSchema } from '../../../../../api/client/analytics/delivery-revenue/schema.ts';
import { MOST_VISITS } from '../../../../../api/ports/analytics.ts';
import { grantDomain, revokeDomain } from '../../../../../api/shared/revenue/revenue-domains.ts';
import type { DeliveryId, OrganizationId } from '../../../../../engine/contract/ids.ts';
import { buildPastDelivery, dayBefore } from '../../../../support/analytics-rows.ts';
import { type BuiltApp, buildApp } from '../../../../support/builders.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../../../support.ts';

const earned = (
  hour: number | null,
  impressions: number,
  earnings: string,
  currency = 'EUR',
  daysAgo = 1,
) => ({
  ...{ date: dayBefore(daysAgo), hour, currency, earnings },
  ...{ earned: Number(earnings) !== 0, impressions: BigInt(impressions) },
});
const came = (id: DeliveryId, hour: number | null, visits: number, daysAgo = 1) => ({
  ...{ id, date: dayBefore(daysAgo), hour, visits },
});

describe('what deliveries earned', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  let organizationId: OrganizationId;
  let first: DeliveryId;
  let second: DeliveryId;
  const get = async (query = '') => {
    const answer = await call('GET', `/apps/${app.identifier}/analytics/revenue/deliveries${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(Compile(deliveryRevenueSchema).Errors(answer.json())).toEqual([]);
    return answer.json();
  };
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    organizationId = app.organizationId as OrganizationId;
    call = callAs(api.app, await createMember(api.database, { organizationId }));
    await grantDomain(api.database, organizationId, 'news.example');
    first = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 1_000, title: 'First' });
    second = await buildPastDelivery(api.database, app, { daysAgo: 2, accepted: 500, title: 'Second' });
    await api.database.query(`UPDATE deliveries SET url = 'https://www.news.example/a' WHERE app_id = $1`, [
      app.id,
    ]);
  });
  afterEach(() => api.close());

  it('is estimated by the hours of their clicks, and by days where there are no hours', async () => {
    api.analytics.hourEarnings = [
      earned(7, 900, '3'),
      earned(7, 0, '1.5', 'USD'),
      earned(8, 100, '1'),
      earned(null, 30, '0.000002'),
    ];
    api.analytics.fxRates = [{ day: dayBefore(3), currency: 'USD', perEur: '1.5', source: 'ECB' }];
    api.analytics.visits = { hourly: [came(first, 7, 3), came(second, 7, 1)], daily: [] };
    const answer = await get('?days=3');
    expect(answer.deliveries).toEqual([
      {
        ...{ id: first, title: 'First', date: dayBefore(1), leads_to_site: true },
        identifier: expect.any(String),
        // Three quarters of 3 + 1.5 / 1.5 at seven, and of the day's two millionths.
        ...{ visits: 3, impressions: 697, earnings: 3.000_001, earnings_by_hour: 3, grain: 'mixed' },
      },
      expect.objectContaining({ id: second, visits: 1, impressions: 232, earnings: 1, grain: 'mixed' }),
    ]);
    expect(answer).toMatchObject({
      others: { deliveries: 0, visits: 0, impressions: 0, earnings: 0 },
      unassigned: { impressions: 101, earnings: 1.000_001 },
      totals: { impressions: 1_030, earnings: 5.000_002 },
      meta: { granted: true, hours_since: dayBefore(2), rates: [{ source: 'ECB' }], left_out: [] },
    });
    const short = await get('?days=3&limit=1&impressions_per_visit=25');
    // 100 of the 900 impressions at seven, and all 30 of the day: 100 would be more.
    expect(short).toMatchObject({
      deliveries: [{ id: first, impressions: 97, earnings: 0.333_334 }],
      others: { deliveries: 1, visits: 1, impressions: 32, earnings: 0.111_111 },
      unassigned: { earnings: 4.555_557 },
      totals: { earnings: 5.000_002 },
    });
  });

  it('is by days where single clicks are past their retention', async () => {
    api.analytics.keptDays = 1;
    api.analytics.hourEarnings = [earned(7, 900, '3'), earned(9, 100, '1')];
    api.analytics.visits = { hourly: [], daily: [came(first, null, 1), came(second, null, 1)] };
    const answer = await get('?days=3');
    expect(answer.meta.hours_since).toBe(dayBefore(0));
    expect(answer.deliveries).toMatchObject([
      { id: second, earnings: 2, earnings_by_hour: 0, grain: 'day' },
      { id: first, earnings: 2, grain: 'day' },
    ]);
  });

  it('does not count a click that leads elsewhere, nor twice what apps share', async () => {
    const sibling = await buildApp(api.database);
    await api.database.query(
      `UPDATE apps SET organization_id = $2, site_domain = 'https://news.example' WHERE id = $1`,
      [sibling.id, organizationId],
    );
    const other = await buildPastDelivery(api.database, sibling, { daysAgo: 1, title: 'Other' });
    await api.database.query(`UPDATE deliveries SET url = 'https://news.example/b' WHERE id = $1`, [other]);
    await api.database.query(`UPDATE deliveries SET url = 'https://shop.example/' WHERE id = $1`, [second]);
    api.analytics.hourEarnings = [earned(7, 900, '3')];
    const visits = [came(first, 7, 1), came(second, 7, 5), came(other, 7, 2)];
    api.analytics.visits = { hourly: visits, daily: [] };
    const answer = await get('?days=3');
    expect(answer.deliveries).toMatchObject([
      { id: first, earnings: 1, leads_to_site: true },
      { id: second, visits: 5, earnings: 0, leads_to_site: false, grain: null },
    ]);
    expect(answer.unassigned.earnings).toBe(2);
  });

  it('reads nothing of a site that was not granted', async () => {
    await revokeDomain(api.database, organizationId, 'news.example');
    api.analytics.hourEarnings = [earned(7, 900, '3')];
    api.analytics.visits = { hourly: [came(first, 7, 3)], daily: [] };
    expect(await get()).toMatchObject({
      deliveries: [{ id: first, visits: 3, earnings: 0, grain: null }],
      totals: { impressions: 0, earnings: 0 },
      meta: { granted: false, watermark: null },
    });
    expect(api.analytics.sitesAsked).toEqual([]);
  });

  it.each(['days=0', 'limit=0', 'limit=1001', 'impressions_per_visit=0', 'currency=GBP'])(
    'refuses %s',
    async (query) => {
      const answer = await call('GET', `/apps/${app.identifier}/analytics/revenue/deliveries?${query}`);
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [query.split('=')[0]]]);
    },
  );

  it('refuses more hours of clicks than it reads, and says what to do', async () => {
    api.analytics.visits = {
      hourly: Array.from({ length: MOST_VISITS + 1 }, () => came(first, 7, 1)),
      daily: [],
    };
    const answer = await call('GET', `/apps/${app.identifier}/analytics/revenue/deliveries`);
    expect([answer.statusCode, answer.json().errors.from[0]]).toEqual([
      422,
      'Readers came in too many hours: ask for a shorter period.',
    ]);
  });
});
