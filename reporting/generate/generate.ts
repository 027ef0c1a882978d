import type { Readable } from 'node:stream';
import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { daysBetween, dayText, knownDay } from '../../engine/contract/days.ts';
import type { OldRate } from '../../engine/contract/rate-table.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import { answerFormats } from '../answer/formats.ts';
import {
  failureOf,
  type ReportBounds,
  ReportFailed,
  type ReportReader,
  type ReportRun,
} from '../answer/report-reader.ts';
import type { Column } from '../answer/sheet.ts';
import { listDays, type StateRun } from '../ingest/days/list-days.ts';
import type { Access } from '../report/access.ts';
import type { MonthCurrency } from '../report/ad-currencies.ts';
import { type CompiledReport, compileReport, type Statement } from '../report/compile.ts';
import { dayStatesOf, sinceOf } from '../report/day-states.ts';
import { type IdnName, needsNames } from '../report/domain-names.ts';
import type { KnownOf } from '../report/known.ts';
import { type LeftOutRows, type MissingRate, readMoney } from '../report/money.ts';
import { askedDays, periodOf, type ReportPeriod, touchedDays } from '../report/period.ts';
import { readProvenance } from '../report/provenance.ts';
import { needsMoney, type RatesOfDays, readRates } from '../report/rates.ts';
import { createRecentLines } from '../report/recent-lines.ts';
import type { ReportRequest } from '../report/request.ts';
import { readSeenState } from '../report/seen-sources.ts';
import { readSourceDays } from '../report/source-days.ts';
import { spansOf } from '../report/spans.ts';
import { createMeta, type Summary } from './meta.ts';
import { refusalOf, sourceDaysRefused } from './refusals.ts';
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
      /** Rows that are in no figure of it. */
      readonly leftOut: readonly LeftOutRows[];
      readonly oldRates: readonly OldRate[];
      metaOf(count: number): string;
    };

export interface GenerateDeps {
  readonly sql: Sql;
  readonly ratesOf: RatesOfDays;
  readonly namesOf: KnownOf<readonly IdnName[]>;
  readonly currenciesOf: KnownOf<readonly MonthCurrency[]>;
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
 * One state of the ledger and of the rates for all queries of the report. Small queries (the count of all rows,
 * totals) run before the rows, so that an error is known while it can still be answered.
 */
export function createGenerateReport({
  sql,
  ratesOf,
  namesOf,
  currenciesOf,
  reader,
  bounds,
  clock,
}: GenerateDeps): GenerateReport {
  const recentLines = createRecentLines();

  return async function generateReport(request, access, signal) {
    const run = reader.begin(signal);
    const period = periodOf(request, clock.now());
    const format = request.format ?? 'json';
    const isTold = format === 'json';
    const [ledger, runs, rates] = await Promise.all([
      readLedger(sql, touchedDays(period), askedDays(period)),
      isTold ? readStates(sql, period, clock.now()) : [],
      readRates(ratesOf, request, period).catch((error: unknown) => {
        throw failureOf(error, signal);
      }),
    ]);
    // After the ledger: rows that it admits were stored before it.
    const [names, currencies] = await Promise.all([
      needsNames(request) ? namesOf(ledger) : [],
      needsMoney(request) ? currenciesOf(ledger) : [],
    ]).catch((error: unknown) => {
      throw failureOf(error, signal);
    });
    const text = format === 'csv' ? { text: withoutFormula } : {};
    const known = { access, ledger, rates, names, period, ...text };
    const ask = (statement: Statement): Promise<string | null> =>
      recentLines.ask(statement, () => run.line(statement));
    try {
      const { wholeDays, foreign } = await readSourceDays(request, known, ledger, ask);
      if (foreign.length > 0 && request.source_days !== true)
        return { kind: 'refused', errors: sourceDaysRefused(foreign) };
      const context = { ...known, wholeDays };
      const money = await readMoney(request, context, mayConvert(request, period, currencies), ask);
      if (money.kind === 'without-rate') return money;
      const { leftOut, oldRates } = money;
      const report = compileReport(request, { ...context, leftOut });
      // Files have no meta to hold it.
      const summary = format === 'json' ? await readSummary(run, report) : unsaid;
      const seen = isTold
        ? await readSeenState(access, ledger, period, clock.now(), runs, ask)
        : { ...ledger, seen: [] };
      const { dayZones } = ledger;
      const dayStates = dayStatesOf({ period, runs, seen: seen.seen, dayZones, nowMs: clock.now() });
      const provenance =
        isTold && asksProvenance(request)
          ? await readProvenance({ sql, access, ledger, period, rates, used: money.used, ask })
          : null;
      const rows = await run.open(report, answerFormats[format].clickhouse);
      const parts = { request, period, seen, money, sourceDays: foreign, summary, dayStates, provenance };
      const made = { rows, columns: report.columns, period, leftOut, oldRates };
      return { kind: 'made', ...made, metaOf: createMeta(parts) };
    } catch (error) {
      const errors = error instanceof ReportFailed ? refusalOf(error, bounds) : null;
      if (errors === null) throw error;
      return { kind: 'refused', errors };
    }
  };
}

const asksProvenance = ({ include = [] }: ReportRequest): boolean => include.includes('sources');

/** Of the days of the report, and of the last weeks: whether a source still delivers shows there. */
function readStates(sql: Sql, period: ReportPeriod, nowMs: number): Promise<StateRun[]> {
  // Days of a source in another timezone overlap those around them.
  const firstDay = dayText(knownDay(period.start) - 1);
  const lastDay = dayText(knownDay(period.end) + 1);
  const since = sinceOf(nowMs);
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return listDays(sql, {
    from: [firstDay, since].toSorted()[0] ?? since,
    until: [lastDay, today].toSorted()[1] ?? today,
    source: null,
  });
}

/** Whether a month that the report reads ever had another currency. */
function mayConvert(
  { currency }: ReportRequest,
  period: ReportPeriod,
  known: readonly MonthCurrency[],
): boolean {
  const days = spansOf(period).flatMap(({ first, last }) => daysBetween(first, last));
  const months = new Set(days.map((day) => dayText(day).slice(0, 7)));
  return known.some((one) => months.has(one.month) && one.currency !== currency);
}

const unsaid: Summary = { count: null, totals: null };

async function readSummary(run: ReportRun, { count, totals }: CompiledReport): Promise<Summary> {
  const counted = count === null ? null : await run.line(count);
  return {
    count: counted === null ? null : Number((JSON.parse(counted) as { readonly count: number }).count),
    totals: totals === null ? null : await run.line(totals),
  };
}
