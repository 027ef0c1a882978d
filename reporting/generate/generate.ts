import type { Readable } from 'node:stream';
import type { OldRate } from '../../engine/contract/rate-table.ts';
import { answerFormats } from '../answer/formats.ts';
import {
  type ReportBounds,
  ReportFailed,
  type ReportReader,
  type ReportRun,
} from '../answer/report-reader.ts';
import type { Column } from '../answer/sheet.ts';
import type { Access } from '../report/access.ts';
import { type CompiledReport, compileReport, type Statement } from '../report/compile.ts';
import { dayStatesOf } from '../report/day-states.ts';
import type { LeftOutRows } from '../report/money.ts';
import { periodOf, type ReportPeriod } from '../report/period.ts';
import { type Provenance, readProvenance } from '../report/provenance.ts';
import { readStates } from '../report/read-day-states.ts';
import { createRecentLines } from '../report/recent-lines.ts';
import type { ReportRequest } from '../report/request.ts';
import { readSeenState } from '../report/seen-sources.ts';
import { createMeta, type Summary } from './meta.ts';
import { type PrepareDeps, prepareReport, type Refused } from './prepare.ts';
import { refusalOf } from './refusals.ts';
import { withoutFormula } from './without-formula.ts';

export type Generated =
  | Refused
  | {
      readonly kind: 'made';
      /** In the ClickHouse format of the answer's format. */
      readonly rows: Readable;
      readonly columns: readonly Column[];
      readonly period: ReportPeriod;
      /** Rows that are in no figure of it. */
      readonly leftOut: readonly LeftOutRows[];
      readonly oldRates: readonly OldRate[];
      /** Null: the request does not include it. */
      readonly provenance: Provenance | null;
      metaOf(count: number): string;
    };

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
      const rows = await run.open(report, answerFormats[format].clickhouse);
      const parts = { request, period, seen, money, sourceDays, summary, dayStates, provenance };
      const made = { rows, columns: report.columns, period, leftOut, oldRates, provenance };
      return { kind: 'made', ...made, metaOf: createMeta(parts) };
    } catch (error) {
      const errors = error instanceof ReportFailed ? refusalOf(error, bounds) : null;
      if (errors === null) throw error;
      return { kind: 'refused', errors };
    }
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
