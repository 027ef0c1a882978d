import { comparedDays, daysWithout, holdsLeapDay, laterDay } from './compared.ts';
import { summedOf } from './exact.ts';
import type { Days } from './periods.ts';
import {
  bodyOf,
  type Dimension,
  daysIn,
  type FilterGroup,
  isTime,
  pivotIn,
  type ReportBody,
  type ReportDraft,
} from './report.ts';
import type { LackingDays, Row } from './rows.ts';

/** Cells that a pivot is made of: more are megabytes, and a table that nobody reads. */
const MOST_CELLS = 20_000;

interface PivotBody extends ReportBody {
  readonly totals?: true;
  readonly limit: number;
}

/** The request of a pivot: what is not additive is computed here, from what is. */
export function pivotBody(draft: ReportDraft): PivotBody {
  const summed = summedOf(draft.metrics);
  const { compare_to: _compare, sort: _sort, ...body } = bodyOf(draft);
  const by = (['earnings', 'impressions'] as const).find((each) => summed.includes(each)) ?? summed[0] ?? '';
  // The largest first: where not all are loaded, the small ones are left.
  return { ...body, metrics: summed, sort: [{ by, direction: 'desc' }], totals: true, limit: MOST_CELLS };
}

/**
 * The request of the earlier days of a pivot; null: nothing is compared. By day where a time is shown: so that its days
 * can be moved onto those of the period before they are added up to months.
 */
export function earlierBody(draft: ReportDraft): PivotBody | null {
  if (draft.compare === '') return null;
  const { totals: _totals, filter_groups: groups, ...body } = pivotBody(draft);
  const { from, to } = comparedDays(daysIn(draft), draft.compare);
  const kept = (groups ?? []).map(withoutMetrics);
  const lacksOne = kept.some(({ filters }) => filters.length === 0);
  return {
    ...body,
    dimensions: earlierDimensions(draft),
    selectedDate: [from, to],
    ...(kept.length === 0 || lacksOne ? {} : { filter_groups: kept }),
  };
}

/** Which rows a metric's filter leaves is for the period itself to say, as the API has it. */
const withoutMetrics = (group: FilterGroup): FilterGroup => ({
  ...group,
  filters: group.filters.filter(({ type }) => type === 'dimension'),
});

const hasMetricFilter = ({ filter_groups: groups = [] }: ReportBody): boolean =>
  groups.some(({ filters }) => filters.some(({ type }) => type === 'metric'));

function earlierDimensions(draft: ReportDraft): Dimension[] {
  const leapDay = draft.compare !== '' && holdsLeapDay(comparedDays(daysIn(draft), draft.compare));
  const needsDay = draft.dimensions.some(isTime) || leapDay;
  return [...(needsDay ? (['day'] as const) : []), ...draft.dimensions.filter((each) => !isTime(each))];
}

const letters = { day: 10, month: 7, year: 4 } as const;

/** The earlier rows, with their times moved onto those of the period. */
export function movedRows(draft: ReportDraft, earlier: readonly Row[], now: readonly Row[]): Row[] {
  const { compare } = draft;
  if (compare === '') return [];
  const days = daysIn(draft);
  const placeOf = (row: Row): string => JSON.stringify(draft.dimensions.map((each) => row[each] ?? ''));
  const there = hasMetricFilter(bodyOf(draft)) ? new Set(now.map(placeOf)) : null;
  return earlier.flatMap((row) => {
    const later = row.day === undefined ? undefined : laterDay(String(row.day), days, compare);
    if (later === null) return [];
    const times = draft.dimensions
      .filter(isTime)
      .map((time) => [time, later?.slice(0, letters[time as keyof typeof letters]) ?? '']);
    const moved = { ...row, ...Object.fromEntries(times) };
    return there === null || there.has(placeOf(moved)) ? [moved] : [];
  });
}

/** Each day with the impressions of it and of the day that is set against it. */
export function daysBody(draft: ReportDraft): ReportBody {
  const { sort: _sort, ...body } = bodyOf(draft);
  const groups = (body.filter_groups ?? []).map(withoutMetrics);
  const { filter_groups: _groups, ...rest } = body;
  return {
    ...rest,
    dimensions: ['day'],
    metrics: ['impressions'],
    ...(groups.length === 0 || groups.some(({ filters }) => filters.length === 0)
      ? {}
      : { filter_groups: groups }),
  };
}

export function lackingDays(draft: ReportDraft, rows: readonly Row[]): LackingDays {
  const { compare } = draft;
  const days = daysIn(draft);
  const now = daysWithout(days, new Set(rows.map(({ day }) => String(day))));
  if (compare === '') return { now, before: [] };
  const earlier: Days = comparedDays(days, compare);
  // Of a day that lacks in both, nothing is distorted: it is named once.
  const filled = new Set(
    rows.filter((row) => Number(row.impressions_previous ?? 0) > 0).map(({ day }) => String(day)),
  );
  const before = daysWithout(earlier, new Set()).filter((day) => {
    const later = laterDay(day, days, compare);
    return later !== null && !filled.has(later) && !now.includes(later);
  });
  return { now, before };
}

/** What is sent for a report, as a shell may repeat it. */
export function bodiesOf(draft: ReportDraft): ReportBody[] {
  if (pivotIn(draft) === null) return [bodyOf(draft)];
  const earlier = earlierBody(draft);
  return [pivotBody(draft), ...(earlier === null ? [] : [earlier])];
}
