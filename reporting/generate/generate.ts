import type { OldRate } from '../../engine/contract/rate-table.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import { answerFormats } from '../answer/formats.ts';
import type { AnswerParts } from '../answer/held-answers.ts';
import {
  type ReportBounds,
  ReportFailed,
  type ReportReader,
  type ReportRun,
} from '../answer/report-reader.ts';
import type { Column } from '../answer/sheet.ts';
import type { Access } from '../report/access.ts';
import { type CompiledReport, compileReport, type ReportContext, type Statement } from '../report/compile.ts';
import { dayStatesOf } from '../report/day-states.ts';
import type { LeftOutRows } from '../report/money.ts';
import { periodOf, type ReportPeriod } from '../report/period.ts';
import { type Provenance, readProvenance } from '../report/provenance.ts';
import { readStates } from '../report/read-day-states.ts';
import { createRecentLines } from '../report/recent-lines.ts';
import type { ReportRequest } from '../report/request.ts';
import { readSeenState } from '../report/seen-sources.ts';
import { createMeta, type Summary } from './meta.ts';
import { laterFormat, periodParts } from './parts.ts';
import { type PrepareDeps, prepareReport, type Refused } from './prepare.ts';
import { refusalOf } from './refusals.ts';
import { withoutFormula } from './without-formula.ts';

export type Generated =
  | Refused
  | (AnswerParts & {
      /** Its rows are in the ClickHouse format of the answer's format. */
      readonly kind: 'made';
      readonly columns: readonly Column[];
      readonly period: ReportPeriod;
      /** Rows that are in no figure of it. */
      readonly leftOut: readonly LeftOutRows[];
      readonly oldRates: readonly OldRate[];
      /** Null: the request does not include it. */
      readonly provenance: Provenance | null;
      metaOf(count: number): string;
      /** The refusal where a later part is not made; null: the request was not the cause. */
      refusalOf(error: ReportFailed): FieldErrors | null;
    });

export interface GenerateDeps extends PrepareDeps {
  readonly reader: ReportReader;
  readonly bounds: ReportBounds;
}

export type GenerateReport = (
  request: ReportRequest,
  access: Access,
  signal: AbortSignal,
) => Promise<Generated>;

/**
 * One state of the ledger and of the rates for all queries of the report. Small queries (the count of all rows,
 * totals) run before the rows, so that an error is known while it can still be answered.
 */
export function createGenerateReport(deps: GenerateDeps): GenerateReport {
  const { sql, reader, bounds, clock } = deps;
  const recentLines = createRecentLines();

  return async function generateReport(request, access, signal) {
    const run = reader.begin(signal);
    const format = request.format ?? 'json';
    const isTold = format === 'json';
    const ask = (statement: Statement): Promise<string | null> =>
      recentLines.ask(statement, () => run.line(statement));
    const more = format === 'csv' ? { text: withoutFormula } : {};
    try {
      const nowMs = clock.now();
      const [prepared, runs] = await Promise.all([
        prepareReport(deps, request, { access, signal, ask, more }),
        isTold ? readStates(sql, periodOf(request, nowMs), nowMs) : [],
      ]);
      if (prepared.kind !== 'prepared') return prepared;
      const { context, money, sourceDays, ledger } = prepared;
      const { period, rates } = context;
      const { leftOut, oldRates } = money;
      const report = compileReport(request, context);
      // Files have no meta to hold it.
      const summary = format === 'json' ? await readSummary(run, report) : unsaid;
      const seen = isTold
        ? await readSeenState(access, ledger, period, nowMs, runs, ask)
        : { ...ledger, seen: [] };
      const { dayZones } = ledger;
      const dayStates = dayStatesOf({ period, runs, seen: seen.seen, dayZones, nowMs });
      const provenance = asksProvenance(request)
        ? await readProvenance({ sql, access, ledger, period, rates, used: money.used, ask })
        : null;
      const rows = await openParts(run, request, report, context, bounds);
      const parts = { request, period, seen, money, sourceDays, summary, dayStates, provenance };
      const made = { ...rows, columns: report.columns, period, leftOut, oldRates, provenance };
      const refused = (error: ReportFailed): FieldErrors | null => refusalOf(error, bounds);
      return { kind: 'made', ...made, metaOf: createMeta(parts), refusalOf: refused };
    } catch (error) {
      const errors = error instanceof ReportFailed ? refusalOf(error, bounds) : null;
      if (errors === null) throw error;
      return { kind: 'refused', errors };
    }
  };
}

/** All parts see one state of the ledger and of the rates. A job's rows are read to their end before anybody gets them. */
async function openParts(
  run: ReportRun,
  request: ReportRequest,
  whole: CompiledReport,
  context: ReportContext,
  { isJob }: ReportBounds,
): Promise<AnswerParts> {
  const { clickhouse } = answerFormats[request.format ?? 'json'];
  const [first, ...later] = isJob === true ? [] : periodParts(request, context.period, context.access);
  if (first === undefined || later.length === 0) return { rows: await run.open(whole, clickhouse) };
  const of = (period: ReportPeriod): Statement => compileReport(request, { ...context, period });
  return {
    rows: await run.open(of(first.period), clickhouse),
    share: first.share,
    later: later.map(({ period, share }) => ({
      share,
      open: () => run.open(of(period), laterFormat(clickhouse)),
    })),
  };
}

const asksProvenance = ({ include = [] }: ReportRequest): boolean => include.includes('sources');

const unsaid: Summary = { count: null, totals: null };

async function readSummary(run: ReportRun, { count, totals }: CompiledReport): Promise<Summary> {
  const counted = count === null ? null : await run.line(count);
  return {
    count: counted === null ? null : Number((JSON.parse(counted) as { readonly count: number }).count),
    totals: totals === null ? null : await run.line(totals),
  };
}
