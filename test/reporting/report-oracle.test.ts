// tier: core, clickhouse
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import type { Rate } from '../../engine/contract/rate-table.ts';
import { createRateTable } from '../../engine/contract/rate-table.ts';
import type { Access } from '../../reporting/report/access.ts';
import type { ReportRequest } from '../../reporting/report/request.ts';
import { oracle } from '../support/report-oracle/oracle.ts';
import { naming, prove } from '../support/report-oracle/prove.ts';
import { anyAccess, requestAround } from '../support/report-oracle/requests.ts';
import { loadWorld, runReport } from '../support/report-oracle/run-report.ts';
import type { World } from '../support/report-oracle/world.ts';
import { awkwardDays, worldAround } from '../support/report-oracle/worlds.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

/**
 * ORACLE_RUNS: how many requests; CI asks 50, a release 300. ORACLE_SEED: another seed, or the one that a failure
 * printed; the same by default, so that what fails was broken by a change.
 */
const RUNS = Number(process.env.ORACLE_RUNS ?? 50);
const SEED = Number(process.env.ORACLE_SEED ?? 20_261_121);
const REQUESTS_A_WORLD = 25;
const TIMEOUT_MS = 1_800_000;
const NOW_MS = Date.parse('2026-03-29T23:30:00Z');

const clickhouse = await openTestClickHouse();
afterAll(() => clickhouse.close());

async function check(
  world: World,
  given: readonly Rate[],
  request: ReportRequest,
  access: Access,
): Promise<string> {
  const rates = createRateTable(given, request.currency);
  const expected = oracle(request, access, world, NOW_MS);
  const found = await runReport(clickhouse, request, access, { ledger: world.ledger, rates }, NOW_MS);
  if (expected.kind === 'no rate' || found.kind === 'no rate') {
    expect(found).toEqual(expected);
    return 'no rate';
  }
  expect(found.rows).toEqual(expected.rows);
  expect(found.leftOut).toEqual(expected.leftOut);
  if (found.count !== null) expect(found.count).toBe(expected.count);
  if (found.totals !== null) expect(found.totals).toEqual(expected.totals);
  if (Object.keys(expected.leftOut).length > 0) return 'left out';
  return expected.count === 0 ? 'empty' : 'rows';
}

it(`answers as the oracle does, over ${RUNS} random requests (seed ${SEED})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const endings = new Map<string, number>();
  const cases = fc.constantFrom(...awkwardDays).chain((day) =>
    fc.tuple(
      worldAround(day),
      fc.array(fc.tuple(requestAround(day), anyAccess), {
        minLength: REQUESTS_A_WORLD,
        maxLength: REQUESTS_A_WORLD,
      }),
    ),
  );
  const property = fc.asyncProperty(cases, async ([world, requests]) => {
    await loadWorld(clickhouse, world);
    // Once a world: what a request reads of them itself is tested over HTTP.
    const rates = await createEarnings(clickhouse).rates('all', '2023-01-01', '2026-12-31');
    for (const [request, access] of requests) {
      const ending = await naming(request, access, () => check(world, rates, request, access));
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
    }
  });
  await prove(property, { worlds: Math.ceil(RUNS / REQUESTS_A_WORLD), seed: SEED });
  // A property that never meets a row proves nothing.
  if (RUNS >= 1_000) {
    expect(endings.get('rows')).toBeGreaterThan(RUNS / 4);
    expect(endings.get('empty')).toBeGreaterThan(RUNS / 100);
    expect(endings.get('left out')).toBeGreaterThan(RUNS / 20);
    // Only where none of the report's own currency was stated is there no report at all.
    expect(endings.get('no rate')).toBeGreaterThan(0);
  }
});
