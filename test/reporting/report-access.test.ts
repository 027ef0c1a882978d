// tier: system, clickhouse
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import type { Rate } from '../../engine/contract/rate-table.ts';
import { createRateTable } from '../../engine/contract/rate-table.ts';
import type { Access } from '../../reporting/report/access.ts';
import type { ReportRequest } from '../../reporting/report/request.ts';
import { oracle } from '../support/report-oracle/oracle.ts';
import { naming, prove } from '../support/report-oracle/prove.ts';
import { requestAround, restricted } from '../support/report-oracle/requests.ts';
import { loadWorld, runReport } from '../support/report-oracle/run-report.ts';
import { countKeys, type OracleRow, type World } from '../support/report-oracle/world.ts';
import { awkwardDays, words, worldAround } from '../support/report-oracle/worlds.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

/** ACCESS_RUNS: how many requests; ACCESS_SEED: the seed that a failure printed. */
const RUNS = Number(process.env.ACCESS_RUNS ?? 30);
const SEED = Number(process.env.ACCESS_SEED ?? 20_261_121);
const REQUESTS_A_WORLD = 10;
const TIMEOUT_MS = 1_800_000;
const NOW_MS = Date.parse('2026-03-29T23:30:00Z');

const clickhouse = await openTestClickHouse();
afterAll(() => clickhouse.close());

type Restricted = Exclude<Access, 'unrestricted'>;

/** Said here once more, in other words than anywhere else. */
function isInside({ texts }: OracleRow, { domains, wholesalers }: Restricted): boolean {
  const byDomain = new Set(domains).has(texts.domain);
  const byWholesaler = new Set(wholesalers).has(texts.wholesaler);
  if (domains.length > 0 && wholesalers.length > 0) return byDomain && byWholesaler;
  return domains.length > 0 ? byDomain : byWholesaler;
}

/** One such row in any sum, count or text shows: no other number comes near it, and no other text equals it. */
const POISON = 900_000_000_000_000n;
const poisoned = (row: OracleRow): OracleRow => ({
  ...row,
  texts: { ...row.texts, product: 'POISON', deal_name: 'POISON' },
  counts: Object.fromEntries(countKeys.map((key) => [key, POISON])) as OracleRow['counts'],
  earnings: 999_999_999_900_000_000n,
});

/** The answer over all rows is that over those inside: neither numbers, nor the count, nor a missing rate reveals more. */
async function check(
  inside: World,
  given: readonly Rate[],
  request: ReportRequest,
  access: Access,
): Promise<number> {
  const rates = createRateTable(given, request.currency);
  const found = await runReport(clickhouse, request, access, { ledger: inside.ledger, rates }, NOW_MS);
  expect(JSON.stringify(found)).not.toContain('POISON');
  const expected = oracle(request, 'unrestricted', inside, NOW_MS);
  if (expected.kind === 'no rate' || found.kind === 'no rate') {
    expect(found).toEqual(expected);
    return 0;
  }
  expect(found.rows).toEqual(expected.rows);
  expect(found.leftOut).toEqual(expected.leftOut);
  expect(found.count ?? expected.count).toBe(expected.count);
  expect(found.totals ?? expected.totals).toEqual(expected.totals);
  return found.rows.length;
}

describe('a token', () => {
  it(`never sees a row outside of its access, over ${RUNS} random requests (seed ${SEED})`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    let shown = 0;
    const cases = fc
      .constantFrom(...awkwardDays)
      .chain((day) =>
        fc.tuple(
          worldAround(day),
          restricted,
          fc.array(requestAround(day), { minLength: REQUESTS_A_WORLD, maxLength: REQUESTS_A_WORLD }),
        ),
      );
    const property = fc.asyncProperty(cases, async ([world, access, requests]) => {
      const rows = world.rows.map((row) => (isInside(row, access) ? row : poisoned(row)));
      const inside: World = { ...world, rows: world.rows.filter((row) => isInside(row, access)) };
      await loadWorld(clickhouse, { ...world, rows });
      const given = await createEarnings(clickhouse).rates('all', '2023-01-01', '2026-12-31');
      for (const request of requests) {
        shown += await naming(request, access, () => check(inside, given, request, access));
      }
    });
    await prove(property, { worlds: Math.ceil(RUNS / REQUESTS_A_WORLD), seed: SEED });
    expect(shown).toBeGreaterThan(0);
  });
});

describe('a filter on domain', () => {
  const day = '2026-02-10';
  const row = (domain: string, impressions: bigint): OracleRow => ({
    atMs: Date.parse(`${day}T12:00:00Z`),
    load: 0,
    source: '',
    texts: { ...textsOf, domain, wholesaler: 'w1' },
    counts: { ...countsOf, impressions },
    earnings: 0n,
    currency: 'EUR',
  });
  const textsOf = Object.fromEntries(Object.keys(words).map((key) => [key, ''])) as OracleRow['texts'];
  const countsOf = Object.fromEntries(countKeys.map((key) => [key, 0n])) as OracleRow['counts'];
  const world: World = {
    rows: [row('mine.example', 1n), row('theirs.example', POISON)],
    rates: [],
    ledger: { maxLoad: 0, hidden: [], superseded: [] },
  };
  const ask = async (access: Access, filters: NonNullable<ReportRequest['filter_groups']>) => {
    await loadWorld(clickhouse, world);
    const rates = createRateTable([], 'EUR');
    const request: ReportRequest = {
      dimensions: ['domain'],
      metrics: ['impressions'],
      currency: 'EUR',
      selectedDate: [day, day],
      filter_groups: filters,
    };
    const answer = await runReport(clickhouse, request, access, { ledger: world.ledger, rates }, NOW_MS);
    return answer.kind === 'rows' ? answer.rows : answer;
  };
  const groupOf = (comparator: 'in' | 'nin' | 'not_contains', value: string) => ({
    operator: 'or' as const,
    filters: [{ type: 'dimension' as const, value: 'domain' as const, comparator, selectedValues: [value] }],
  });
  const mine = { domain: 'mine.example', impressions: '1' };

  it('reaches no further than the token', async () => {
    const access = { domains: ['mine.example'], wholesalers: [] };
    expect(await ask(access, [groupOf('in', 'theirs.example')])).toEqual([]);
    expect(await ask(access, [groupOf('nin', 'mine.example')])).toEqual([]);
    expect(await ask(access, [groupOf('in', 'mine.example'), groupOf('in', 'theirs.example')])).toEqual([
      mine,
    ]);
    expect(await ask(access, [groupOf('not_contains', 'nothing')])).toEqual([mine]);
  });

  it('shows nothing to a token without domains and wholesalers, and everything to an unrestricted one', async () => {
    expect(await ask({ domains: [], wholesalers: [] }, [])).toEqual([]);
    expect(await ask({ domains: [], wholesalers: ['w2'] }, [])).toEqual([]);
    expect(await ask({ domains: ['mine.example'], wholesalers: ['w2'] }, [])).toEqual([]);
    expect(await ask('unrestricted', [])).toHaveLength(2);
  });
});
