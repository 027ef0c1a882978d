import type { SeenState } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { ReportDayStates } from '../report/day-states.ts';
import { filterValuesOf } from '../report/filter-values.ts';
import type { Money } from '../report/money.ts';
import type { ComparedPeriod, ReportPeriod } from '../report/period.ts';
import type { Provenance } from '../report/provenance.ts';
import type { ReportRequest } from '../report/request.ts';
import type { SourceDays } from '../report/source-days.ts';

/** The parts of `meta` beside the rows' count. */
export interface Summary {
  /** All rows, where only some of them are shown; null: all are. */
  readonly count: number | null;
  /** A line of JSON, so that its decimals keep their digits; null where totals are not asked. */
  readonly totals: string | null;
}

interface MetaParts {
  readonly request: ReportRequest;
  readonly period: ReportPeriod;
  readonly seen: SeenState;
  readonly money: Extract<Money, { kind: 'converted' }>;
  readonly sourceDays: readonly SourceDays[];
  readonly summary: Summary;
  readonly dayStates: ReportDayStates;
  /** Null: not asked. */
  readonly provenance: Provenance | null;
}

/**
 * The answer's fields beside its rows, as JSON: the first four as specified, then the added ones.
 * @returns a function of the number of rows in the answer.
 */
export function createMeta({
  request,
  period,
  seen,
  money,
  sourceDays,
  summary,
  dayStates,
  provenance,
}: MetaParts): (count: number) => string {
  const { compared } = period;
  const values = filterValuesOf(request.filter_groups);
  return (count) => {
    const meta = JSON.stringify({
      count,
      start_date: period.start,
      end_date: period.end,
      currency: request.currency,
      old_rates: money.oldRates,
      total_count: summary.count ?? count,
      timezone: request.timezone ?? 'UTC',
      complete_until: seen.completeUntil?.toISOString().replace(/\.\d{3}Z$/, '+00:00') ?? null,
      restated: seen.restated,
      days: dayStates.days,
      source_states: dayStates.sources,
      ...(dayStates.leftOut === 0 ? {} : { source_states_left_out: dayStates.leftOut }),
      rates: money.rates,
      ...(sourceDays.length === 0 ? {} : { source_days: sourceDays }),
      left_out: money.leftOut.map(({ currency, rows }) => ({ currency, rows })),
      ...(values.length === 0 ? {} : { filter_values: values }),
      ...(provenance === null ? {} : { sources: provenance }),
      ...(compared === null ? {} : { compared_to: comparedTo(compared) }),
    });
    return summary.totals === null ? meta : `${meta.slice(0, -1)},"totals":${summary.totals}}`;
  };
}

function comparedTo({ start, end, shift }: ComparedPeriod) {
  const leftOut = shift.kind === 'year' ? shift.leftOut : null;
  return { start_date: start, end_date: end, ...(leftOut === null ? {} : { left_out: leftOut }) };
}
