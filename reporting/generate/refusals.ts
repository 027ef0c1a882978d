import { counted } from '../../engine/contract/counted.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import type { ReportBounds, ReportFailed, ReportFailure } from '../answer/report-reader.ts';
import type { SourceDays } from '../report/source-days.ts';

const narrower = ({ isJob }: Pick<ReportBounds, 'isJob'>): string =>
  `${isJob === true ? '' : 'make it a job (POST /reports/jobs), or '}choose fewer dimensions, a shorter selectedDate, or filter_groups`;

/** Of an answer that is sent at once. */
export const largeAnswer = (mb: number): FieldErrors => ({
  dimensions: [`The dimensions field leads to a report of more than ${mb} MB: ${narrower({})}.`],
});

/**
 * The part of a request that made it too large, in words that say how to narrow it; null: the request was not
 * the cause.
 */
export function refusalOf({ failure }: ReportFailed, bounds: ReportBounds): FieldErrors | null {
  return refusals[failure]?.(bounds) ?? null;
}

const refusals: Readonly<Record<ReportFailure, ((bounds: ReportBounds) => FieldErrors) | null>> = {
  rows: (bounds) => ({
    dimensions: [
      `The dimensions field leads to more than ${counted(bounds.rows, 'row')}: ${narrower(bounds)}, or set limit.`,
    ],
  }),
  time: (bounds) => ({
    dimensions: [
      `The dimensions field leads to a report that takes more than ${counted(bounds.seconds, 'second')}: ${narrower(bounds)}.`,
    ],
  }),
  memory: (bounds) => ({
    dimensions: [
      `The dimensions field leads to a report that needs too much memory: ${narrower({ ...bounds, isJob: true })}.`,
    ],
  }),
  cancelled: null,
  away: null,
};

/** Days of another timezone than the report's cannot be split at its midnights. */
export function sourceDaysRefused(foreign: readonly SourceDays[]): FieldErrors {
  const sources = foreign.map(({ source, timezone }) => `${source} in ${timezone}`).join(', ');
  return {
    timezone: [
      `The timezone field differs from that of statistics by whole days (${sources}): use that timezone, or set source_days to true to count their whole days.`,
    ],
  };
}
