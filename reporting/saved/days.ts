import type { SavedContent } from '../../engine/adapters/postgres/saved-reports/saved.ts';
import { todayIn } from '../../engine/contract/days.ts';
import { isOverBefore, relativeDays } from '../../engine/contract/relative-days.ts';
import { zoneName } from '../../engine/contract/time-zone.ts';
import { periodOf } from '../report/period.ts';
import type { ReportRequest } from '../report/request.ts';

/** The zone whose calendar moves the days. */
export const zoneOf = (request: object): string =>
  zoneName((request as Partial<ReportRequest>).timezone ?? 'UTC') ?? 'UTC';

/** Whether its days go up to today, whenever that is: they are never final. */
export const isNeverOver = (
  { period, request }: Pick<SavedContent, 'period' | 'request'>,
  nowMs: number,
): boolean => period !== null && !isOverBefore(period, todayIn(zoneOf(request), nowMs));

/** The body of a report, with the days as the calendar has them at this moment. */
export function requestAt({ period, request }: Pick<SavedContent, 'period' | 'request'>, nowMs: number) {
  return requestOn({ period, request }, todayIn(zoneOf(request), nowMs), nowMs);
}

/** As `requestAt`, on a day of the calendar that need not be today's. */
export function requestOn(
  { period, request }: Pick<SavedContent, 'period' | 'request'>,
  today: number,
  nowMs: number,
): ReportRequest & { readonly selectedDate: [string, string] } {
  const body = request as ReportRequest;
  if (period !== null) return { ...body, selectedDate: [...relativeDays(period, today)] };
  const { start, end } = periodOf(body, nowMs);
  return { ...body, selectedDate: [start, end] };
}
