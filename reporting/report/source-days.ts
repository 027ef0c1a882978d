import { literal } from '../../engine/adapters/clickhouse/literals.ts';
import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import { zoneName } from '../../engine/contract/time-zone.ts';
import { countedRows, readRows } from './base-rows.ts';
import { questionOf, type ReportContext, type Statement } from './compile.ts';
import { createParameters } from './parameters.ts';
import type { ReportRequest } from './request.ts';
import { spansOf } from './spans.ts';

/** A source that delivers days without hours, which are days in that timezone. */
export interface SourceDays {
  readonly source: string;
  readonly timezone: string;
}

export interface FoundDays {
  /** A condition on rows that are whole days; null where there are none, or where it makes no difference. */
  readonly wholeDays: string | null;
  /** Sources whose days differ from those of the report. */
  readonly foreign: readonly SourceDays[];
}

type Context = Omit<ReportContext, 'leftOut' | 'wholeDays'>;

/** A row without the flag may be a day where it begins at midnight. */
const UNKNOWN_AT_MIDNIGHT = "grain = 'unknown' AND at = toStartOfDay(at)";
const MAY_BE_A_DAY = `(grain = 'day' OR (${UNKNOWN_AT_MIDNIGHT}))`;

/**
 * The report's sources that deliver days without hours. Rows of earlier versions do not say whether they are
 * days or the first hour of one: a source without a row at another hour in the report counts as one that
 * delivers days.
 */
export async function readSourceDays(
  request: ReportRequest,
  context: Context,
  { dayZones }: Pick<Ledger, 'dayZones'>,
  ask: (statement: Statement) => Promise<string | null>,
): Promise<FoundDays> {
  const { timezone } = context.period;
  if (timezone === 'UTC' && Object.keys(dayZones).length === 0) return { wholeDays: null, foreign: [] };
  const sources = sourcesOf(await ask(sourcesStatement(request, context)));
  const guessed = sources.filter(({ midnight, hours }) => midnight && !hours).map(({ source }) => source);
  const inReport = sources.filter(
    ({ source, days_in, midnight_in }) => days_in || (midnight_in && guessed.includes(source)),
  );
  const zoneOf = (source: string): string =>
    (Object.hasOwn(dayZones, source) ? dayZones[source] : 'UTC') ?? 'UTC';
  const conditions = [
    "grain = 'day'",
    ...guessed.map((source) => `(grain = 'unknown' AND source = ${literal(source)})`),
  ];
  return {
    wholeDays:
      guessed.length === 0 && !sources.some(({ days }) => days) ? null : `(${conditions.join(' OR ')})`,
    foreign: inReport
      .map(({ source }) => ({ source, timezone: zoneOf(source) }))
      .filter((one) => (zoneName(one.timezone) ?? one.timezone) !== timezone)
      .toSorted((one, other) => (one.source < other.source ? -1 : 1)),
  };
}

/** Whether a source has rows that are days, and rows without the flag: at midnight, and at other hours. */
interface SourceFlags {
  readonly source: string;
  readonly days: boolean;
  readonly midnight: boolean;
  readonly hours: boolean;
  /** Those that the report would count. */
  readonly days_in: boolean;
  readonly midnight_in: boolean;
}

/** Of all that the report reads: a day beside it must not be moved into it. */
function sourcesStatement(request: ReportRequest, context: Context): Statement {
  const parameters = createParameters(visibleRows(context.ledger).params);
  const question = questionOf(request, { ...context, leftOut: [], wholeDays: MAY_BE_A_DAY }, parameters);
  const spans = spansOf(context.period);
  const anyOf = (condition: typeof countedRows): string =>
    spans.map((span) => `(${condition(question, span)})`).join(' OR ');
  const flags = {
    days: "grain = 'day'",
    midnight: UNKNOWN_AT_MIDNIGHT,
    hours: "grain = 'unknown' AND at != toStartOfDay(at)",
    days_in: `grain = 'day' AND (${anyOf(countedRows)})`,
    midnight_in: `${UNKNOWN_AT_MIDNIGHT} AND (${anyOf(countedRows)})`,
  };
  const columns = Object.entries(flags).map(([name, holds]) => `max(${holds}) AS c_${name}`);
  const pairs = ['source', ...Object.keys(flags)].map((name) => `'${name}', toString(c_${name})`);
  return {
    select: `SELECT groupArray(map(${pairs.join(', ')})) AS sources FROM (
      SELECT toString(source) AS c_source, ${columns.join(', ')}
      FROM ad_stats WHERE ${anyOf(readRows)} GROUP BY c_source HAVING c_days OR c_midnight)`,
    params: parameters.params,
  };
}

function sourcesOf(line: string | null): SourceFlags[] {
  if (line === null) return [];
  const { sources } = JSON.parse(line) as { readonly sources: readonly Readonly<Record<string, string>>[] };
  return sources.map((one) => ({
    source: one.source ?? '',
    days: one.days === '1',
    midnight: one.midnight === '1',
    hours: one.hours === '1',
    days_in: one.days_in === '1',
    midnight_in: one.midnight_in === '1',
  }));
}
