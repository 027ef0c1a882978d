// tier: system, clickhouse
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteOf } from '../../api/shared/revenue/site.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import {
  createEarnings,
  type DayEarnings,
  type HourEarnings,
} from '../../engine/adapters/clickhouse/earnings.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import type { VisibleLoads } from '../../engine/adapters/clickhouse/visible-rows.ts';
import { formatDecimal, parseDecimal } from '../../engine/contract/decimal.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

const bridge = await startClickHouseBridge();
afterAll(() => bridge.stop());

interface AdRow {
  readonly at: string;
  readonly load: number;
  readonly source: string;
  readonly domain: string;
  readonly subdomain: string;
  readonly impressions: number;
  readonly earnings: string;
  readonly currency: string;
  readonly grain: 'hour' | 'day' | 'unknown';
}

const everything: VisibleLoads = { maxLoad: 1_000, hidden: [], superseded: [] };
const server = { username: 'default', password: '', requestTimeoutMs: 30_000, maxConnections: 4 };
const database = 'earnings';
describeEarnings('embedded', openTestClickHouse);
describeEarnings('over HTTP', () => openClickHouse({ kind: 'http', url: bridge.url, ...server, database }));

/** The site's rows that count, by hand. */
const rowsOfSite = (rows: readonly AdRow[], host: string, ledger: VisibleLoads): AdRow[] =>
  rows.filter((row) => {
    const date = row.at.slice(0, 10);
    const bare = (name: string) => name.replace(/^www\./, '');
    const full = row.subdomain.endsWith(row.domain) ? row.subdomain : `${row.subdomain}.${row.domain}`;
    const isBelow = host.endsWith(`.${row.domain}`) && row.domain.includes('.');
    const isOfSite = bare(row.domain) === host || (isBelow && bare(full) === host);
    const isSuperseded = ledger.superseded.some(
      (run) =>
        run.source === row.source && run.firstDay <= date && date <= run.lastDay && row.load < run.below,
    );
    return isOfSite && row.load <= ledger.maxLoad && !ledger.hidden.includes(row.load) && !isSuperseded;
  });

function addUp(rows: readonly AdRow[], [first, last]: readonly [string, string]): DayEarnings[] {
  const sums = new Map<
    string,
    Omit<DayEarnings, 'earnings' | 'impressions'> & { impressions: bigint; units: bigint }
  >();
  for (const row of rows) {
    const date = row.at.slice(0, 10);
    if (date < first || date > last) continue;
    const units = parseDecimal(row.earnings, 8);
    const earned = units !== 0n;
    const key = `${date} ${row.currency} ${earned}`;
    const sum = sums.get(key) ?? { date, currency: row.currency, earned, impressions: 0n, units: 0n };
    sum.impressions += BigInt(row.impressions);
    sum.units += units;
    sums.set(key, sum);
  }
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { units, ...sum }]) => ({ ...sum, earnings: formatDecimal(units, 8) }));
}

/** As `addUp`, of each hour by itself: a row at midnight without the flag is a day. */
function addUpHours(rows: readonly AdRow[], days: readonly [string, string]): HourEarnings[] {
  const hourOf = ({ at, grain }: AdRow): number | null =>
    grain === 'hour' || (grain === 'unknown' && !at.endsWith('00:00:00')) ? Number(at.slice(11, 13)) : null;
  return [...Map.groupBy(rows, hourOf)]
    .flatMap(([hour, own]) => addUp(own, days).map((sum) => ({ ...sum, hour })))
    .toSorted(
      (one, other) =>
        one.date.localeCompare(other.date) ||
        (one.hour ?? 99) - (other.hour ?? 99) ||
        one.currency.localeCompare(other.currency) ||
        Number(one.earned) - Number(other.earned),
    );
}

function sourceDaysOf(rows: readonly AdRow[], [first, last]: readonly [string, string], since: string) {
  const seen = rows
    .map((row): [string, string] => [row.source, row.at.slice(0, 10)])
    .filter(([, date]) => (first <= date && date <= last) || date >= since);
  return new Set(seen.map(([source, date]) => `${date} ${source}`));
}

function describeEarnings(home: string, open: () => Promise<ClickHouse>): void {
  describe(`a site’s earnings, ${home}`, () => {
    let clickhouse: ClickHouse;
    beforeAll(async () => {
      clickhouse = await open();
      await migrateClickHouse(clickhouse);
    });
    afterAll(() => clickhouse.close());

    async function insert(table: string, rows: readonly object[]): Promise<void> {
      const values = rows.map(
        (row) =>
          `(${Object.values(row)
            .map((value) => `'${value}'`)
            .join(', ')})`,
      );
      const columns = Object.keys(rows[0] ?? {}).join(', ');
      await clickhouse.client.command({
        query: `INSERT INTO ${table} (${columns}) SETTINGS async_insert = 0 VALUES ${values.join(', ')}`,
      });
    }
    const ask = (domain: string, days: readonly [string, string], ledger = everything) =>
      createEarnings(clickhouse).siteEarnings({
        ...siteOf(domain),
        firstDay: days[0],
        lastDay: days[1],
        ledger,
      });

    it('are zero where there are no ad statistics', async () => {
      expect(await ask('https://news.example', ['2026-01-01', '2026-01-31'])).toEqual([]);
    });

    it('equal a count by hand, for any rows, sites, days and ledgers', async () => {
      const day = fc.integer({ min: 1, max: 9 }).map((n) => `2026-01-0${n}`);
      const load = fc.integer({ min: 1, max: 6 });
      const source = fc.constantFrom('one', 'two', '');
      const row: fc.Arbitrary<AdRow> = fc.record({
        at: fc.tuple(day, fc.constantFrom('00:00:00', '23:59:59')).map(([date, time]) => `${date} ${time}`),
        load,
        source,
        domain: fc.constantFrom(
          'news.example',
          'www.news.example',
          'badnews.example',
          'example',
          'sport.news.example',
          '',
        ),
        subdomain: fc.constantFrom(
          '',
          'sport',
          'sport.news.example',
          'www',
          'www.sport.news.example',
          'ticker',
        ),
        impressions: fc.integer({ min: 0, max: 2 ** 40 }),
        earnings: fc
          .oneof(fc.constant(0n), fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }))
          .map((units) => formatDecimal(units, 8)),
        currency: fc.constantFrom('EUR', 'USD', 'GBP'),
        grain: fc.constantFrom('hour', 'day', 'unknown'),
      });
      const [rows = []] = fc.sample(fc.array(row, { minLength: 600, maxLength: 600 }), {
        numRuns: 1,
        seed: 7,
      });
      await insert('ad_stats', rows);
      const run = fc.record({ source, firstDay: day, lastDay: day, below: load });
      const ledger = fc.record({
        maxLoad: load,
        hidden: fc.uniqueArray(load, { maxLength: 3 }),
        superseded: fc.array(run, { maxLength: 3 }),
      });
      const host = fc.constantFrom('news.example', 'sport.news.example', 'badnews.example', 'other.example');
      await fc.assert(
        fc.asyncProperty(
          host,
          day,
          day,
          fc.oneof(fc.constant(everything), ledger),
          day,
          async (name, first, last, shown, since) => {
            const own = rowsOfSite(rows, name, shown);
            const site = siteOf(`https://www.${name}`);
            const question = { ...site, firstDay: first, lastDay: last, ledger: shown };
            const { siteEarnings, siteHours, siteSources } = createEarnings(clickhouse);
            expect(await siteEarnings(question)).toEqual(addUp(own, [first, last]));
            expect(await siteHours(question)).toEqual(addUpHours(own, [first, last]));
            const days = (await siteSources(question, since)).map(([from, date]) => `${date} ${from}`);
            expect(new Set(days)).toEqual(sourceDaysOf(own, [first, last], since));
          },
        ),
        { numRuns: 60, examples: [['news.example', '2026-01-01', '2026-01-09', everything, '2026-01-09']] },
      );
    });

    it('has the newest rate of each day, and the last one before them', async () => {
      const rates = [
        { day: '2025-12-30', currency: 'USD', per_eur: '1.1', source: 'ECB', version: 1 },
        { day: '2025-12-31', currency: 'USD', per_eur: '1.2', source: 'ECB', version: 9 },
        { day: '2025-12-31', currency: 'USD', per_eur: '1.25', source: 'desk', version: 10 },
        { day: '2026-01-02', currency: 'USD', per_eur: '1.300000000000000001', source: 'ECB', version: 2 },
        { day: '2026-01-02', currency: 'USD', per_eur: '9', source: 'ECB', version: 1 },
        { day: '2026-01-03', currency: 'GBP', per_eur: '0.8', source: 'ECB', version: 1 },
        { day: '2026-01-04', currency: 'USD', per_eur: '1.4', source: 'ECB', version: 1 },
      ];
      for (const rate of rates) await insert('fx_rates', [rate]);
      const { rates: read } = createEarnings(clickhouse);
      const usd = [
        { currency: 'USD', day: '2025-12-31', perEur: '1.25', source: 'desk' },
        { currency: 'USD', day: '2026-01-02', perEur: '1.300000000000000001', source: 'ECB' },
      ];
      expect(await read(['USD'], '2026-01-01', '2026-01-03')).toEqual(usd);
      expect(await read(['GBP', 'USD'], '2026-01-02', '2026-01-03')).toEqual([
        { currency: 'GBP', day: '2026-01-03', perEur: '0.8', source: 'ECB' },
        ...usd,
      ]);
      expect(await read(['CHF'], '2026-01-01', '2026-01-03')).toEqual([]);
      expect(await read([], '2026-01-01', '2026-01-03')).toEqual([]);
    });
  });
}
