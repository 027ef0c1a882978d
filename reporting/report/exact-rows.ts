import { daysBetween } from '../../engine/contract/days.ts';
import type { RateTable } from '../../engine/contract/rate-table.ts';
import { type BaseQuestion, baseRows } from './base-rows.ts';
import { alwaysHolds, type Branch, metricFiltersOf } from './groups.ts';
import { type Summed, summedOf } from './keys.ts';
import { metricCondition, type NameOf } from './metric-expressions.ts';
import { textArray } from './parameters.ts';
import { type Span, spansOf } from './spans.ts';

export interface ExactQuestion extends BaseQuestion {
  readonly rates: RateTable;
}

/** Names of exact sums: `x_…` of the period, `y_…` of the one that it is compared with. */
export const current: NameOf = (summed) => `x_${summed}`;
export const previous: NameOf = (summed) => `y_${summed}`;

/**
 * One row per report row: its dimensions as `d_…`, its exact sums over the counted base rows. The second level
 * of aggregation, over the groups of `baseRows`: currencies, days, branches, the compared period.
 */
export function exactRows(question: ExactQuestion): string {
  if (question.masked) return maskedRows(question);
  const { dimensions, branches, summed } = question;
  const condition = holding(branches[0], question, current);
  if (!summed.includes('earnings') && question.period.compared === null) {
    // Base rows are a row a report row already.
    const values = summed.map((name) => `r_${name} AS x_${name}`);
    return `SELECT ${[...names(question), ...values].join(', ')} FROM (${allSpans(question)}) WHERE ${condition}`;
  }
  return `SELECT ${[...names(question), ...sums(question, summed)].join(', ')}
    FROM (${markedRows(question)})
    GROUP BY ${dimensions.map((dimension) => `d_${dimension}`).join(', ')}
    ${havingOf(question, condition)}`;
}

function havingOf({ period }: ExactQuestion, condition: string): string {
  const held = [...(period.compared === null ? [] : ['countIf(side = 0) > 0']), `(${condition})`];
  return held.length === 1 && condition === '1' ? '' : `HAVING ${held.join(' AND ')}`;
}

const names = ({ dimensions }: ExactQuestion): string[] => dimensions.map((dimension) => `d_${dimension}`);

function sums({ period }: ExactQuestion, summed: readonly Summed[]): string[] {
  if (period.compared === null) return summed.map((name) => `sum(v_${name}) AS x_${name}`);
  return summed.flatMap((name) => [
    `sumIf(v_${name}, side = 0) AS x_${name}`,
    `sumIf(v_${name}, side = 1) AS y_${name}`,
  ]);
}

/** Whether one of the branch's groups holds; all of it `1` where one has no metric filters. */
function holding(branch: Branch | undefined, { parameters }: ExactQuestion, of: NameOf): string {
  if (branch === undefined || alwaysHolds(branch)) return '1';
  return branch.groups
    .map((filters) => filters.map((filter) => `(${metricCondition(filter, of, parameters)})`).join(' AND '))
    .map((text) => `(${text})`)
    .join(' OR ');
}

/**
 * First the totals of each branch (`g0_…`), which decide where its groups hold (`held`, a bit a branch); then
 * the sums over rows with one of these bits. The parts of a report row are kept in arrays between the two.
 */
function maskedRows(question: ExactQuestion): string {
  const compared = question.period.compared !== null;
  const held = question.branches.map((branch, bit) => {
    const totals = holding(branch, question, (name) => `g${bit}_${name}`);
    // Totals of no rows are 0, which a filter may match: a group without rows holds nowhere.
    const hasRows = compared && !alwaysHolds(branch) ? `g${bit}_rows > 0 AND ` : '';
    return `toUInt32(${hasRows}(${totals})) * ${2 ** bit}`;
  });
  const columns = question.summed.flatMap((name) => [
    `${heldSum(name, compared, 0)} AS x_${name}`,
    ...(compared ? [`${heldSum(name, compared, 1)} AS y_${name}`] : []),
  ]);
  const counts = compared
    ? `arrayExists((m, s) -> ${IS_HELD} AND s = 0, masks, sides)`
    : `arrayExists(m -> ${IS_HELD}, masks)`;
  return `SELECT ${[...names(question), ...columns].join(', ')}
    FROM (SELECT *, ${held.join(' + ')} AS held FROM (${branchTotals(question)}))
    WHERE ${counts}`;
}

const IS_HELD = 'bitAnd(m, held) != 0';

function heldSum(name: Summed, compared: boolean, side: 0 | 1): string {
  const zero = name === 'earnings' ? 'toDecimal256(0, 26)' : 'toUInt64(0)';
  return compared
    ? `arraySum((m, s, v) -> if(${IS_HELD} AND s = ${side}, v, ${zero}), masks, sides, vs_${name})`
    : `arraySum((m, v) -> if(${IS_HELD}, v, ${zero}), masks, vs_${name})`;
}

/** One row per report row: its parts, and its totals of each branch whose groups need them. */
function branchTotals(question: ExactQuestion): string {
  const { branches, summed, period } = question;
  const isNow = period.compared === null ? '' : ' AND side = 0';
  const totals = branches.flatMap((branch, bit) => {
    if (alwaysHolds(branch)) return [];
    const asked = new Set(metricFiltersOf([branch]).flatMap(({ value }) => summedOf(value)));
    const sums = [...asked].map(
      (name) => `sumIf(v_${name}, bitTest(mask, ${bit})${isNow}) AS g${bit}_${name}`,
    );
    return isNow === '' ? sums : [...sums, `countIf(bitTest(mask, ${bit})${isNow}) AS g${bit}_rows`];
  });
  const parts = ['mask', ...(period.compared === null ? [] : ['side']), ...summed.map((name) => `v_${name}`)];
  const arrays = parts.map((part) => `groupArray(${part}) AS ${arrayNames(part)}`);
  return `SELECT ${[...names(question), ...arrays, ...totals].join(', ')}
      FROM (${markedRows(question)}) GROUP BY ${names(question).join(', ')}`;
}

const arrayNames = (part: string): string => (part.startsWith('v_') ? `vs_${part.slice(2)}` : `${part}s`);

/** The base rows of all spans, `side` 1 those of the comparison, and their values `v_…` in the report's currency. */
function markedRows(question: ExactQuestion): string {
  const { masked, summed, period } = question;
  const columns = [
    ...names(question),
    ...(masked ? ['mask'] : []),
    ...(period.compared === null ? [] : ['side']),
    ...summed.map((name) => `${name === 'earnings' ? CONVERTED : `r_${name}`} AS v_${name}`),
  ];
  return `SELECT ${columns.join(', ')} FROM (${summed.includes('earnings') ? ratedRows(question) : allSpans(question)})`;
}

/**
 * Money without a rate would be silently wrong: `readMoney` has left it out, or this fails before anything is
 * answered.
 */
const CONVERTED = `toDecimal256(r_earnings, 8) * rate + throwIf(rate = 0 AND r_earnings != 0, 'no exchange rate')`;

function allSpans(question: ExactQuestion): string {
  const spans = spansOf(question.period);
  if (spans.length === 1) return spans.map((span) => baseRows(question, span, 0)).join('');
  return spans
    .map(
      (span, side) =>
        `SELECT *, ${side} AS side FROM (${baseRows(question, span, slotsBefore(spans, side))})`,
    )
    .join(' UNION ALL ');
}

const slotsBefore = (spans: readonly Span[], index: number): number =>
  spans.slice(0, index).reduce((sum, { first, last }) => sum + last - first + 1, 0);

/**
 * Base rows with their `rate`. All rates are in one list: first 1, for the report's own currency (its slot is
 * 0), then each other currency's slots. A currency without any rate is not in it and has the rate 0.
 */
function ratedRows(question: ExactQuestion): string {
  const { parameters, rates, period, currency } = question;
  const days = spansOf(period).flatMap(({ first, last }) => daysBetween(first, last));
  const lists = rates.currencies.map((from) => {
    const own = days.map((day) => rates.rate(from, day));
    return parameters.value('Array(String)', own);
  });
  const all = `CAST(arrayConcat(${["['1']", ...lists].join(', ')}), 'Array(Decimal(38, 18))')`;
  const codes = textArray(parameters, [currency, ...rates.currencies]);
  const places = [1, ...rates.currencies.map((_, index) => 1 + index * days.length)];
  const place = `transform(c_currency, ${codes}, ${parameters.value('Array(UInt32)', places)}, ${NOWHERE})`;
  return `SELECT *, arrayElement(${all}, ${place} + slot) AS rate FROM (${allSpans(question)})`;
}

/** Beyond the end of every list. */
const NOWHERE = 'toUInt32(1073741824)';
