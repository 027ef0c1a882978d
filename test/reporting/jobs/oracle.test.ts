// tier: core, clickhouse
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createEarnings } from '../../../engine/adapters/clickhouse/earnings.ts';
import { insertReportJob } from '../../../engine/adapters/postgres/report-jobs/jobs.ts';
import { claimReportJob } from '../../../engine/adapters/postgres/report-jobs/runs.ts';
import { createRateTable, type Rate } from '../../../engine/contract/rate-table.ts';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import type { GenerateReport } from '../../../reporting/generate/generate.ts';
import { makeJob } from '../../../reporting/jobs/make.ts';
import { createFolderStore } from '../../../reporting/jobs/store/folder.ts';
import { keyOf } from '../../../reporting/jobs/store/store.ts';
import type { Access } from '../../../reporting/report/access.ts';
import { compileReport } from '../../../reporting/report/compile.ts';
import { idnNamesOf } from '../../../reporting/report/domain-names.ts';
import { readMoney } from '../../../reporting/report/money.ts';
import { periodOf } from '../../../reporting/report/period.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { scripts } from '../../support/report-oracle/matching.ts';
import { oracle } from '../../support/report-oracle/oracle.ts';
import { naming, prove } from '../../support/report-oracle/prove.ts';
import { anyAccess, requestAround } from '../../support/report-oracle/requests.ts';
import { loadWorld } from '../../support/report-oracle/run-report.ts';
import type { World } from '../../support/report-oracle/world.ts';
import { awkwardDays, worldAround } from '../../support/report-oracle/worlds.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';
import { createReportToken, createReportUser } from '../support.ts';
import { jobBounds } from './support.ts';

/** As in `report-oracle.test.ts`. */
const RUNS = Number(process.env.ORACLE_RUNS ?? 25);
const SEED = Number(process.env.ORACLE_SEED ?? 20_261_127);
const REQUESTS_A_WORLD = 25;
const NOW_MS = Date.parse('2026-03-29T23:30:00Z');
const PART_ROWS = 3;

const clickhouse = await openTestClickHouse();
const test = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'broadside-jobs-'));
const store = createFolderStore(folder);
const reader = createReportReader(clickhouse, jobBounds, folder);
afterAll(async () => {
  await clickhouse.close();
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The report's own parts, over the ledger and the rates of a made-up world. */
const generateOver =
  ({ ledger }: World, given: readonly Rate[]): GenerateReport =>
  async (request, access, signal) => {
    const period = periodOf(request, NOW_MS);
    const rates = createRateTable(given, request.currency);
    const names = idnNamesOf([...scripts.keys()]);
    const context = { access, ledger, rates, period, names, wholeDays: null };
    const run = reader.begin(signal);
    const money = await readMoney(request, context, true, (statement) => run.line(statement));
    if (money.kind === 'without-rate') return money;
    const report = compileReport(request, { ...context, leftOut: money.leftOut });
    const rows = await run.open(report, 'JSONEachRow');
    const metaOf = (count: number): string => JSON.stringify({ count });
    const { leftOut, oldRates } = money;
    return {
      kind: 'made',
      rows,
      columns: report.columns,
      period,
      leftOut,
      oldRates,
      provenance: null,
      metaOf,
      refusalOf: () => null,
    };
  };

/** Numbers as the texts that they were written as. */
const rowOf = (line: string): unknown =>
  JSON.parse(line, (_key, value: unknown, { source }: { readonly source?: string } = {}) =>
    typeof value === 'number' ? source : value,
  );

async function rowsOfJob(generate: GenerateReport, request: ReportRequest, access: Access) {
  const userId = await createReportUser(test.database);
  const scope =
    access === 'unrestricted'
      ? { domains: [], wholesalers: [], unrestricted: true }
      : { ...access, unrestricted: false };
  const tokenId = Number((await createReportToken(test.database, scope, userId)).split('|')[0]);
  await insertReportJob(test.database, { userId, tokenId }, request);
  const job = await claimReportJob(test.database);
  if (job === null) throw new Error('no job');
  const deps = {
    ...{ database: test.database, store, folder, mostBytes: 1e9, partRows: PART_ROWS },
    space: { totalBytes: 1e12, organizationBytes: 1e12, userBytes: 1e12 },
  };
  const ending = await makeJob(job, generate, deps, new AbortController().signal, () => {});
  await test.database.query('DELETE FROM report_jobs');
  if (ending.kind !== 'made') return { ending, rows: [] };
  const rows: unknown[] = [];
  for (let part = 0; part < Math.max(1, Math.ceil(ending.result.rows / PART_ROWS)); part++) {
    const bytes = (await store.read(keyOf(job, part), 0, new AbortController().signal)) ?? Readable.from([]);
    const lines = Buffer.concat(await bytes.toArray())
      .toString()
      .split('\n');
    rows.push(...lines.filter((line) => line !== '').map(rowOf));
  }
  return { ending, rows };
}

async function check(world: World, given: readonly Rate[], request: ReportRequest, access: Access) {
  const expected = oracle(request, access, world, NOW_MS);
  const { ending, rows } = await rowsOfJob(generateOver(world, given), request, access);
  if (expected.kind === 'no rate') {
    expect(ending).toMatchObject({
      kind: 'failed',
      problem: { message: expect.stringContaining(expected.currency) },
    });
    return 0;
  }
  expect(ending).toMatchObject({ kind: 'made', result: { rows: expected.rows.length } });
  expect(rows).toEqual(expected.rows);
  return rows.length;
}

it(`jobs have the oracle's rows, over ${RUNS} random requests (seed ${SEED})`, {
  timeout: 1_800_000,
}, async () => {
  let seen = 0;
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
    const rates = await createEarnings(clickhouse).rates('all', '2023-01-01', '2026-12-31');
    for (const [made, access] of requests) {
      const request = { ...made, format: 'ndjson' as const };
      seen += await naming(request, access, () => check(world, rates, request, access));
    }
  });
  await prove(property, { worlds: Math.ceil(RUNS / REQUESTS_A_WORLD), seed: SEED });
  // A property that never meets a second part proves little.
  expect(seen).toBeGreaterThan(PART_ROWS);
});
