// tier: system, clickhouse
// People report days and hours by the old rules of a timezone, since ClickHouse has a table of its own:
// https://github.com/ClickHouse/ClickHouse/issues/120812
import { afterAll, expect, it } from 'vitest';
import { createRateTable } from '../../engine/contract/rate-table.ts';
import { timeZones, zoneOffsets } from '../../engine/contract/time-zone.ts';
import type { ReportRequest } from '../../reporting/report/request.ts';
import { wallDay } from '../support/report-oracle/calendar.ts';
import { loadWorld, runReport } from '../support/report-oracle/run-report.ts';
import { countKeys, type OracleRow, textKeys } from '../support/report-oracle/world.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

const clickhouse = await openTestClickHouse();
afterAll(() => clickhouse.close());

const [first, last] = ['2025-01-01', '2027-12-31'];
const [fromMs, untilMs] = [Date.parse(`${first}T00:00:00Z`), Date.parse('2028-01-01T00:00:00Z')];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ledger = { maxLoad: 1, hidden: [], superseded: [] };
const rates = createRateTable([], 'EUR');

/** Its ad unit is the zone that asks for it. */
const rowAt = (zone: string, atMs: number): OracleRow => ({
  ...{ atMs, load: 1, source: 'gam', earnings: 0n, currency: 'EUR' },
  texts: {
    ...(Object.fromEntries([...textKeys, 'wholesaler'].map((key) => [key, ''])) as OracleRow['texts']),
    ad_unit: zone,
  },
  counts: Object.fromEntries(countKeys.map((key) => [key, 1n])) as OracleRow['counts'],
});

/** On both sides of each change of clocks and of the midnights before and after it, and about once a month. */
function instantsOf(zone: string): number[] {
  const beside = zoneOffsets(zone, fromMs, untilMs).flatMap(({ fromMs: change, seconds }) => {
    const midnight = Math.ceil((change + seconds * 1_000) / DAY_MS) * DAY_MS - seconds * 1_000;
    return [change, midnight - DAY_MS, midnight].flatMap((at) => [at - 1_000, at]);
  });
  const monthly = Array.from({ length: 36 }, (_, n) => fromMs + n * 727 * HOUR_MS);
  return [...new Set([...beside, ...monthly])].filter((at) => at >= fromMs && at < untilMs);
}

/** A report knows a zone by its offsets alone, so one zone of each stands for all that share them. */
const offsetsOf = (zone: string): string => JSON.stringify(zoneOffsets(zone, fromMs, untilMs));
const zones = [...Map.groupBy(timeZones, offsetsOf).values()].flatMap(([zone]) => zone ?? []);

const requestOf = (timezone: string): ReportRequest => ({
  ...{ dimensions: ['day'], metrics: ['impressions'], currency: 'EUR', timezone },
  selectedDate: [first, last],
  filter_groups: [
    {
      operator: 'or',
      filters: [{ value: 'ad_unit', type: 'dimension', comparator: 'in', selectedValues: [timezone] }],
    },
  ],
});

it('a report’s days are those on the wall in every timezone, whatever ClickHouse knows of its rules', async () => {
  const rows = zones.flatMap((zone) => instantsOf(zone).map((at) => rowAt(zone, at)));
  await loadWorld(clickhouse, { rows, rates: [], ledger });
  for (const zone of zones) {
    const report = await runReport(clickhouse, requestOf(zone), 'unrestricted', { ledger, rates }, untilMs);
    const days = Map.groupBy(instantsOf(zone), (at) => wallDay(at, zone));
    const expected = [...days]
      .filter(([day]) => day >= first && day <= last)
      .map(([day, { length }]) => ({ day, impressions: String(length) }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1));
    expect([zone, report]).toMatchObject([zone, { kind: 'rows', rows: expected }]);
  }
});
