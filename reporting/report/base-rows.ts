import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import { DAY_MS, dayText } from '../../engine/contract/days.ts';
import { zoneOffsets } from '../../engine/contract/time-zone.ts';
import type { Access } from './access.ts';
import { allOf } from './conditions.ts';
import type { IdnName } from './domain-names.ts';
import type { Branch } from './groups.ts';
import { type Dimension, isTimeDimension, type Summed } from './keys.ts';
import { type Parameters, textArray } from './parameters.ts';
import type { ReportPeriod } from './period.ts';
import type { Span } from './spans.ts';

/** The input of the first level of aggregation. */
export interface BaseQuestion {
  readonly parameters: Parameters;
  readonly period: ReportPeriod;
  readonly access: Access;
  /** Names of other scripts that the statistics hold. */
  readonly names: readonly IdnName[];
  readonly ledger: Pick<Ledger, 'maxLoad' | 'hidden' | 'superseded'>;
  readonly dimensions: readonly Dimension[];
  readonly summed: readonly Summed[];
  readonly branches: readonly Branch[];
  /** Whether rows of different branches stay apart. */
  readonly masked: boolean;
  readonly currency: string;
  /** A condition on rows that are whole days of their source: they lie on that day in every timezone. Null: none is. */
  readonly wholeDays: string | null;
  /** Rows with earnings of unknown worth: they do not count. */
  readonly leftOut: readonly LeftOut[];
  /** Only rows of these; left out: of all. */
  readonly sources?: readonly string[];
}

/** Amounts in the currency, of UTC days before that one (a number); null: of all days. */
export interface LeftOut {
  readonly currency: string;
  readonly before: number | null;
}

/**
 * Base rows of one span, summed by the dimensions (`d_…`) and, each where it is needed: the branches they are
 * in (`mask`, a bit each); their currency and, where that is not the report's, their UTC day (`slot`, from 1).
 * So `r_…` is converted once a day and not once a row, and rows in the report's own currency are not split up
 * at all.
 * @param slotsBefore slots of an earlier span.
 */
export function baseRows(question: BaseQuestion, span: Span, slotsBefore: number): string {
  const { masked, summed } = question;
  const day = dayExpression(question, span);
  const conditions = branchConditions(question, span);
  const keys = [
    ...question.dimensions.map((dimension) => `${dimensionExpression(dimension, day)} AS d_${dimension}`),
    ...(masked
      ? [`${conditions.map((text, bit) => `toUInt32(${text}) * ${2 ** bit}`).join(' + ')} AS mask`]
      : []),
    ...(summed.includes('earnings') ? moneyKeys(question, span, slotsBefore) : []),
  ];
  return `SELECT ${[...keys, ...summed.map((name) => `sum(ad_stats.${name}) AS r_${name}`)].join(', ')}
    FROM ad_stats WHERE ${countedRows(question, span)}
    GROUP BY ${keys.map((key) => key.slice(key.lastIndexOf(' ') + 1)).join(', ')}`;
}

/** The rows of a span that a report reads, before any filter. */
export function countedRows(question: BaseQuestion, span: Span): string {
  const conditions = branchConditions(question, span);
  return allHold([
    readRows(question, span),
    ...inSpan(question, span),
    // Rows of no group have no part in anything.
    ...(conditions.includes('1') ? [] : [conditions.map((text) => `(${text})`).join(' OR ')]),
    ...(question.leftOut.length === 0 ? [] : [`NOT (ad_stats.earnings != 0 AND (${leftOutRows(question)}))`]),
  ]);
}

/** Of the UTC days that a span touches, the rows that the ledger and the token admit. */
export function readRows(question: BaseQuestion, { first, last }: Span): string {
  const { parameters, ledger, sources } = question;
  return allHold([
    between(parameters, 'toDate(at)', dayText(first), dayText(last)),
    ...(sources === undefined ? [] : [`ad_stats.source IN ${textArray(parameters, sources)}`]),
    visibleRows(ledger).text,
    ...accessConditions(question),
  ]);
}

const allHold = (conditions: readonly string[]): string =>
  conditions.map((text) => `(${text})`).join(' AND ');

const between = (parameters: Parameters, day: string, from: string, to: string): string =>
  `${day} BETWEEN ${parameters.value('Date', from)} AND ${parameters.value('Date', to)}`;

function branchConditions(question: BaseQuestion, span: Span): string[] {
  const { parameters, period, names, branches } = question;
  const context = { parameters, period, day: dayExpression(question, span), names };
  return branches.map(({ dimensionFilters }) => allOf(dimensionFilters, context));
}

const leftOutRows = ({ leftOut, parameters }: BaseQuestion): string =>
  leftOut
    .map(({ currency, before }) => {
      const own = `ad_stats.currency = ${parameters.value('String', currency)}`;
      return before === null ? own : `(${own} AND toDate(at) < ${parameters.value('Date', dayText(before))})`;
    })
    .join(' OR ');

const isUtc = ({ timezone }: ReportPeriod): boolean => timezone === 'UTC';

/** Of rows in a span. ClickHouse gets offsets, not the zone's name: its own table of zones may be older than ours. */
function localDay({ parameters, period, wholeDays }: BaseQuestion, { first, last }: Span): string {
  if (isUtc(period)) return 'toDate(at)';
  const offsets = zoneOffsets(period.timezone, first * DAY_MS, (last + 1) * DAY_MS);
  const seconds = offsets.map((offset) => parameters.value('Int32', offset.seconds));
  const changes = offsets
    .slice(1)
    .map(({ fromMs }) => `at < ${parameters.value("DateTime('UTC')", fromMs / 1_000)}`);
  const ahead = changes.reduceRight<string>(
    (later, before, index) => `if(${before}, ${seconds[index]}, ${later})`,
    seconds.at(-1) ?? '0',
  );
  const day = `toDate(at + ${ahead})`;
  return wholeDays === null ? day : `if(${wholeDays}, toDate(at), ${day})`;
}

/** A day of the compared period counts as its counterpart in the period. */
function dayExpression(question: BaseQuestion, span: Span): string {
  const { shift } = span;
  const day = localDay(question, span);
  if (shift === null) return day;
  const date = (text: string): string => question.parameters.value('Date', text);
  if (shift.kind === 'days') return `addDays(${day}, ${question.parameters.value('Int32', shift.days)})`;
  const { ontoLeapDay } = shift;
  const later = `addYears(${day}, 1)`;
  return ontoLeapDay === null
    ? later
    : `if(${day} = ${date(ontoLeapDay)}, ${date(question.period.start)}, ${later})`;
}

function dimensionExpression(dimension: Dimension, day: string): string {
  if (!isTimeDimension(dimension)) return `ad_stats.${dimension}`;
  return { day, month: `toStartOfMonth(${day})`, year: `toYear(${day})` }[dimension];
}

/** The days themselves, after the UTC days by which the table is sorted. */
function inSpan(question: BaseQuestion, span: Span): string[] {
  const { start, end, shift } = span;
  const { parameters, period } = question;
  const leftOut = shift?.kind === 'year' ? shift.leftOut : null;
  return [
    ...(isUtc(period) ? [] : [between(parameters, localDay(question, span), start, end)]),
    ...(leftOut === null ? [] : [`${localDay(question, span)} != ${parameters.value('Date', leftOut)}`]),
  ];
}

function moneyKeys({ parameters, currency }: BaseQuestion, { first }: Span, slotsBefore: number): string[] {
  const day = `toInt32(toDate(at)) - ${parameters.value('Int32', first - slotsBefore - 1)}`;
  return [
    'ad_stats.currency AS c_currency',
    `if(ad_stats.currency = ${parameters.value('String', currency)}, 0, ${day}) AS slot`,
  ];
}

/** No statement is without it. Neither list has an entry: no row. */
export function accessConditions({
  access,
  parameters,
}: Pick<BaseQuestion, 'access' | 'parameters'>): string[] {
  if (access === 'unrestricted') return [];
  const { domains, wholesalers } = access;
  if (domains.length === 0 && wholesalers.length === 0) return ['0'];
  return [
    ...(domains.length === 0 ? [] : [`ad_stats.domain IN ${textArray(parameters, domains)}`]),
    ...(wholesalers.length === 0 ? [] : [`ad_stats.wholesaler IN ${textArray(parameters, wholesalers)}`]),
  ];
}
