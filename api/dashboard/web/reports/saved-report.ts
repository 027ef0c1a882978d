import { readReport } from './address.ts';
import type { Period } from './periods.ts';
import { bodyOf, type FilterDraft, type ReportDraft } from './report.ts';

/** A report that the organization keeps by name. */
export interface SavedReport {
  readonly id: number;
  readonly name: string;
  /** As the reporting API names it; null: the days of the request stay. */
  readonly period: string | null;
  /** The body of a report, with its days as they are now. */
  readonly request: SavedQuestion;
  /** What the page that saved it remembers of its look; null: nothing. */
  readonly view: Readonly<Record<string, unknown>> | null;
  readonly made_by: string | null;
  readonly may_change: boolean;
}

interface SavedQuestion {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly currency: string;
  readonly selectedDate: readonly [string, string];
  readonly timezone?: string;
  readonly source_days?: boolean;
  readonly compare_to?: unknown;
  readonly sort?: readonly { readonly by: string; readonly direction?: string }[];
  readonly filter_groups?: readonly { readonly filters: readonly Omit<FilterDraft, 'id'>[] }[];
}

/** The page's periods, by the words that the reporting API has for them. */
const periodOf: Readonly<Record<string, Period>> = {
  yesterday: 'yesterday',
  last_7_days: 'last-7',
  last_30_days: 'last-30',
  month_to_date: 'month',
  last_month: 'last-month',
};
const wordOf = (period: Period): string =>
  Object.keys(periodOf).find((word) => periodOf[word] === period) ?? period;

/** The body that saves a draft under a name. */
export function savedBodyOf(name: string, draft: ReportDraft, view?: object): object {
  const { selectedDate, ...question } = bodyOf(draft) as SavedQuestion;
  const days = draft.period === '' ? { selectedDate } : { period: wordOf(draft.period) };
  return { name, ...question, ...days, ...(view === undefined ? {} : { view }) };
}

/**
 * The draft that a saved report is. A period of which the page has no name (`last_week`) becomes its days as they are
 * now; what the page cannot show at all (several sort keys, a compared pair of days) is left out.
 */
export function draftOf({ period, request }: SavedReport): ReportDraft | null {
  const [from, to] = request.selectedDate;
  const [first] = request.sort ?? [];
  return readReport({
    ...{ dimensions: request.dimensions, metrics: request.metrics, currency: request.currency, from, to },
    period: period === null ? '' : (periodOf[period] ?? ''),
    timezone: request.timezone ?? 'UTC',
    sourceDays: request.source_days,
    compare: request.compare_to,
    ...(first === undefined ? {} : { sortBy: first.by, direction: first.direction ?? 'asc' }),
    groups: (request.filter_groups ?? []).map(({ filters }) => ({ filters })),
  });
}
