import type { Readable } from 'node:stream';
import {
  failureOf,
  type ReportBounds,
  ReportFailed,
  type ReportReader,
} from '../../engine/adapters/clickhouse/report-reader.ts';
import type { FieldErrors } from '../../engine/adapters/http/problem.ts';
import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/database.ts';
import type { Clock } from '../../engine/contract/clock.ts';
import { answerFormats } from '../answer/formats.ts';
import type { Column } from '../answer/sheet.ts';
import type { Access } from '../report/access.ts';
import { type CompiledReport, compileReport, isMissingRate, type MissingRate } from '../report/compile.ts';
import { needsNames } from '../report/domain-names.ts';
import type { NamesOf } from '../report/known-names.ts';
import { askedDays, periodOf, type ReportPeriod, touchedDays } from '../report/period.ts';
import { type RatesOfDays, readRates } from '../report/rates.ts';
import type { ReportRequest } from '../report/request.ts';
import { createMeta, type Summary } from './meta.ts';
import { refusalOf } from './refusals.ts';
import { withoutFormula } from './without-formula.ts';

export type Generated =
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  /** The operator has to import it: nothing that the caller could ask otherwise. */
  | { readonly kind: 'without-rate'; readonly missing: MissingRate }
  | {
      readonly kind: 'made';
      /** In the ClickHouse format of the answer's format. */
      readonly rows: Readable;
      readonly columns: readonly Column[];
      readonly period: ReportPeriod;
      metaOf(count: number): string;
    };

export interface GenerateDeps {
  readonly sql: Sql;
  readonly ratesOf: RatesOfDays;
  readonly namesOf: NamesOf;
  readonly reader: ReportReader;
  readonly bounds: ReportBounds;
  readonly clock: Pick<Clock, 'now'>;
}

export type GenerateReport = (
  request: ReportRequest,
  access: Access,
  signal: AbortSignal,
) => Promise<Generated>;

/**
 * One state of the ledger and of the rates for everything that the report asks. What is small (the count of all
 * rows, totals) is asked before the rows, so that whatever goes wrong is known while it can still be said.
 */
export function createGenerateReport({
  sql,
  ratesOf,
  namesOf,
  reader,
  bounds,
  clock,
}: GenerateDeps): GenerateReport {
  return async function generateReport(request, access, signal) {
    const period = periodOf(request, clock.now());
    const [ledger, rates] = await Promise.all([
      readLedger(sql, touchedDays(period), askedDays(period)),
      readRates(ratesOf, request, period).catch((error: unknown) => {
        throw failureOf(error, signal);
      }),
    ]);
    // After the ledger: what that lets through was stored before it.
    const names = needsNames(request)
      ? await namesOf(ledger).catch((error: unknown) => {
          throw failureOf(error, signal);
        })
      : [];
    const format = request.format ?? 'json';
    const text = format === 'csv' ? { text: withoutFormula } : {};
    const report = compileReport(request, { access, ledger, rates, names, period, ...text });
    try {
      // Files have no meta to say it in.
      const summary = format === 'json' ? await readSummary(reader, report, signal) : unsaid;
      const rows = await reader.open(report, answerFormats[format].clickhouse, signal);
      const metaOf = createMeta({ request, period, ledger, rates, summary });
      return { kind: 'made', rows, columns: report.columns, period, metaOf };
    } catch (error) {
      const missing = isMissingRate(error) ? await missingRate(reader, report, signal) : null;
      if (missing !== null) return { kind: 'without-rate', missing };
      const errors = error instanceof ReportFailed ? refusalOf(error, bounds) : null;
      if (errors === null) throw error;
      return { kind: 'refused', errors };
    }
  };
}

const unsaid: Summary = { count: null, totals: null };

async function readSummary(
  reader: ReportReader,
  { count, totals }: CompiledReport,
  signal: AbortSignal,
): Promise<Summary> {
  const counted = count === null ? null : await reader.line(count, signal);
  return {
    count: counted === null ? null : Number((JSON.parse(counted) as { readonly count: number }).count),
    totals: totals === null ? null : await reader.line(totals, signal),
  };
}

async function missingRate(
  reader: ReportReader,
  report: CompiledReport,
  signal: AbortSignal,
): Promise<MissingRate | null> {
  const line = await reader.line(report.missingRate, signal);
  return line === null ? null : (JSON.parse(line) as MissingRate);
}
