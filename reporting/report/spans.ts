import { knownDay } from '../../engine/contract/days.ts';
import { type ComparedPeriod, type ReportPeriod, utcDays } from './period.ts';

/** One run of days that a report reads: the period itself, or the one that it is compared with. */
export interface Span {
  /** Days on the report's calendar, both ends included. */
  readonly start: string;
  readonly end: string;
  /** The UTC days that hold them, as numbers. */
  readonly first: number;
  readonly last: number;
  /** Null: the period itself. */
  readonly shift: ComparedPeriod['shift'] | null;
}

export function spansOf({ start, end, compared, timezone }: ReportPeriod): readonly Span[] {
  const { margin } = utcDays(timezone);
  const spanOf = (from: string, to: string, shift: Span['shift']): Span => ({
    start: from,
    end: to,
    first: knownDay(from) - margin,
    last: knownDay(to) + margin,
    shift,
  });
  return [
    spanOf(start, end, null),
    ...(compared === null ? [] : [spanOf(compared.start, compared.end, compared.shift)]),
  ];
}
