// tier: system, clickhouse
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { formatDecimal } from '../../../engine/contract/decimal.ts';
import { moveAway } from '../../support/move-away.ts';
import { createReportToken, createReportUser, everything } from '../support.ts';
import { type AdRow, createReportWorld } from '../world.ts';
import { ask, createRandom, type Row } from './support.ts';

const world = await createReportWorld('embedded');
afterAll(() => world.close());
const path = '/discrepancies';
const body = { sources: ['gam', 'prebid'], currency: 'EUR', selectedDate: ['2026-03-01', '2026-03-10'] };
const scopeOf = (domains: string[], wholesalers: string[] = []) => ({
  ...{ domains, wholesalers, unrestricted: false },
});

beforeEach(async () => {
  for (const table of ['ad_stats', 'fx_rates'])
    await world.clickhouse.client.command({ query: `TRUNCATE TABLE ${table}` });
  await world.database.query('DELETE FROM discrepancy_notes');
});

const MICRO = 10n ** 6n;
const UNIT = 10n ** 26n;
const rounded = (top: bigint, bottom: bigint): bigint => {
  const [a, b] = [top < 0n ? -top : top, bottom];
  const value = (2n * a + b) / (2n * b);
  return top < 0n ? -value : value;
};
const shown = (units: bigint): number => Number(formatDecimal(rounded(units, UNIT / MICRO), 6));
const percent = (now: bigint, before: bigint): number | null => {
  if (before <= 0n) return null;
  const distance = now - before;
  const value = ((distance < 0n ? -distance : distance) * 20_000n + before) / (before * 2n);
  return Number(formatDecimal(distance < 0n ? -value : value, 2));
};

/** Plain code over rows: USD are worth a half, and no rate of SEK exists. */
function oracle(
  rows: readonly AdRow[],
  asked: typeof body & Record<string, unknown>,
  domains: string[] | null,
) {
  const sums = new Map<string, { impressions: bigint[]; units: bigint[]; rows: number[] }>();
  for (const row of rows) {
    const side = asked.sources.indexOf(String(row.source));
    const day = row.at.slice(0, 10);
    const [from = '', to = ''] = asked.selectedDate;
    if (side === -1 || day < from || day > to) continue;
    if (domains !== null && !domains.includes(String(row.domain))) continue;
    const earned = BigInt(Math.round(Number(row.earnings) * 1e8)) * 10n ** 18n;
    if (row.currency === 'SEK' && earned !== 0n) continue;
    const key = `${day} ${row.domain}`;
    const kept = sums.get(key) ?? { impressions: [0n, 0n], units: [0n, 0n], rows: [0, 0] };
    sums.set(key, kept);
    kept.impressions[side] = (kept.impressions[side] ?? 0n) + BigInt(row.impressions ?? 0);
    kept.units[side] = (kept.units[side] ?? 0n) + (row.currency === 'USD' ? earned / 2n : earned);
    kept.rows[side] = (kept.rows[side] ?? 0) + 1;
  }
  const found = [...sums].map(
    ([
      key,
      {
        impressions: [a = 0n, b = 0n],
        units: [x = 0n, y = 0n],
        rows,
      },
    ]) => ({
      day: key.slice(0, 10),
      domain: key.slice(11),
      missing: rows[0] === 0 ? 'first' : rows[1] === 0 ? 'second' : null,
      first_impressions: Number(a),
      first_earnings: shown(x),
      second_impressions: Number(b),
      second_earnings: shown(y),
      impressions_difference: Number(b - a),
      impressions_percent: percent(b, a),
      earnings_difference: shown(y - x),
      earnings_percent: percent(y, x),
      note: null,
    }),
  );
  const { min_amount: amount = 0, min_percent: least = 0 } = asked as {
    min_amount?: number;
    min_percent?: number;
  };
  return found
    .filter((row) => Math.abs(row.earnings_difference) >= amount)
    .filter((row) =>
      least === 0
        ? true
        : row.earnings_percent === null
          ? row.earnings_difference !== 0
          : Math.abs(row.earnings_percent) >= least,
    )
    .toSorted(
      (one, other) =>
        Math.abs(other.earnings_difference) - Math.abs(one.earnings_difference) ||
        (`${one.day} ${one.domain}` < `${other.day} ${other.domain}` ? -1 : 1),
    );
}

function randomRows(seed: number, many = 120): AdRow[] {
  const random = createRandom(seed);
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  return Array.from({ length: many }, () => ({
    at: `2026-03-${String(1 + random(12)).padStart(2, '0')} ${String(random(24)).padStart(2, '0')}:00:00`,
    load: 0,
    source: one(['gam', 'prebid', 'criteo']),
    domain: one(['a.example', 'b.example', 'c.example']),
    wholesaler: one(['', 'w']),
    impressions: one([0, 0, 1, 7, 1_000]),
    earnings: (random(2_000_001) - 700_000) / 1e5,
    currency: one(['EUR', 'EUR', 'USD', 'SEK']),
  }));
}

const addRates = () => world.addRates([{ day: '2026-01-01', currency: 'USD', per_eur: '2' }]);

describe('two sources side by side', () => {
  it('are as plain code over the rows has them, over random worlds, rights and thresholds', async () => {
    let shownRows = 0;
    for (let seed = 1; seed <= 6; seed++) {
      await world.clickhouse.client.command({ query: 'TRUNCATE TABLE ad_stats' });
      await addRates();
      const rows = randomRows(seed);
      await world.addRows(rows);
      const domains = [null, ['a.example'], ['a.example', 'c.example']][seed % 3] ?? null;
      const token = await createReportToken(world.database, domains === null ? everything : scopeOf(domains));
      for (const limits of [{}, { min_amount: 5 }, { min_amount: 1, min_percent: 40 }]) {
        const asked = { ...body, ...limits };
        const answer = await ask(world.app, token, path, { ...asked, limit: 1_000 });
        expect(answer.status, answer.text).toBe(200);
        const expected = oracle(rows, asked, domains);
        expect(answer.data).toEqual(expected);
        expect(answer.meta.total_count).toBe(expected.length);
        const paged: Row[] = [];
        for (let offset: unknown = 0; offset !== null; ) {
          const page = await ask(world.app, token, path, { ...asked, limit: 7, offset });
          paged.push(...page.data);
          offset = page.meta.next_offset;
        }
        expect(paged).toEqual(expected);
        expect(answer.meta.compared).toBe(oracle(rows, body, domains).length);
        shownRows += expected.length;
      }
    }
    expect(shownRows).toBeGreaterThan(40);
  });

  it('names what has no rate, and says where there is none at all', async () => {
    await world.addRows([
      {
        at: '2026-03-01 00:00:00',
        load: 0,
        source: 'gam',
        domain: 'a.example',
        earnings: 1,
        currency: 'SEK',
      },
      {
        at: '2026-03-01 00:00:00',
        load: 0,
        source: 'gam',
        domain: 'a.example',
        earnings: 2,
        currency: 'EUR',
      },
    ]);
    const token = await createReportToken(world.database);
    expect((await ask(world.app, token, path, body)).status).toBe(503);
    await addRates();
    const { data, meta } = await ask(world.app, token, path, body);
    expect(data).toMatchObject([{ first_earnings: 2, second_earnings: 0, missing: 'second' }]);
    expect(meta.left_out).toEqual([{ currency: 'SEK', rows: 1 }]);
  });

  it('of a token that sees nothing, of nothing, and of unknown sources are empty', async () => {
    await world.addRows(randomRows(3));
    await addRates();
    for (const [scope, sources] of [
      [scopeOf([]), body.sources],
      [scopeOf(['z.example']), body.sources],
      [everything, ['x', 'y']],
    ] as const) {
      const token = await createReportToken(world.database, scope);
      const { data, meta } = await ask(world.app, token, path, { ...body, sources });
      expect(data).toEqual([]);
      expect(meta).toMatchObject({ compared: 0, total_count: 0, totals: { first_earnings: 0 } });
      expect((await ask(world.app, token, '/discrepancies/sources')).data).toEqual(
        scope === everything ? ['criteo', 'gam', 'prebid'] : [],
      );
    }
  });

  it('counts whole days of a source in its own timezone, and days of 23 and 25 hours in the one asked for', async () => {
    await world.addRows([
      {
        at: '2026-03-29 00:00:00',
        load: 0,
        grain: 'day',
        source: 'gam',
        domain: 'a.example',
        earnings: 24,
        currency: 'EUR',
      },
      ...Array.from({ length: 72 }, (_, hour) => ({
        at: new Date(Date.parse('2026-03-28T00:00:00Z') + hour * 3_600_000)
          .toISOString()
          .slice(0, 19)
          .replace('T', ' '),
        ...{ load: 0, source: 'prebid', domain: 'a.example', earnings: 1, currency: 'EUR' },
      })),
    ]);
    const token = await createReportToken(world.database);
    const asked = { ...body, selectedDate: ['2026-03-29', '2026-03-29'], timezone: 'Europe/Berlin' };
    const { data, meta } = await ask(world.app, token, path, asked);
    expect(data).toMatchObject([{ first_earnings: 24, second_earnings: 23, earnings_percent: -4.17 }]);
    expect(meta.source_days).toEqual([{ source: 'gam', timezone: 'UTC' }]);
  });

  it('refuses the same source twice, and a period that is too long', async () => {
    const token = await createReportToken(world.database);
    const twice = await ask(world.app, token, path, { ...body, sources: ['gam', 'gam'] });
    expect(twice).toMatchObject({ status: 422, errors: { sources: [expect.stringContaining('different')] } });
    const long = await ask(world.app, token, path, { ...body, selectedDate: ['2025-01-01', '2026-01-01'] });
    expect(long.status).toBe(422);
  });
});

describe('a note', () => {
  const place = { sources: ['gam', 'prebid'], day: '2026-03-02', domain: 'a.example' };
  const row: AdRow = {
    at: '2026-03-02 00:00:00',
    load: 0,
    source: 'gam',
    domain: 'a.example',
    earnings: 1,
    currency: 'EUR',
  };
  const notes = '/discrepancies/notes';

  it('is kept with who and when, changed, removed, and found whichever source comes first', async () => {
    await world.addRows([row]);
    const token = await createReportToken(world.database);
    const written = await ask<Row>(world.app, token, notes, {
      ...place,
      reason: ' Tag missing ',
      version: 0,
    });
    expect(written.data).toMatchObject({ reason: 'Tag missing', written_by: 'Test', version: 1 });
    const changed = await ask<Row>(world.app, token, notes, { ...place, reason: 'Until noon', version: 1 });
    expect(changed.data).toMatchObject({ reason: 'Until noon', version: 2 });
    const reversed = { ...body, sources: ['prebid', 'gam'] };
    const { data } = await ask(world.app, token, path, reversed);
    expect(data).toMatchObject([{ note: { reason: 'Until noon', written_at: changed.data.written_at } }]);
    expect((await ask(world.app, token, notes, { ...place, reason: null, version: 2 })).data).toBeNull();
    expect((await ask(world.app, token, path, body)).data).toMatchObject([{ note: null }]);
  });

  it('of two people who write at once is that of one, and the other learns of it', async () => {
    await world.addRows([row]);
    const token = await createReportToken(world.database);
    const [{ id = 0 } = {}] = await world.database.query<{ id: number }>(
      `INSERT INTO users (organization_id, email, name, role)
       SELECT organization_id, 'second-' || id || '@example.com', 'Second', 'member' FROM users
       WHERE id = (SELECT user_id FROM report_tokens WHERE id = $1) RETURNING id`,
      [Number(token.split('|')[0])],
    );
    const second = await createReportToken(world.database, everything, id);
    for (const version of [0, 1]) {
      const answers = await Promise.all(
        [token, second].map((each, n) =>
          ask(world.app, each, notes, { ...place, reason: `by ${n}`, version }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
    const seen = await ask(world.app, second, path, body);
    expect(seen.data).toMatchObject([{ note: { version: 2 } }]);
    await ask(world.app, second, notes, { ...place, reason: 'Known.', version: 2 });
    const noted = async () => (await ask(world.app, token, path, body)).data;
    expect(await noted()).toMatchObject([{ note: { reason: 'Known.', written_by: 'Second' } }]);
    await moveAway(world.database, id);
    expect(await noted()).toMatchObject([{ note: { reason: 'Known.', written_by: null } }]);
  });

  it('is not seen by another organization, and not written where the token sees no row', async () => {
    await world.addRows([row]);
    const user = await createReportUser(world.database);
    const token = await createReportToken(world.database, everything, user);
    expect((await ask(world.app, token, notes, { ...place, reason: 'Ours', version: 0 })).status).toBe(200);
    const stranger = await createReportToken(world.database);
    expect((await ask(world.app, stranger, path, body)).data).toMatchObject([{ note: null }]);
    const narrow = await createReportToken(world.database, scopeOf(['b.example']), user);
    const refused = await ask(world.app, narrow, notes, { ...place, reason: 'x', version: 1 });
    const unknown = await ask(world.app, narrow, notes, {
      ...place,
      domain: 'none.example',
      reason: 'x',
      version: 1,
    });
    expect(refused).toMatchObject({ status: 422, errors: unknown.errors });
    expect((await ask(world.app, narrow, path, body)).data).toEqual([]);
  });
});
