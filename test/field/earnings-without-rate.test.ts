// tier: system, clickhouse
// People report totals that count rows whose currency has no rate, without their money:
// https://github.com/margince/margince/issues/4136
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { convertEarnings, earningsText, RateMissing } from '../../api/client/analytics/convert-earnings.ts';
import { siteOf } from '../../api/shared/revenue/site.ts';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import { createRateTable, type Rate } from '../../engine/contract/rate-table.ts';
import type { ReportRequest } from '../../reporting/report/request.ts';
import { loadWorld, runReport } from '../support/report-oracle/run-report.ts';
import type { World } from '../support/report-oracle/world.ts';
import { awkwardDays, worldAround } from '../support/report-oracle/worlds.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

const clickhouse = await openTestClickHouse();
afterAll(() => clickhouse.close());

const [firstDay, lastDay] = ['2023-01-01', '2026-12-31'];
const domain = 'news.example';
const nowMs = Date.parse('2026-12-31T12:00:00Z');

async function rowsOfTheReport({ ledger }: World, rates: readonly Rate[], currency: 'EUR' | 'USD') {
  const request: ReportRequest = {
    dimensions: ['day'],
    metrics: ['impressions', 'earnings'],
    currency,
    selectedDate: [firstDay, lastDay],
    filter_groups: [
      {
        operator: 'or',
        filters: [{ value: 'domain', type: 'dimension', comparator: 'in', selectedValues: [domain] }],
      },
    ],
  };
  const table = createRateTable(rates, currency);
  return runReport(clickhouse, request, 'unrestricted', { ledger, rates: table }, nowMs);
}

async function earningsOfTheSite({ ledger }: World) {
  const site = siteOf(`https://${domain}`);
  return createEarnings(clickhouse).siteEarnings({ ...site, firstDay, lastDay, ledger });
}

it('count the same days and impressions where a currency has no rate, on the app’s page and in a report', async () => {
  const endings = new Set<string>();
  const property = fc.asyncProperty(
    fc.constantFrom(...awkwardDays).chain(worldAround),
    fc.constantFrom('EUR', 'USD'),
    async (world, currency) => {
      await loadWorld(clickhouse, world);
      const rates = await createEarnings(clickhouse).rates('all', firstDay, lastDay);
      const report = await rowsOfTheReport(world, rates, currency);
      const rows = await earningsOfTheSite(world);
      if (report.kind === 'no rate' && report.currency === currency) {
        endings.add('no rate');
        expect(() => convertEarnings(rows, rates, currency)).toThrow(RateMissing);
        return;
      }
      const page = convertEarnings(rows, rates, currency);
      const leftOut = page.leftOut.map((each) => each.currency);
      if (report.kind === 'no rate') {
        expect(leftOut).toContain(report.currency);
        return;
      }
      endings.add(leftOut.length > 0 ? 'left out' : 'rows');
      expect(leftOut).toEqual(Object.keys(report.leftOut).toSorted());
      const days = [...page.days].map(([day, amount]) => ({
        day,
        impressions: String(amount.impressions),
        earnings: earningsText(amount),
      }));
      expect(days).toEqual(report.rows);
    },
  );
  await fc.assert(property, { numRuns: 60, seed: 20_261_127 });
  expect([...endings].toSorted()).toEqual(['left out', 'no rate', 'rows']);
});
