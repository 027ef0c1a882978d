// tier: system, alone
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import type { Access } from '../../reporting/report/access.ts';
import { periodOf } from '../../reporting/report/period.ts';
import { type RatesOfDays, readRates } from '../../reporting/report/rates.ts';
import type { ReportRequest } from '../../reporting/report/request.ts';
import { cases } from '../support/cases.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { oracle } from '../support/report-oracle/oracle.ts';
import { anyAccess, requestAround } from '../support/report-oracle/requests.ts';
import { loadWorld, runReport } from '../support/report-oracle/run-report.ts';
import { countKeys, type OracleRow, textKeys, type World } from '../support/report-oracle/world.ts';
import { worldAround } from '../support/report-oracle/worlds.ts';

const NOW_MS = Date.parse('2026-02-11T23:30:00Z');
const DAY = '2026-02-10';

const bridge = await startClickHouseBridge();
const path = await mkdtemp(join(tmpdir(), 'broadside-report-'));
afterAll(async () => {
  await bridge.stop();
  await rm(path, { recursive: true, force: true });
});

const http = {
  kind: 'http',
  url: bridge.url,
  username: 'default',
  password: '',
  database: 'broadside',
  requestTimeoutMs: 30_000,
  maxConnections: 2,
} as const;

const plainRow = (changes: Partial<OracleRow>): OracleRow => ({
  atMs: Date.parse(`${DAY}T12:00:00Z`),
  load: 0,
  source: '',
  texts: Object.fromEntries([...textKeys, 'wholesaler'].map((key) => [key, ''])) as OracleRow['texts'],
  counts: Object.fromEntries(countKeys.map((key) => [key, 0n])) as OracleRow['counts'],
  earnings: 0n,
  currency: 'EUR',
  ...changes,
});
const counts = (impressions: bigint): OracleRow['counts'] => ({ ...plainRow({}).counts, impressions });

describe.each([
  ['over HTTP', () => openClickHouse(http)],
  ['embedded', () => openClickHouse({ kind: 'embedded', path, database: 'broadside' })],
] as const)('a report %s', (_, open) => {
  let clickhouse: ClickHouse;
  beforeAll(async () => {
    clickhouse = await open();
    await migrateClickHouse(clickhouse);
  });
  afterAll(() => clickhouse.close());
  const ratesOf: RatesOfDays = (first, last) => createEarnings(clickhouse).rates('all', first, last);

  async function ask(world: World, changes: Partial<ReportRequest> = {}, access: Access = 'unrestricted') {
    const request: ReportRequest = {
      dimensions: ['day'],
      metrics: ['earnings', 'ecpm'],
      currency: 'EUR',
      selectedDate: [DAY, DAY],
      ...changes,
    };
    const rates = await readRates(ratesOf, request, periodOf(request, NOW_MS));
    const found = await runReport(clickhouse, request, access, { ledger: world.ledger, rates }, NOW_MS);
    const expected = oracle(request, access, world, NOW_MS);
    if (found.kind === 'no rate' || expected.kind === 'no rate') expect(found).toEqual(expected);
    else expect([found.rows, found.leftOut]).toEqual([expected.rows, expected.leftOut]);
    return found.kind === 'rows' ? found.rows : found;
  }
  const worldOf = (rows: readonly OracleRow[], rates: World['rates'] = []): World => ({
    rows,
    rates,
    ledger: { maxLoad: 9, hidden: [], superseded: [] },
  });

  it('equals the oracle’s', async () => {
    const asked = fc.tuple(
      worldAround(DAY),
      fc.array(fc.tuple(requestAround(DAY), anyAccess), { minLength: 10, maxLength: 10 }),
    );
    const property = fc.asyncProperty(asked, async ([world, requests]) => {
      await loadWorld(clickhouse, world);
      for (const [request, access] of requests) await ask(world, request, access);
    });
    await fc.assert(property, { numRuns: cases(1, 3) });
  });

  it('rounds once, at the end, halves away from zero', async () => {
    const world = worldOf([
      plainRow({ earnings: 25n, counts: counts(1n) }),
      plainRow({ earnings: 25n }),
      plainRow({ atMs: Date.parse('2026-02-11T00:00:00Z'), earnings: -50n, counts: counts(1_000n) }),
      plainRow({ atMs: Date.parse('2026-02-12T00:00:00Z'), earnings: -49n, counts: counts(3n) }),
    ]);
    await loadWorld(clickhouse, world);
    expect(await ask(world, { selectedDate: [DAY, '2026-02-12'] })).toEqual([
      { day: DAY, earnings: '0.000001', ecpm: '0.0005' },
      { day: '2026-02-11', earnings: '-0.000001', ecpm: '-0.000001' },
      { day: '2026-02-12', earnings: '0', ecpm: '-0.000163' },
    ]);
  });

  it('converts with the rate of the row’s own day, or the last one before it', async () => {
    const rate = (day: string, perEur: bigint) => ({ day, currency: 'USD', perEur });
    const world = worldOf(
      [10, 11, 12].map((day) =>
        plainRow({ atMs: Date.parse(`2026-02-${day}T23:00:00Z`), earnings: 300_000_000n, currency: 'USD' }),
      ),
      [
        rate('2026-01-02', 3n * 10n ** 18n),
        rate('2026-02-11', 2n * 10n ** 18n),
        rate('2026-02-13', 10n ** 18n),
      ],
    );
    await loadWorld(clickhouse, world);
    const shown = { metrics: ['earnings' as const], selectedDate: [DAY, '2026-02-13'] as [string, string] };
    // One third, of 18 places, times three.
    expect(await ask(world, shown)).toEqual([
      { day: DAY, earnings: '1' },
      { day: '2026-02-11', earnings: '1.5' },
      { day: '2026-02-12', earnings: '1.5' },
    ]);
    // The rows' own UTC day counts, whatever day it is where the report is read.
    expect(await ask(world, { ...shown, timezone: 'Asia/Kolkata' })).toEqual([
      { day: '2026-02-11', earnings: '1' },
      { day: '2026-02-12', earnings: '1.5' },
      { day: '2026-02-13', earnings: '1.5' },
    ]);
  });

  it('names the first currency and day without a rate, where the report has money', async () => {
    const row = (day: number, changes: Partial<OracleRow>) =>
      plainRow({ atMs: Date.parse(`2026-02-${day}T10:00:00Z`), currency: 'GBP', ...changes });
    const world = worldOf([row(10, {}), row(12, { earnings: 1n }), row(11, { earnings: 1n })]);
    await loadWorld(clickhouse, world);
    const range: Partial<ReportRequest> = { selectedDate: [DAY, '2026-02-12'] };
    expect(await ask(world, range)).toEqual({ kind: 'no rate', currency: 'GBP', day: '2026-02-11' });
    expect(await ask(world, { ...range, metrics: ['impressions'] })).toHaveLength(3);
    expect(await ask(world)).toEqual([{ day: DAY, earnings: '0', ecpm: '0' }]);
  });

  it('leaves out the rows of a currency without any rate, and reports how many they are', async () => {
    const row = (day: number, currency: string, earnings: bigint) =>
      plainRow({ atMs: Date.parse(`2026-02-${day}T10:00:00Z`), currency, earnings, counts: counts(5n) });
    const one = 100_000_000n;
    const usd = { day: '2026-02-10', currency: 'USD', perEur: 2n * 10n ** 18n };
    const sek = { day: '2026-02-12', currency: 'SEK', perEur: 10n ** 18n };
    const world = worldOf(
      [
        row(10, 'USD', one),
        row(10, 'XDR', one),
        row(10, 'XDR', 0n),
        row(11, 'SEK', -one),
        row(12, 'SEK', one),
      ],
      [usd, sek],
    );
    await loadWorld(clickhouse, world);
    const shown: Partial<ReportRequest> = {
      ...{ metrics: ['impressions', 'earnings'], selectedDate: [DAY, '2026-02-12'] },
    };
    expect(await ask(world, shown)).toEqual([
      { day: DAY, impressions: '10', earnings: '0.5' },
      { day: '2026-02-12', impressions: '5', earnings: '1' },
    ]);
    // What shows no money needs no rate.
    expect(await ask(world, { ...shown, metrics: ['impressions'] })).toHaveLength(3);
    // Without any rate of the report's own currency nothing can be converted.
    const without = worldOf(world.rows, [{ ...sek, day: DAY }]);
    await loadWorld(clickhouse, without);
    expect(await ask(without, { ...shown, currency: 'USD' })).toEqual({
      kind: 'no rate',
      currency: 'USD',
      day: DAY,
    });
  });

  it('takes texts literally, whatever they contain', async () => {
    const texts = [
      "o'neil",
      'back\\slash',
      'tab\there',
      'line\nbreak',
      '{p0:String}',
      '% _ *',
      '日本 ☀',
      ') OR 1=1 --',
      '"q"',
    ];
    const world = worldOf(
      texts.map((ad_unit) => plainRow({ texts: { ...plainRow({}).texts, ad_unit }, counts: counts(1n) })),
    );
    await loadWorld(clickhouse, world);
    for (const [comparator, text] of [
      ...texts.flatMap(
        (one) =>
          [
            ['in', one],
            ['starts_with', one.slice(0, 3)],
            ['contains', one.slice(1)],
          ] as const,
      ),
    ]) {
      const filters = [
        { type: 'dimension' as const, value: 'ad_unit' as const, comparator, selectedValues: [text] },
      ];
      const found = await ask(world, {
        dimensions: ['ad_unit'],
        metrics: ['impressions'],
        filter_groups: [{ operator: 'or', filters }],
      });
      expect([text, found]).toEqual([text, expect.arrayContaining([expect.anything()])]);
    }
  });

  it('is of today, as the timezone has it, where no date is given', async () => {
    const world = worldOf(
      [10, 11, 12].map((day) =>
        plainRow({ atMs: Date.parse(`2026-02-${day}T20:00:00Z`), counts: counts(BigInt(day)) }),
      ),
    );
    await loadWorld(clickhouse, world);
    const rates = await readRates(
      ratesOf,
      { dimensions: ['day'], metrics: ['impressions'], currency: 'EUR' },
      periodOf({}, NOW_MS),
    );
    const of = async (timezone: string) => {
      const request: ReportRequest = {
        dimensions: ['day'],
        metrics: ['impressions'],
        currency: 'EUR',
        timezone,
      };
      const found = await runReport(
        clickhouse,
        request,
        'unrestricted',
        { ledger: world.ledger, rates },
        NOW_MS,
      );
      return found.kind === 'rows' ? found.rows : found;
    };
    expect(await of('UTC')).toEqual([{ day: '2026-02-11', impressions: '11' }]);
    expect(await of('Asia/Tokyo')).toEqual([{ day: '2026-02-12', impressions: '11' }]);
  });

  it('takes an access of thousands of domains', async () => {
    const domains = Array.from({ length: 5_000 }, (_, n) => `site-${n}.example`);
    const row = (domain: string) =>
      plainRow({ texts: { ...plainRow({}).texts, domain }, counts: counts(1n) });
    const world = worldOf([row('site-4999.example'), row('other.example')]);
    await loadWorld(clickhouse, world);
    const shown = { dimensions: ['domain' as const], metrics: ['impressions' as const] };
    expect(await ask(world, shown, { domains, wholesalers: [] })).toEqual([
      { domain: 'site-4999.example', impressions: '1' },
    ]);
  });
});
