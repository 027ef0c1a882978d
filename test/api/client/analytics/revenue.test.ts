// tier: postgres
import { Compile } from 'typebox/compile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { revenueSchema } from '../../../../api/client/analytics/revenue-schema.ts';
import { grantDomain, revokeDomain } from '../../../../api/shared/revenue/revenue-domains.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { buildPastDelivery, dayBefore } from '../../../support/analytics-rows.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../../support.ts';

const earned = (daysAgo: number, currency: string, impressions: number, earnings: string) => ({
  date: dayBefore(daysAgo),
  currency,
  earned: Number(earnings) !== 0,
  impressions: BigInt(impressions),
  earnings,
});
const rate = (daysAgo: number, currency: string, perEur: string, source = 'ECB') => ({
  day: dayBefore(daysAgo),
  currency,
  perEur,
  source,
});

describe('revenue', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  let organizationId: OrganizationId;
  const path = (of = app) => `/apps/${of.identifier}/analytics/revenue`;
  const get = async (query = '') => {
    const answer = await call('GET', `${path()}${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(Compile(revenueSchema).Errors(answer.json())).toEqual([]);
    return answer.json();
  };
  const forgetAnswers = () => api.database.query('DELETE FROM analytics_cache');
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    organizationId = app.organizationId as OrganizationId;
    call = callAs(api.app, await createMember(api.database, { organizationId }));
    await grantDomain(api.database, organizationId, 'news.example');
  });
  afterEach(() => api.close());

  it('is shown beside messages and clicks, each day converted with its own rate', async () => {
    const delivery = await buildPastDelivery(api.database, app, { daysAgo: 1, accepted: 1_000 });
    api.analytics.clicks.set(delivery, 40);
    api.analytics.earnings = [
      earned(2, 'EUR', 1_000, '1.5'),
      earned(1, 'EUR', 2_000, '2'),
      earned(1, 'GBP', 500, '0.8'),
      earned(1, 'USD', 1_500, '3'),
    ];
    api.analytics.fxRates = [
      rate(5, 'GBP', '0.8'),
      rate(2, 'USD', '1.25', 'desk'),
      rate(1, 'USD', '1.5'),
      rate(0, 'USD', '9'),
    ];
    const inEur = await get('?days=3');
    expect(inEur).toMatchObject({
      period_days: 3,
      revenue_by_day: [
        {
          date: dayBefore(2),
          notifications_sent: 0,
          clicks: 0,
          impressions: 1_000,
          earnings: 1.5,
          ecpm: 1.5,
        },
        // 2 + 0.8 / 0.8 + 3 / 1.5.
        {
          date: dayBefore(1),
          notifications_sent: 1_000,
          clicks: 40,
          impressions: 4_000,
          earnings: 5,
          ecpm: 1.25,
        },
        { date: dayBefore(0), notifications_sent: 0, clicks: 0, impressions: 0, earnings: 0, ecpm: 0 },
      ],
      totals: { notifications_sent: 1_000, clicks: 40, impressions: 5_000, earnings: 6.5, ecpm: 1.3 },
    });
    expect(inEur.meta).toEqual({
      currency: 'EUR',
      site: 'news.example',
      granted: true,
      watermark: null,
      restated: false,
      rates: [{ source: 'ECB', first_day: dayBefore(5), last_day: dayBefore(1) }],
      old_rates: [],
      left_out: [],
    });
    const inUsd = await get('?days=3&currency=USD');
    // 1.5 × 1.25, and 2 × 1.5 + 0.8 × 1.5 / 0.8 + 3.
    expect(inUsd.revenue_by_day.map(({ earnings }: { earnings: number }) => earnings)).toEqual([
      1.875, 7.5, 0,
    ]);
    expect(inUsd.meta.rates).toEqual([
      { source: 'ECB', first_day: dayBefore(5), last_day: dayBefore(1) },
      { source: 'desk', first_day: dayBefore(2), last_day: dayBefore(2) },
    ]);
  });

  it('is exact: every digit is written, and rounding happens once, half away from zero', async () => {
    api.analytics.earnings = [
      earned(2, 'EUR', 3, '98765432109876543.12345650'),
      earned(1, 'EUR', 0, '-0.00000050'),
      earned(0, 'EUR', 7, '0.00000040'),
    ];
    const { body } = await call('GET', `${path()}?days=3`);
    const written = [...body.matchAll(/"(earnings|ecpm)":([^,}]+)/g)].map(([, , digits]) => digits);
    expect(written).toEqual([
      ...['98765432109876543.123457', '32921810703292181041.152167'],
      ...['-0.000001', '0'],
      ...['0', '0.000057'],
      ...['98765432109876543.123456', '9876543210987654312.34564'],
    ]);
    expect((await call('GET', `${path()}?days=3`)).body).toBe(body);
  });

  it('is nothing, and no error, where there are no ad statistics and no deliveries', async () => {
    const none = { notifications_sent: 0, clicks: 0, impressions: 0, earnings: 0, ecpm: 0 };
    expect(await get('?days=1')).toEqual({
      period_days: 1,
      revenue_by_day: [{ date: dayBefore(0), ...none }],
      totals: none,
      meta: {
        currency: 'EUR',
        site: 'news.example',
        granted: true,
        watermark: null,
        restated: false,
        rates: [],
        old_rates: [],
        left_out: [],
      },
    });
    expect((await get()).period_days).toBe(30);
  });

  it('shows until when its own sources are complete, and whether a day of theirs was corrected', async () => {
    await api.database.query(
      `INSERT INTO ad_sources (source, complete_until) VALUES ('one', '2026-01-31T22:00:00Z'), ('two', '2026-01-31T23:00:00Z')`,
    );
    await api.database.query(`INSERT INTO ad_restated (source, day, below) VALUES ('one', $1, 4)`, [
      dayBefore(1),
    ]);
    api.analytics.sourceDays = [['two', dayBefore(1)]];
    expect((await get('?days=2')).meta).toMatchObject({
      watermark: '2026-01-31T23:00:00+00:00',
      restated: false,
    });
    api.analytics.sourceDays.push(['one', dayBefore(1)]);
    await forgetAnswers();
    expect((await get('?days=1')).meta).toMatchObject({
      watermark: '2026-01-31T22:00:00+00:00',
      restated: false,
    });
    expect((await get('?days=2')).meta).toMatchObject({ restated: true });
    expect(api.analytics.sitesAsked.at(-1)).toMatchObject({
      names: ['news.example', 'www.news.example'],
      ...{ parents: [], firstDay: dayBefore(1), lastDay: dayBefore(0) },
      ledger: { maxLoad: 0, superseded: [{ source: 'one', below: 4 }] },
    });
  });

  it('leaves out earnings in a currency without a rate, names it, and counts it once there is one', async () => {
    api.analytics.earnings = [
      ...[
        earned(1, 'EUR', 7, '3'),
        earned(1, 'GBP', 5, '1'),
        earned(0, 'CHF', 5, '0'),
        earned(0, 'GBP', 2, '1'),
      ],
    ];
    const without = await get('?days=2');
    expect(without.totals).toMatchObject({ impressions: 12, earnings: 3 });
    expect(without.meta.left_out).toEqual([{ currency: 'GBP', days: 2 }]);
    api.analytics.fxRates = [rate(0, 'GBP', '0.5')];
    await forgetAnswers();
    const half = await get('?days=2');
    expect([half.totals.earnings, half.meta.left_out]).toEqual([5, [{ currency: 'GBP', days: 1 }]]);
    api.analytics.fxRates = [rate(1, 'GBP', '0.5')];
    await forgetAnswers();
    const whole = await get('?days=2');
    expect(whole.totals).toMatchObject({ impressions: 19, earnings: 7 });
    expect(whole.meta.left_out).toEqual([]);
  });

  it('reports that the requested currency has no rate', async () => {
    api.analytics.earnings = [earned(1, 'EUR', 5, '1')];
    const answer = await call('GET', `${path()}?days=2&currency=USD`);
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { currency: [`Earnings cannot be converted to USD: there is no rate on or before ${dayBefore(1)}.`] },
    ]);
  });

  it.each([
    'days=0',
    'days=91',
    'days=x',
    'currency=GBP',
    'currency=eur',
    'currency=',
    'from=2026-02-30',
    'to=2026-01-01',
  ])('refuses %s', async (query) => {
    const answer = await call('GET', `${path()}?${query}`);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([
      422,
      [query === 'to=2026-01-01' ? 'from' : query.split('=')[0]],
    ]);
  });

  it('is 503 while ClickHouse is unavailable, and keeps no failure', async () => {
    api.analytics.away = true;
    expect((await call('GET', path())).statusCode).toBe(503);
    api.analytics.away = false;
    await get();
  });

  describe('of a site that was not granted', () => {
    const ofOthers = async (domain = 'https://www.news.example') => {
      const thief = await buildApp(api.database);
      await api.database.query(`UPDATE apps SET site_domain = $2 WHERE id = $1`, [thief.id, domain]);
      return { thief, id: thief.organizationId as OrganizationId };
    };
    const asked = async (of: BuiltApp) => {
      const member = await createMember(api.database, { organizationId: of.organizationId });
      return (await callAs(api.app, member)('GET', `${path(of)}?days=1`)).json();
    };
    beforeEach(async () => {
      api.analytics.earnings = [earned(0, 'EUR', 10, '5')];
      await api.database.query(`INSERT INTO ad_sources (source, complete_until) VALUES ('one', now())`);
    });

    it('is nothing to an organization whose app names it, and is not even read', async () => {
      const { thief } = await ofOthers();
      const answer = await asked(thief);
      expect(answer.totals).toMatchObject({ impressions: 0, earnings: 0, ecpm: 0 });
      expect(answer.meta).toMatchObject({ granted: false, watermark: null, restated: false, rates: [] });
      expect(api.analytics.sitesAsked).toEqual([]);
      expect((await get('?days=1')).totals.earnings).toBe(5);
    });

    it('is shown once it, or a domain above it, or every site is granted', async () => {
      const { thief, id } = await ofOthers('https://www.sport.news.example');
      for (const domain of ['ticker.sport.news.example', 'example', 'rt.news.example', 'badnews.example']) {
        await grantDomain(api.database, id, domain);
        expect((await asked(thief)).meta.granted).toBe(false);
      }
      for (const domain of ['sport.news.example', 'news.example', '*']) {
        await grantDomain(api.database, id, domain);
        await forgetAnswers();
        expect((await asked(thief)).meta.granted).toBe(true);
        await revokeDomain(api.database, id, domain);
      }
    });

    it('is hidden at once when the grant is taken back, the site is renamed or the app changes hands', async () => {
      expect((await get('?days=1')).totals.earnings).toBe(5);
      await revokeDomain(api.database, organizationId, 'news.example');
      expect((await get('?days=1')).totals.earnings).toBe(0);
      await grantDomain(api.database, organizationId, 'news.example');
      expect((await get('?days=1')).totals.earnings).toBe(5);
      await api.database.query(`UPDATE apps SET site_domain = 'https://other.example' WHERE id = $1`, [
        app.id,
      ]);
      expect((await get('?days=1')).meta).toMatchObject({ site: 'other.example', granted: false });
      const { id, thief } = await ofOthers();
      await api.database.query(
        `UPDATE apps SET site_domain = 'https://news.example', organization_id = $2 WHERE id = $1`,
        [app.id, id],
      );
      expect((await asked({ ...app, organizationId: thief.organizationId })).totals.earnings).toBe(0);
    });
  });
});
