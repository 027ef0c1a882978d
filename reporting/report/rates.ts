import { dayText } from '../../engine/contract/days.ts';
import { createRateTable, type Rate, type RateTable } from '../../engine/contract/rate-table.ts';
import type { ReportPeriod } from './period.ts';
import type { ReportRequest } from './request.ts';
import { spansOf } from './spans.ts';

export const needsMoney = ({ metrics, filter_groups = [] }: ReportRequest): boolean =>
  [...metrics, ...filter_groups.flatMap(({ filters }) => filters.map(({ value }) => value))].some(
    (key) => key === 'earnings' || key === 'ecpm',
  );

/** The rates of days (`YYYY-MM-DD`, both ends included), and of each currency the last one before them. */
export type RatesOfDays = (firstDay: string, lastDay: string) => Promise<readonly Rate[]>;

/** The rates of the days that the report touches; none are read where it shows no money. */
export async function readRates(
  ratesOf: RatesOfDays,
  request: ReportRequest,
  period: ReportPeriod,
): Promise<RateTable> {
  if (!needsMoney(request)) return createRateTable([], request.currency);
  const found = await Promise.all(
    spansOf(period).map(({ first, last }) => ratesOf(dayText(first), dayText(last))),
  );
  return createRateTable(found.flat(), request.currency);
}
