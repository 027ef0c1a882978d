import { dayText, knownDay } from '../../engine/contract/days.ts';
import type { ReportFormat } from '../answer/report-reader.ts';
import type { Access } from '../report/access.ts';
import type { Dimension } from '../report/keys.ts';
import type { ReportPeriod } from '../report/period.ts';
import type { ReportRequest } from '../report/request.ts';

/** Some days of a report: rows of no others. */
export interface PeriodPart {
  readonly period: ReportPeriod;
  /** Which part of the report's days these are, in 0 to 1. */
  readonly share: number;
}

/** Each part costs a statement's analysis, some 15 ms; the first one is short, since nothing is sent before it. */
const SHARES = [0.1, 0.2, 0.3, 0.4];
const LEAST_DAYS = 20;
/** A token of fewer has small reports. */
const MANY_DOMAINS = 500;
/** Of these there may be as many as publishers like: a report by day and one of them is large. */
const manyValued: ReadonlySet<Dimension> = new Set([
  ...(['domain', 'subdomain', 'ad_unit', 'deal_id', 'deal_name'] as const),
]);

/**
 * The days of a report that is probably large, in runs that can be made one after the other: its rows are of one day
 * each, and come day by day. So the first ones are sent while the others are made. Of any other report, one run.
 */
export function periodParts(
  request: ReportRequest,
  period: ReportPeriod,
  access: Access,
): readonly [PeriodPart, ...PeriodPart[]] {
  const whole: [PeriodPart] = [{ period, share: 1 }];
  const first = knownDay(period.start);
  const days = knownDay(period.end) - first + 1;
  if (days < LEAST_DAYS || !comesByDay(request) || !isLarge(request, access)) return whole;
  const isDown = request.sort?.[0]?.direction === 'desc';
  const ends = SHARES.map((_, index) =>
    Math.round(days * SHARES.slice(0, index + 1).reduce((sum, share) => sum + share, 0)),
  );
  const [head = whole[0], ...rest] = ends.map((end, index) => {
    const from = ends[index - 1] ?? 0;
    const [start, last] = isDown ? [days - end, days - from - 1] : [from, end - 1];
    const own = { ...period, start: dayText(first + start), end: dayText(first + last) };
    return { period: own, share: (end - from) / days };
  });
  return [head, ...rest];
}

function comesByDay({ dimensions, sort = [], limit, offset, compare_to, format }: ReportRequest): boolean {
  const [first = dimensions[0]] = sort.map(({ by }) => by);
  const isPaged = limit !== undefined || offset !== undefined;
  return (
    first === 'day' &&
    dimensions.includes('day') &&
    !isPaged &&
    compare_to === undefined &&
    format !== 'parquet'
  );
}

function isLarge({ dimensions, filter_groups: groups = [] }: ReportRequest, access: Access): boolean {
  const { domains } = access === 'unrestricted' ? { domains: [] } : access;
  const seesMany = domains.length === 0 || domains.length >= MANY_DOMAINS;
  return seesMany && groups.length === 0 && dimensions.some((dimension) => manyValued.has(dimension));
}

/** Headings are of the first part. */
export const laterFormat = (format: ReportFormat): ReportFormat =>
  format === 'CSVWithNames' ? 'CSV' : format;
