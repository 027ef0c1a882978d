import { MOST_STEPS } from './address.ts';
import type { Days } from './periods.ts';
import { type Dimension, daysIn, dimensions, isTime, type ReportDraft, type TrailStep } from './report.ts';

export type Pressed = TrailStep['pressed'];

/** What one asks next, the most usual first. */
const next: readonly Dimension[] = [
  ...(['domain', 'country', 'device', 'ad_unit', 'product', 'media_type', 'os', 'subdomain'] as const),
  ...(['deal_name', 'deal_type', 'deal_id', 'day'] as const),
];

/** The report of what was pressed alone, by the next dimension; null: there is no further one. */
export function drilled(draft: ReportDraft, pressed: Pressed): ReportDraft | null {
  const { dimensions: shown, columns, period, from, to } = draft;
  if (pressed.length === 0 || draft.trail.length >= MOST_STEPS) return null;
  const used = new Set(
    [...draft.trail, { pressed }].flatMap((step) => step.pressed.map(({ dimension }) => dimension)),
  );
  const left = shown.filter((each) => !used.has(each));
  // A month or a year has days first.
  const isLong = pressed.some(({ dimension }) => dimension === 'month' || dimension === 'year');
  const order: readonly Dimension[] = isLong ? ['day', ...next] : next;
  const further = order.filter(
    (each, at) => !used.has(each) && !left.includes(each) && order.indexOf(each) === at,
  );
  const wanted = columns === '' ? 1 : 2;
  const usable = [...left, ...further].slice(0, Math.max(wanted, left.length));
  if (!usable.some((each) => further.includes(each))) return null;
  return {
    ...draft,
    ...narrowed(draft, pressed),
    dimensions: dimensions.filter((each) => usable.includes(each)),
    columns: columnsOf(columns, usable),
    ...(usable.some((each) => each === draft.sortBy) || !isDimension(draft.sortBy)
      ? {}
      : { sortBy: '' as const }),
    sortColumn: '',
    trail: [...draft.trail, { pressed, before: { dimensions: shown, columns, period, from, to } }],
  };
}

/** Whether there is a dimension to go down to. */
export const canDrill = (draft: ReportDraft): boolean =>
  drilled(
    draft,
    draft.dimensions.slice(0, 1).map((dimension) => ({ dimension, value: '' })),
  ) !== null;

const isDimension = (key: string): boolean => dimensions.some((each) => each === key);

/** The columns stay where they can; otherwise the later one of the two is beside. */
function columnsOf(columns: Dimension | '', chosen: readonly Dimension[]): Dimension | '' {
  if (columns === '' || chosen.length !== 2) return '';
  return chosen.includes(columns) ? columns : (chosen[1] ?? '');
}

/** The days of a time that was pressed, within the report's. */
function narrowed(draft: ReportDraft, pressed: Pressed): Partial<Days & { readonly period: '' }> {
  const times = pressed.filter(({ dimension }) => isTime(dimension));
  if (times.length === 0) return {};
  let { from, to } = daysIn(draft);
  for (const { value } of times) {
    const [first, last] = [`${value}-01-01`.slice(0, 10), lastDayOf(value)];
    if (first > from) from = first;
    if (last < to) to = last;
  }
  return { period: '', from, to };
}

/** Of a day, a month or a year. */
function lastDayOf(value: string): string {
  const [year = '', month = '12', day] = value.split('-');
  if (day !== undefined) return value;
  return new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10);
}

/** The report as it was before this step. */
export function upTo(draft: ReportDraft, step: number): ReportDraft {
  const before = draft.trail[step]?.before;
  return before === undefined
    ? draft
    : { ...draft, ...before, sortColumn: '', trail: draft.trail.slice(0, step) };
}
