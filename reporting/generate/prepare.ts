import { type Ledger, readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { daysBetween, dayText } from '../../engine/contract/days.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import { failureOf } from '../answer/report-reader.ts';
import type { Access } from '../report/access.ts';
import type { MonthCurrency } from '../report/ad-currencies.ts';
import type { ReportContext, Statement } from '../report/compile.ts';
import { type IdnName, needsNames } from '../report/domain-names.ts';
import type { KnownOf } from '../report/known.ts';
import { type MissingRate, type Money, readMoney } from '../report/money.ts';
import { askedDays, periodOf, type ReportPeriod, touchedDays } from '../report/period.ts';
import { needsMoney, type RatesOfDays, readRates } from '../report/rates.ts';
import type { ReportRequest } from '../report/request.ts';
import { readSourceDays, type SourceDays } from '../report/source-days.ts';
import { spansOf } from '../report/spans.ts';
import { sourceDaysRefused } from './refusals.ts';

export interface PrepareDeps {
  readonly sql: Sql;
  readonly ratesOf: RatesOfDays;
  readonly namesOf: KnownOf<readonly IdnName[]>;
  readonly currenciesOf: KnownOf<readonly MonthCurrency[]>;
  readonly clock: Pick<Clock, 'now'>;
}

export type Refused =
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  /** The operator has to import it: nothing that the caller could ask otherwise. */
  | { readonly kind: 'without-rate'; readonly missing: MissingRate };

/** What all statements of one answer share: one state of the ledger, of the rates, and the rights of the token. */
export interface Prepared {
  readonly kind: 'prepared';
  readonly ledger: Ledger;
  readonly context: ReportContext;
  readonly money: Extract<Money, { kind: 'converted' }>;
  /** Sources whose whole days count, in another timezone than the report's. */
  readonly sourceDays: readonly SourceDays[];
}

interface Asked {
  readonly access: Access;
  readonly signal: AbortSignal;
  ask(statement: Statement): Promise<string | null>;
  /** Default: where the report shows domains. */
  readonly withNames?: boolean;
  /** Of the context, beside what is read here. */
  readonly more?: Partial<Pick<ReportContext, 'text' | 'sources'>>;
}

/** @throws ReportFailed where a store is unavailable, a query has a bound too many, or the signal aborts. */
export async function prepareReport(
  { sql, ratesOf, namesOf, currenciesOf, clock }: PrepareDeps,
  request: ReportRequest,
  { access, signal, ask, withNames = needsNames(request), more = {} }: Asked,
): Promise<Prepared | Refused> {
  const period = periodOf(request, clock.now());
  const failed = (error: unknown): never => {
    throw failureOf(error, signal);
  };
  const [ledger, rates] = await Promise.all([
    readLedger(sql, touchedDays(period), askedDays(period)),
    readRates(ratesOf, request, period).catch(failed),
  ]);
  // After the ledger: rows that it admits were stored before it.
  const [names, currencies] = await Promise.all([
    withNames ? namesOf(ledger) : [],
    needsMoney(request) ? currenciesOf(ledger) : [],
  ]).catch(failed);
  const known = { access, ledger, rates, names, period, ...more };
  const { wholeDays, foreign } = await readSourceDays(request, known, ledger, ask);
  if (foreign.length > 0 && request.source_days !== true)
    return { kind: 'refused', errors: sourceDaysRefused(foreign) };
  const context = { ...known, wholeDays };
  const money = await readMoney(request, context, mayConvert(request, period, currencies), ask);
  if (money.kind === 'without-rate') return money;
  const { leftOut } = money;
  return { kind: 'prepared', ledger, context: { ...context, leftOut }, money, sourceDays: foreign };
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
