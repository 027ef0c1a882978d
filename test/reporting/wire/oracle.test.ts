// tier: core, clickhouse
import fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import type { Access } from '../../../reporting/report/access.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { oracle } from '../../support/report-oracle/oracle.ts';
import { naming, prove } from '../../support/report-oracle/prove.ts';
import { anyAccess, requestAround } from '../../support/report-oracle/requests.ts';
import { loadWorld } from '../../support/report-oracle/run-report.ts';
import type { World } from '../../support/report-oracle/world.ts';
import { worldAround } from '../../support/report-oracle/worlds.ts';
import { createReportToken, everything, generateRequest } from '../support.ts';
import { createReportWorld, NOW, testBounds } from '../world.ts';
import { asSql, hasForm } from './as-sql.ts';
import { asTexts, openWireOver } from './support.ts';

/** ORACLE_RUNS: how many questions; 2,000 before a release. */
const RUNS = Number(process.env.ORACLE_RUNS ?? 20);
const SEED = Number(process.env.ORACLE_SEED ?? 20_261_128);
const QUESTIONS_A_WORLD = Math.min(100, RUNS);
/** Days that the calendar of `NOW` knows, awkward ones among them. */
const days = ['2026-03-29', '2024-02-29', '2025-02-28', '2025-12-31', '2025-10-26'];

/** What is asked here is whether the answers are equal: a busy machine may take its time for them. */
const bounds = { ...testBounds, seconds: 300 };
const reports = await createReportWorld('embedded', { bounds });
afterAll(() => reports.close());

/** A row of JSON with the digits of its numbers. */
const exactly = (json: string): { data: Record<string, string>[]; meta: Record<string, unknown> } =>
  JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? context?.source : value,
  );

const listed = (request: ReportRequest, rows: readonly Readonly<Record<string, unknown>>[]): unknown[][] =>
  rows.map((row) => [...request.dimensions, ...request.metrics].map((key) => row[key]));

/** Rows of a statement, as texts, or its error. */
const ask = (client: Client, text: string): Promise<(string | null)[][] | string> =>
  client
    .query<(string | null)[]>({ text, rowMode: 'array', types: asTexts })
    .then(({ rows }) => rows)
    .catch((error: { code?: string; message: string }) => `${error.code}: ${error.message}`);

it(`answers as the API and the oracle do, over ${RUNS} random questions (seed ${SEED})`, {
  timeout: 600_000 + RUNS * 5_000,
}, async () => {
  const endings = new Map<string, number>();

  async function check(world: World, request: ReportRequest, access: Access, client: Client, post: Post) {
    const expected = oracle(request, access, world, NOW);
    const { page, rows: all, where } = asSql(request);
    await client.query(`SET report.currency = '${request.currency}'`);
    await client.query(`SET report.timezone = '${request.timezone ?? 'UTC'}'`);
    const found = await ask(client, page);
    const answer = await post({ ...request, totals: true });
    if (expected.kind === 'no rate') {
      expect(found).toContain('58000: ');
      expect(answer.statusCode).not.toBe(200);
      return 'no rate';
    }
    expect(found).toEqual(listed(request, expected.rows));
    expect(answer.statusCode, answer.body).toBe(200);
    expect(listed(request, exactly(answer.body).data)).toEqual(found);
    expect(await ask(client, `SELECT count(*) FROM (${all}) AS t`)).toEqual([[String(expected.count)]]);
    const hasMetrics = request.filter_groups?.some(({ filters }) =>
      filters.some(({ type }) => type === 'metric'),
    );
    if (hasMetrics !== true) {
      const sums = request.metrics.map((metric) => (metric === 'ecpm' ? 'avg(ecpm)' : `sum(${metric})`));
      const totals = await ask(client, `SELECT ${sums.join(', ')} FROM ad_statistics WHERE ${where}`);
      expect(totals).toEqual([
        request.metrics.map((metric) => (expected.count === 0 ? null : expected.totals[metric])),
      ]);
    }
    return expected.count === 0 ? 'empty' : 'rows';
  }

  const cases = fc.constantFrom(...days).chain((day) =>
    fc.tuple(
      worldAround(day),
      fc.array(fc.tuple(requestAround(day).filter(hasForm), anyAccess), {
        ...{ minLength: QUESTIONS_A_WORLD, maxLength: QUESTIONS_A_WORLD },
      }),
    ),
  );
  const property = fc.asyncProperty(cases, async ([given, questions]) => {
    // Which loads count is the ledger's matter, and proven where reports are.
    const rows = given.rows.map((row) => ({ ...row, load: 0 }));
    const world = { ...given, rows, ledger: { maxLoad: 6, hidden: [], superseded: [] } };
    await loadWorld(reports.clickhouse, world);
    const generateReport = reports.generateWith(createReportReader(reports.clickhouse, bounds));
    const wire = await openWireOver(reports, { generateReport });
    const app = reports.another({ generateReport });
    for (const [request, access] of questions) {
      const scope = access === 'unrestricted' ? everything : { ...access, unrestricted: false };
      const token = await createReportToken(reports.database, {
        ...scope,
        domains: [...scope.domains],
        wholesalers: [...scope.wholesalers],
      });
      const client = await wire.connect(token);
      const post: Post = (body) => app.inject(generateRequest(token, body));
      const ending = await naming(request, access, () => check(world, request, access, client, post));
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
      await client.end();
    }
    await wire.close();
  });
  await prove(property, { worlds: Math.ceil(RUNS / QUESTIONS_A_WORLD), seed: SEED });
  expect(endings.get('rows')).toBeGreaterThan(RUNS / 5);
  expect(endings.get('empty')).toBeGreaterThan(0);
});

type Post = (body: ReportRequest) => Promise<{ readonly statusCode: number; readonly body: string }>;
