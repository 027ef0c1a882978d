import { visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import type { Series } from '../../../engine/adapters/postgres/explained/mutes.ts';
import { knownDay } from '../../../engine/contract/days.ts';
import { questionOf, type ReportContext, type Statement } from '../../report/compile.ts';
import { exactRows } from '../../report/exact-rows.ts';
import type { Dimension } from '../../report/keys.ts';
import { shown } from '../../report/metric-expressions.ts';
import { createParameters, type Parameters, textArray } from '../../report/parameters.ts';
import type { ReportRequest } from '../../report/request.ts';
import { LEAST_WEEKS, MOST_A_DAY, OUTSIDE_BAND, PARTS, WEEKS } from './rules.ts';

/** Which days are meant: of `days` in a row from the period's start, these; by numbers from 0. */
export interface AskedDays {
  /** Of each day, whether the token sees a row of it. */
  readonly hasRows: readonly boolean[];
  /** Asked ones that have rows. */
  readonly asked: readonly number[];
}

export interface MutedSeries extends Series {
  /** The last one muted, as the number of a day from the period's start; may be beyond it. */
  readonly until: number;
}

export interface FoundSeries extends Series {
  readonly at: number;
  /** The number of the series' first day with a row. */
  readonly first: number;
}

/** Days on which the token sees a row. */
export function daysStatement(request: ReportRequest, context: ReportContext): Statement {
  const { parameters, rows } = readOf({ ...request, dimensions: ['day'] }, context);
  return {
    select: `SELECT groupArray(toString(d_day)) AS days FROM (${rows})`,
    params: parameters.params,
  };
}

/**
 * One statement for all series, with a row a day that was asked. Of each series it holds the days that have rows, never
 * all days; series that never came near the least amount are dropped first.
 * @param least in millionths.
 */
export function anomaliesStatement(
  request: ReportRequest,
  context: ReportContext,
  days: AskedDays,
  { muted, least }: { readonly muted: readonly MutedSeries[]; readonly least: bigint },
): Statement {
  const { parameters, rows } = readOf({ ...request, dimensions: ['day', ...seriesDimensions] }, context);
  const start = dateOf(parameters, context);
  const { hasRows, asked } = daysIn(parameters, days);
  const leastValue = `toInt256(${parameters.value('String', String(least))})`;
  const series = `SELECT ${seriesTexts}, ${pairsOf(start, ['micros', 'served_there'])}, max(toInt256(abs(micros))) AS largest
    FROM (SELECT *, ${MICROS}, toInt256(x_impressions) AS served_there FROM (${rows})) GROUP BY ${seriesColumns} HAVING largest * 2 >= ${leastValue}`;
  const placed = `SELECT *, arrayJoin(${asked}) AS at FROM (${series})`;
  const valued = `SELECT s_domain, s_product, s_country, first, at, ${weeksOf(hasRows)}, ${valueAt('micros')} AS now,
    ${valueAt('served_there')} AS served, ${valuesOf('micros')} AS history, ${valuesOf('served_there')} AS served_before
    FROM (${placed})`;
  const judged = `SELECT *, length(weeks) AS n, ${MEDIAN} FROM (${valued})`;
  const marked = `SELECT *, ${medianTwice('deviations')} AS fourfold FROM (SELECT *, ${DEVIATIONS} FROM (${judged}))`;
  const flagged = `SELECT *, n >= ${LEAST_WEEKS} AND size >= 2 * ${leastValue} AND ${OUTSIDE_BAND} AS odd,
    if(odd, ${mutedUntil(parameters, muted)}, -1) >= at AS is_muted,
    n < ${LEAST_WEEKS} AND now != 0 AS is_new FROM (${marked})`;
  const fields = [
    ...['s_domain', 's_product', 's_country', 'toString(first)', 'toString(now)', 'toString(twice)'],
    ...['toString(fourfold)', 'toString(served)', `toString(${medianTwice('served_before')})`],
    ...['arrayMap(w -> toString(w), weeks)', 'arrayMap(v -> toString(v), history)'],
  ];
  const ranked = `arraySort(e -> (-e.1, e.2.1, e.2.2, e.2.3), groupArrayIf((size, (${fields.join(', ')})), odd AND NOT is_muted))`;
  return {
    select: `SELECT toString(at) AS place, toString(countIf(odd AND NOT is_muted)) AS found, toString(countIf(odd AND is_muted)) AS muted,
      toString(countIf(is_new)) AS fresh, toString(sumIf(now, is_new)) AS fresh_earnings,
      arrayMap(e -> e.2, arraySlice(${ranked}, 1, ${MOST_A_DAY})) AS top
      FROM (${flagged}) GROUP BY at ORDER BY at`,
    params: parameters.params,
  };
}

/** Of each series that was found, the values of the dimensions below it whose earnings are farthest from their own usual ones. */
export function partsStatement(
  request: ReportRequest,
  context: ReportContext,
  days: AskedDays,
  found: readonly FoundSeries[],
): Statement {
  const { parameters, rows } = readOf(
    {
      ...request,
      dimensions: ['day', ...seriesDimensions, ...partDimensions],
      filter_groups: [
        {
          operator: 'or',
          filters: seriesDimensions.map((value) => ({
            value,
            type: 'dimension' as const,
            comparator: 'in' as const,
            selectedValues: [...new Set(found.map((one) => one[value]))],
          })),
        },
      ],
    },
    context,
  );
  const start = dateOf(parameters, context);
  const { hasRows } = daysIn(parameters, days);
  const keys = keysOf(parameters, found);
  const numbers = (of: 'at' | 'first'): string =>
    parameters.value(
      'Array(UInt16)',
      found.map((one) => one[of]),
    );
  const names = partDimensions.map((name) => `('${name}', CAST(d_${name} AS String))`).join(', ');
  const split = `SELECT ${seriesTexts}, d_day, micros, arrayJoin([${names}]) AS part
    FROM (SELECT *, ${MICROS} FROM (${rows}))`;
  const summed = `SELECT s_domain, s_product, s_country, part, d_day, sum(micros) AS micros FROM (${split})
    WHERE has(${keys}, (s_domain, s_product, s_country)) GROUP BY s_domain, s_product, s_country, part, d_day`;
  const series = `SELECT s_domain, s_product, s_country, part, ${pairsOf(start, ['micros'])} FROM (${summed})
    GROUP BY s_domain, s_product, s_country, part`;
  const placed = `SELECT * REPLACE (toUInt16(arrayElement(${numbers('first')}, place)) AS first), toUInt16(arrayElement(${numbers('at')}, place)) AS at
    FROM (SELECT *, arrayJoin(arrayFilter((i, k) -> k = (s_domain, s_product, s_country), arrayEnumerate(${keys}), ${keys})) AS place FROM (${series}))`;
  const valued = `SELECT place, part, ${weeksOf(hasRows)}, ${valueAt('micros')} AS now, ${valuesOf('micros')} AS history FROM (${placed})`;
  const judged = `SELECT place, part, now, ${MEDIAN}, count() OVER (PARTITION BY place, part.1) AS values_there FROM (${valued})`;
  return {
    select: `SELECT toString(place) AS found_at, part.1 AS dimension, part.2 AS value, toString(now) AS earned, toString(twice) AS twice_usual
      FROM (${judged}) WHERE values_there > 1 AND 2 * now != twice
      ORDER BY place, toInt256(abs(2 * now - twice)) DESC, dimension, value LIMIT ${PARTS} BY place`,
    params: parameters.params,
  };
}

const seriesDimensions = ['domain', 'product', 'country'] as const satisfies readonly Dimension[];
export const partDimensions = [
  'subdomain',
  'media_type',
  'device',
  'os',
  'ad_unit',
] as const satisfies readonly Dimension[];
const seriesColumns = seriesDimensions.map((name) => `d_${name}`).join(', ');
/** Texts: `(LowCardinality, …)` equals no tuple of parameters. */
const seriesTexts = seriesDimensions.map((name) => `CAST(d_${name} AS String) AS s_${name}`).join(', ');

/** Every question here reads what a report reads: rights, ledger and money are in it. */
function readOf(request: ReportRequest, context: ReportContext) {
  const parameters = createParameters(visibleRows(context.ledger).params);
  return { parameters, rows: exactRows(questionOf(request, context, parameters)) };
}

/** Earnings as they are shown, in millionths. */
const MICROS = `toInt256(${shown('earnings', (name) => `x_${name}`)} * 1000000) AS micros`;

const dateOf = (parameters: Parameters, { period }: ReportContext): string =>
  parameters.value('Date', period.start);

function daysIn(parameters: Parameters, { hasRows, asked }: AskedDays) {
  return {
    hasRows: parameters.value('Array(UInt8)', hasRows.map(Number)),
    asked: parameters.value('Array(UInt16)', asked),
  };
}

/** The days with rows of a group, by their numbers, and its values there; the first of them. */
const pairsOf = (start: string, values: readonly string[]): string =>
  [
    `groupArray(toUInt16(d_day - ${start})) AS places`,
    'arrayMin(places) AS first',
    ...values.map((name) => `groupArray(${name}) AS all_${name}`),
  ].join(', ');

/** The value of one day; 0 where the series has no row. */
const valueOn = (name: string, day: string): string =>
  `arraySum((p, v) -> if(p = ${day}, v, v - v), places, all_${name})`;
const valueAt = (name: string): string => valueOn(name, 'at');
const valuesOf = (name: string): string => `arrayMap(w -> ${valueOn(name, 'w')}, weeks)`;

/** The same weekdays before the day, oldest first: from the series' first day on, where there are rows at all. */
const weeksOf = (hasRows: string): string =>
  `arrayFilter(w -> w >= first AND arrayElement(${hasRows}, w + 1) = 1, arrayMap(k -> toUInt16(at - 7 * k), [${Array.from({ length: WEEKS }, (_, n) => WEEKS - n).join(', ')}])) AS weeks`;

/** Twice the median; 0 of no values. */
const medianTwice = (values: string): string => {
  const sorted = `arraySort(${values})`;
  const n = `length(${values})`;
  return `if(${n} = 0, toInt256(0), toInt256(arrayElement(${sorted}, greatest(intDiv(${n} + 1, 2), 1))) + toInt256(arrayElement(${sorted}, intDiv(${n}, 2) + 1)))`;
};
const MEDIAN = `${medianTwice('history')} AS twice`;
const DEVIATIONS = `arrayMap(v -> toInt256(abs(2 * v - twice)), history) AS deviations, toInt256(abs(2 * now - twice)) AS size`;

const keysOf = (parameters: Parameters, series: readonly Series[]): string =>
  `arrayZip(${seriesDimensions
    .map((name) =>
      textArray(
        parameters,
        series.map((one) => one[name]),
      ),
    )
    .join(', ')})`;

function mutedUntil(parameters: Parameters, muted: readonly MutedSeries[]): string {
  if (muted.length === 0) return '-1';
  const until = parameters.value(
    'Array(Int32)',
    muted.map((one) => one.until),
  );
  const place = `indexOf(${keysOf(parameters, muted)}, (s_domain, s_product, s_country))`;
  return `if(${place} = 0, toInt32(-1), arrayElement(${until}, greatest(${place}, 1)))`;
}

/** The number of a day, from the period's start. */
export const placeOf = (start: string, day: string): number => knownDay(day) - knownDay(start);
