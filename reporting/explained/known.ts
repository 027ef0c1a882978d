import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { daysBetween, dayText } from '../../engine/contract/days.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import {
  failureOf,
  type ReportBounds,
  ReportFailed,
  type ReportReader,
  type ReportRun,
} from '../answer/report-reader.ts';
import { refusalOf, sourceDaysRefused } from '../generate/refusals.ts';
import type { Access } from '../report/access.ts';
import type { MonthCurrency } from '../report/ad-currencies.ts';
import type { ReportContext } from '../report/compile.ts';
import type { IdnName } from '../report/domain-names.ts';
import type { KnownOf } from '../report/known.ts';
import { type MissingRate, type Money, readMoney } from '../report/money.ts';
import { askedDays, periodOf, touchedDays } from '../report/period.ts';
import { type RatesOfDays, readRates } from '../report/rates.ts';
import type { ReportRequest } from '../report/request.ts';
import { readSourceDays, type SourceDays } from '../report/source-days.ts';
import { spansOf } from '../report/spans.ts';

export interface ExplainDeps {
  readonly sql: Sql;
  readonly ratesOf: RatesOfDays;
  readonly namesOf: KnownOf<readonly IdnName[]>;
  readonly currenciesOf: KnownOf<readonly MonthCurrency[]>;
  readonly reader: ReportReader;
  readonly bounds: ReportBounds;
  readonly clock: Pick<Clock, 'now'>;
}

/** Who asks: the rows that the token sees, and the person whose organization keeps notes. */
export interface Asker {
  readonly access: Access;
  readonly userId: number;
}

export type Refused =
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  /** The operator has to import it. */
  | { readonly kind: 'without-rate'; readonly missing: MissingRate };

/** What all statements of one answer share: one state of the ledger, of the rates, and the rights of the token. */
export interface KnownState {
  readonly kind: 'known';
  readonly run: ReportRun;
  readonly context: ReportContext;
  readonly money: Extract<Money, { kind: 'converted' }>;
  readonly sourceDays: readonly SourceDays[];
}

/** A report with money that these questions are about, as the generate endpoint would read it. */
export async function readState(
  { sql, ratesOf, namesOf, currenciesOf, reader, clock }: ExplainDeps,
  request: ReportRequest,
  access: Access,
  signal: AbortSignal,
  sources?: readonly string[],
): Promise<KnownState | Refused> {
  const run = reader.begin(signal);
  const period = periodOf(request, clock.now());
  const ledger = await readLedger(sql, touchedDays(period), askedDays(period));
  const [rates, names, currencies] = await Promise.all([
    readRates(ratesOf, request, period),
    namesOf(ledger),
    currenciesOf(ledger),
  ]).catch((error: unknown) => {
    throw failureOf(error, signal);
  });
  const only = sources === undefined ? {} : { sources };
  const known = { access, ledger, rates, names, period, ...only };
  const { wholeDays, foreign } = await readSourceDays(request, known, ledger, run.line);
  if (foreign.length > 0 && request.source_days !== true)
    return { kind: 'refused', errors: sourceDaysRefused(foreign) };
  const context = { ...known, wholeDays };
  const months = new Set(
    spansOf(period).flatMap(({ first, last }) =>
      daysBetween(first, last).map((day) => dayText(day).slice(0, 7)),
    ),
  );
  const mayConvert = currencies.some((one) => months.has(one.month) && one.currency !== request.currency);
  const money = await readMoney(request, context, mayConvert, run.line);
  if (money.kind === 'without-rate') return money;
  const { leftOut } = money;
  return { kind: 'known', run, context: { ...context, leftOut }, money, sourceDays: foreign };
}

/** A question that is too large is refused in words; any other failure is thrown on. */
export async function refusing<Answer>(
  bounds: ReportBounds,
  field: string,
  answer: () => Promise<Answer>,
): Promise<Answer | Refused> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ReportFailed) || refusalOf(error, bounds) === null) throw error;
    return {
      kind: 'refused',
      errors: {
        [field]: [`The ${field} field leads to too many rows, or takes too long: choose fewer days.`],
      },
    };
  }
}

/** Of `meta`, what a reader of its money must know. */
export const moneyMeta = ({ money, sourceDays }: Pick<KnownState, 'money' | 'sourceDays'>) => ({
  old_rates: [...money.oldRates],
  rates: [...money.rates],
  source_days: [...sourceDays],
  left_out: money.leftOut.map(({ currency, rows }) => ({ currency, rows })),
});

/** Numbers whose digits no double would keep, as JSON. In no library of TypeScript yet. */
export interface ExactNumber {
  readonly rawJSON: string;
}
export const { rawJSON } = JSON as unknown as { rawJSON(text: string): ExactNumber };
