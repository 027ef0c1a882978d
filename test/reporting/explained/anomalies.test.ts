// tier: system, clickhouse
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { dayText, knownDay } from '../../../engine/contract/days.ts';
import { createReportToken, createReportUser, everything } from '../support.ts';
import { type AdRow, createReportWorld } from '../world.ts';
import { ask, createRandom, type Row } from './support.ts';

const world = await createReportWorld('embedded');
afterAll(() => world.close());
const path = '/anomalies';
const DAY = '2026-03-10';
const body = { currency: 'EUR', selectedDate: [DAY, DAY] };
const mutes = '/anomalies/mutes';

beforeEach(async () => {
  for (const table of ['ad_stats', 'fx_rates'])
    await world.clickhouse.client.command({ query: `TRUNCATE TABLE ${table}` });
  await world.database.query('DELETE FROM anomaly_mutes');
});

const at = (day: string | number, hour = 0): string =>
  `${typeof day === 'number' ? dayText(day) : day} ${String(hour).padStart(2, '0')}:00:00`;
const row = (day: string | number, earnings: number, more: Partial<AdRow> = {}): AdRow => ({
  ...{ at: at(day), load: 0, source: 'gam', domain: 'a.example', product: 'display', country: 'DE' },
  ...{ impressions: 1_000, earnings, currency: 'EUR', ...more },
});
/** The same weekday, that number of weeks before. */
const weeksBefore = (weeks: number, day = DAY): number => knownDay(day) - 7 * weeks;
const usualWeeks = (earnings: number, weeks = 8, more: Partial<AdRow> = {}): AdRow[] =>
  Array.from({ length: weeks }, (_, n) => row(weeksBefore(n + 1), earnings, more));

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  return ((sorted[Math.floor((n - 1) / 2)] ?? 0) + (sorted[Math.floor(n / 2)] ?? 0)) / 2;
};

/** Plain code over rows of one currency, in whole cents, so that doubles are exact enough to be rounded. */
function oracle(rows: readonly AdRow[], days: readonly string[], sees: (row: AdRow) => boolean, least = 1) {
  const first = knownDay(days[0] ?? DAY) - 56;
  const last = knownDay(days.at(-1) ?? DAY);
  const seen = rows.filter(
    (one) => sees(one) && knownDay(one.at.slice(0, 10)) >= first && knownDay(one.at.slice(0, 10)) <= last,
  );
  const withRows = new Set(seen.map((one) => knownDay(one.at.slice(0, 10))));
  const series = Map.groupBy(seen, (one) => `${one.domain}|${one.product}|${one.country}`);
  return days.flatMap((text) => {
    const day = knownDay(text);
    if (!withRows.has(day)) return [];
    const found = [...series].flatMap(([key, own]) => {
      const cents = (on: number): number =>
        own
          .filter((one) => knownDay(one.at.slice(0, 10)) === on)
          .reduce((sum, one) => sum + Math.round(Number(one.earnings) * 100), 0);
      const begins = Math.min(...own.map((one) => knownDay(one.at.slice(0, 10))));
      const weeks = [8, 7, 6, 5, 4, 3, 2, 1]
        .map((n) => day - 7 * n)
        .filter((on) => on >= begins && withRows.has(on));
      if (weeks.length < 4) return [];
      const history = weeks.map(cents);
      const [now, usual] = [cents(day), median(history)];
      const deviation = median(history.map((value) => Math.abs(value - usual)));
      const width = Math.max(5 * deviation, Math.abs(usual) / 10);
      const size = Math.abs(now - usual);
      if (size <= width + 1e-9 || size < least * 100) return [];
      const [domain, product, country] = key.split('|');
      return [{ day: text, domain, product, country, now, usual, width, size, weeks: weeks.length }];
    });
    return found
      .toSorted(
        (a, b) =>
          b.size - a.size ||
          (`${a.domain}|${a.product}|${a.country}` < `${b.domain}|${b.product}|${b.country}` ? -1 : 1),
      )
      .slice(0, 10);
  });
}

function randomRows(seed: number): AdRow[] {
  const random = createRandom(seed);
  const series = ['a.example', 'b.example', 'c.example'].flatMap((domain) =>
    ['display', 'video'].flatMap((product) =>
      ['DE', 'AT', ''].map((country) => ({
        domain,
        product,
        country,
        wholesaler: ['', 'w'][random(2)] ?? '',
      })),
    ),
  );
  return series.flatMap((one) => {
    const base = random(20_000) - 2_000;
    const begins = random(3) === 0 ? random(60) : 0;
    return Array.from({ length: 62 }, (_, n) => n).flatMap((n) => {
      if (n < begins || random(12) === 0) return [];
      const odd = random(15) === 0 ? random(40_000) - 20_000 : 0;
      return [
        row(knownDay(DAY) - 58 + n, (base + random(600) + odd) / 100, {
          ...one,
          at: at(knownDay(DAY) - 58 + n, random(24)),
        }),
      ];
    });
  });
}

describe('unusual earnings', () => {
  it('are those that plain code over the rows finds, over random worlds and rights', async () => {
    let found = 0;
    for (let seed = 1; seed <= 6; seed++) {
      await world.clickhouse.client.command({ query: 'TRUNCATE TABLE ad_stats' });
      const rows = randomRows(seed);
      await world.addRows(rows);
      const scopes = [
        { scope: everything, sees: () => true },
        {
          scope: { domains: ['b.example'], wholesalers: [], unrestricted: false },
          sees: (one: AdRow) => one.domain === 'b.example',
        },
        {
          scope: { domains: ['a.example', 'c.example'], wholesalers: ['w'], unrestricted: false },
          sees: (one: AdRow) => one.domain !== 'b.example' && one.wholesaler === 'w',
        },
        { scope: { domains: [], wholesalers: [], unrestricted: false }, sees: () => false },
      ];
      for (const { scope, sees } of scopes) {
        const token = await createReportToken(world.database, scope);
        const days = [2, 1, 0].map((n) => dayText(knownDay(DAY) - n));
        const { status, data, text } = await ask(world.app, token, path, {
          ...body,
          selectedDate: [days[0], DAY],
        });
        expect(status, text).toBe(200);
        const expected = oracle(rows, days, sees);
        expect(
          data.map(({ day, domain, product, country, earnings, usual, low, high, difference, history }) => ({
            ...{ day, domain, product, country, earnings, usual, low, high, difference },
            weeks: (history as Row[]).length,
          })),
        ).toEqual(
          expected.map(({ day, domain, product, country, now, usual, width, weeks }) => ({
            ...{ day, domain, product, country, weeks },
            earnings: now / 100,
            usual: usual / 100,
            low: expect.closeTo((usual - width) / 100, 5),
            high: expect.closeTo((usual + width) / 100, 5),
            difference: (2 * now - 2 * usual) / 200,
          })),
        );
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(40);
  });

  it('says what it knows too little of, and which days have no rows', async () => {
    await world.addRows([...usualWeeks(10, 3), row(DAY, 50)]);
    const token = await createReportToken(world.database);
    const { data, meta } = await ask(world.app, token, path, { ...body, selectedDate: ['2026-03-09', DAY] });
    expect(data).toEqual([]);
    expect(meta).toMatchObject({
      judged_days: [{ day: DAY, found: 0, without_history: 1, without_history_earnings: 50 }],
      days_without_rows: ['2026-03-09'],
    });
    await world.addRows([row(weeksBefore(4), 10)]);
    expect((await ask(world.app, token, path, body)).data).toMatchObject([
      { earnings: 50, usual: 10, difference: 40 },
    ]);
  });

  it('counts a series without a row as nothing earned, and ignores weeks in which nothing was delivered at all', async () => {
    const other = { domain: 'b.example' };
    await world.addRows([...usualWeeks(100, 6), ...usualWeeks(5, 6, other), row(DAY, 5, other)]);
    const token = await createReportToken(world.database);
    const { data } = await ask(world.app, token, path, body);
    expect(data).toMatchObject([
      { domain: 'a.example', earnings: 0, usual: 100, low: 90, high: 110, difference: -100 },
    ]);
    expect(data[0]?.history).toHaveLength(6);
  });

  it('are at most ten a day, the largest in money first, with how many there are', async () => {
    const many = Array.from({ length: 14 }, (_, n) => ({ domain: `d${String(n).padStart(2, '0')}.example` }));
    await world.addRows(many.flatMap((more, n) => [...usualWeeks(10, 8, more), row(DAY, 100 + n, more)]));
    const token = await createReportToken(world.database);
    const { data, meta } = await ask(world.app, token, path, body);
    expect(data.map(({ domain }) => domain)).toEqual(
      many
        .map(({ domain }) => domain)
        .toReversed()
        .slice(0, 10),
    );
    expect(meta.judged_days).toMatchObject([{ found: 14, muted: 0 }]);
  });

  it('says where it comes from, one level down', async () => {
    const parts = [
      { device: 'mobile', ad_unit: 'top' },
      { device: 'desktop', ad_unit: 'top' },
    ];
    await world.addRows([
      ...parts.flatMap((more) => usualWeeks(50, 8, more)),
      row(DAY, 5, parts[0]),
      row(DAY, 50, parts[1]),
      row(DAY, 7, { domain: 'b.example', ...parts[0] }),
    ]);
    const token = await createReportToken(world.database);
    const { data } = await ask(world.app, token, path, body);
    // The one ad unit explains nothing, and desktops are as they were.
    expect(data).toMatchObject([
      {
        difference: -45,
        parts: [{ dimension: 'device', value: 'mobile', earnings: 5, usual: 50, difference: -45 }],
      },
    ]);
    expect(data[0]?.parts).toHaveLength(1);
  });

  it('converts money as reports do, a day at its own rate, and names what has none', async () => {
    await world.addRates([
      { day: '2026-01-01', currency: 'USD', per_eur: '2' },
      { day: DAY, currency: 'USD', per_eur: '4' },
    ]);
    const usd = { currency: 'USD' };
    await world.addRows([...usualWeeks(100, 8, usd), row(DAY, 100, usd), row(DAY, 3, { currency: 'SEK' })]);
    const token = await createReportToken(world.database);
    const { data, meta } = await ask(world.app, token, path, body);
    expect(data).toMatchObject([{ earnings: 25, usual: 50 }]);
    expect(meta.left_out).toEqual([{ currency: 'SEK', rows: 1 }]);
  });
});

describe('a muted series', () => {
  const series = { domain: 'a.example', product: 'display', country: 'DE' };

  it('is not shown up to its day, is counted, is the organization’s own, and can be heard again', async () => {
    await world.addRows([...usualWeeks(10), row(DAY, 100)]);
    const user = await createReportUser(world.database);
    const token = await createReportToken(world.database, everything, user);
    const muted = await ask<Row>(world.app, token, mutes, { ...series, until: DAY, reason: 'Relaunch' });
    expect(muted.data).toMatchObject({ ...series, until: DAY, reason: 'Relaunch', muted_by: 'Test' });
    const quiet = await ask(world.app, token, path, body);
    expect(quiet.data).toEqual([]);
    expect(quiet.meta.judged_days).toMatchObject([{ found: 0, muted: 1 }]);
    const stranger = await createReportToken(world.database);
    expect((await ask(world.app, stranger, path, body)).data).toHaveLength(1);
    expect((await ask(world.app, stranger, mutes)).data).toEqual([]);
    const narrow = await createReportToken(
      world.database,
      { domains: ['b.example'], wholesalers: [], unrestricted: false },
      user,
    );
    expect((await ask(world.app, narrow, mutes)).data).toEqual([]);
    expect((await ask(world.app, narrow, mutes, { ...series, until: null })).status).toBe(422);
    await ask(world.app, token, mutes, { ...series, until: dayText(knownDay(DAY) - 1) });
    expect((await ask(world.app, token, path, body)).data).toHaveLength(1);
    expect((await ask(world.app, token, mutes)).data).toHaveLength(1);
    expect((await ask(world.app, token, mutes, { ...series, until: null })).data).toBeNull();
    expect((await ask(world.app, token, mutes)).data).toEqual([]);
  });
});

it('answers over 200,000 rows of 1,500 series within the bounds of a report', async () => {
  await world.clickhouse.client.command({
    query: `INSERT INTO ad_stats (at, load, source, domain, product, country, device, impressions, earnings, currency, grain)
      SELECT toDateTime(toDate('${DAY}') - intDiv(number, 3000), 'UTC'), 0, 'gam', concat('d', toString(number % 500), '.example'),
        ['display', 'video'][number % 2 + 1], ['DE', 'AT', 'CH'][intDiv(number, 500) % 3 + 1], ['mobile', 'desktop'][intDiv(number, 1500) % 2 + 1], 100,
        if(number < 7, 500, 1), 'EUR', 'hour' FROM numbers(200000)`,
  });
  const token = await createReportToken(world.database);
  const { status, data, text } = await ask(world.app, token, path, body);
  expect(status, text).toBe(200);
  expect(data).toHaveLength(7);
  expect((await ask(world.app, token, path, { ...body, selectedDate: ['2026-03-01', DAY] })).status).toBe(
    200,
  );
});
