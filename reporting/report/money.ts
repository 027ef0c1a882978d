import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import { dayText, knownDay } from '../../engine/contract/days.ts';
import type { CurrencyDay, OldRate, RateSource } from '../../engine/contract/rate-table.ts';
import { countedRows, type LeftOut } from './base-rows.ts';
import { questionOf, type ReportContext, type Statement } from './compile.ts';
import type { ExactQuestion } from './exact-rows.ts';
import { createParameters, textArray } from './parameters.ts';
import { needsMoney } from './rates.ts';
import type { ReportRequest } from './request.ts';
import { spansOf } from './spans.ts';

/** The conversion of a report's amounts in other currencies. */
export type Money =
  | {
      readonly kind: 'converted';
      /** Those of the rates that were used. */
      readonly rates: readonly RateSource[];
      /** Currencies of which newer rates should have been imported. */
      readonly oldRates: readonly OldRate[];
      readonly leftOut: readonly LeftOutRows[];
      /** In which currencies something was earned on which days, where it was converted. */
      readonly used: readonly CurrencyDay[];
    }
  /** The operator has to import rates. */
  | { readonly kind: 'without-rate'; readonly missing: MissingRate };

/** Rows of the statistics that earned something in a currency of which there is no rate. */
export interface LeftOutRows extends LeftOut {
  readonly rows: number;
}

/** A currency, and a UTC day `YYYY-MM-DD` of which and before which there is no rate of it. */
export interface MissingRate {
  readonly currency: string;
  readonly day: string;
}

type MoneyContext = Omit<ReportContext, 'leftOut'>;
/** The one row of the answer, as JSON. */
type AskLine = (statement: Statement) => Promise<string | null>;

const nothing: Money = { kind: 'converted', rates: [], oldRates: [], leftOut: [], used: [] };

/**
 * Reads the currencies and their days before anything is converted. A currency without a rate costs its own
 * rows, not the report; where there are no rates at all, or none of the report's currency, they were forgotten,
 * and the report would be empty.
 * @param mayConvert false: there is no other currency than the report's.
 */
export async function readMoney(
  request: ReportRequest,
  context: MoneyContext,
  mayConvert: boolean,
  ask: AskLine,
): Promise<Money> {
  if (!needsMoney(request) || !mayConvert) return nothing;
  const { rates } = context;
  const found = pairsOf(await ask(usedStatement(request, context)));
  const lacking = found.filter(({ currency, day }) => rates.lack(currency, day) !== null);
  const rows = lacking.length === 0 ? [] : pairsOf(await ask(earningStatement(request, context, lacking)));
  const missing = rows
    .toSorted((one, other) => one.day - other.day || (one.currency < other.currency ? -1 : 1))
    .flatMap(({ currency, day }) => {
      const lack = rates.lack(currency, day);
      return lack === null ? [] : [{ ...lack, day: dayText(day) }];
    });
  const forgotten = missing.find((lack) => lack.of === 'all');
  if (forgotten !== undefined) {
    const { currency, day } = forgotten;
    return { kind: 'without-rate', missing: { currency, day } };
  }
  const used = found.filter(({ currency, day, count }) => count > 0 && rates.lack(currency, day) === null);
  return {
    kind: 'converted',
    rates: rates.sourcesOf(used),
    oldRates: rates.oldOf(used),
    leftOut: leftOutOf(rows, context),
    used,
  };
}

/** By currency. Rates only ever begin: days before the first one have none. */
function leftOutOf(rows: readonly Pair[], { rates }: MoneyContext): LeftOutRows[] {
  const lacking = rows.filter(({ currency, day }) => rates.lack(currency, day) !== null);
  return [...Map.groupBy(lacking, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      currency,
      rows: own.reduce((sum, { count }) => sum + count, 0),
      before: rates.currencies.includes(currency) ? Math.max(...own.map(({ day }) => day)) + 1 : null,
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

interface Pair extends CurrencyDay {
  readonly count: number;
}

function pairsOf(line: string | null): Pair[] {
  if (line === null) return [];
  const { pairs } = JSON.parse(line) as { readonly pairs: readonly (readonly [string, string, number])[] };
  return pairs.map(([currency, day, count]) => ({ currency, day: knownDay(day), count: Number(count) }));
}

/**
 * Each other currency and its UTC days; the count is 1 where the sum is not zero, so that a rate matters. Only
 * with columns of `ad_stats`' projection: for a light report this is as light.
 */
const usedStatement = (request: ReportRequest, context: MoneyContext): Statement =>
  statementOf(request, context, (question) => ({
    where: `ad_stats.currency != ${question.parameters.value('String', question.currency)}`,
    count: 'sum(ad_stats.earnings) != 0',
  }));

/** How many rows of these earned something. */
const earningStatement = (
  request: ReportRequest,
  context: MoneyContext,
  lacking: readonly CurrencyDay[],
): Statement =>
  statementOf(request, context, ({ parameters }) => ({
    where: `ad_stats.earnings != 0 AND ad_stats.currency IN ${textArray(parameters, [...new Set(lacking.map(({ currency }) => currency))])}`,
    count: 'count()',
  }));

function statementOf(
  request: ReportRequest,
  context: MoneyContext,
  partsOf: (question: ExactQuestion) => { readonly where: string; readonly count: string },
): Statement {
  const parameters = createParameters(visibleRows(context.ledger).params);
  const question = questionOf(request, { ...context, leftOut: [] }, parameters);
  const { where, count } = partsOf(question);
  // A row of both periods is one row.
  const spans = spansOf(context.period).map((span) => `(${countedRows(question, span)})`);
  return {
    select: `SELECT groupArray((c_currency, toString(c_day), c_count)) AS pairs FROM (
      SELECT ad_stats.currency AS c_currency, toDate(at) AS c_day, toUInt32(${count}) AS c_count
      FROM ad_stats WHERE (${spans.join(' OR ')}) AND ${where} GROUP BY c_currency, c_day)`,
    params: parameters.params,
  };
}
