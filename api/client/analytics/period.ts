/** Whole days in UTC, today the last of them. */
export interface Period {
  /** `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  readonly firstDay: string;
  /** The moments it lies between; `until` excluded. */
  readonly from: Date;
  readonly until: Date;
}

const DAY_MS = 86_400_000;

export function periodOf(length: number, nowMs: number): Period {
  const untilMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const fromMs = untilMs - length * DAY_MS;
  const days = Array.from({ length }, (_, day) => dayOf(fromMs + day * DAY_MS));
  return { days, firstDay: dayOf(fromMs), from: new Date(fromMs), until: new Date(untilMs) };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** One entry a day: what was found for it, else `empty`. */
export function fillDays<Found extends { readonly date: string }>(
  period: Period,
  found: readonly Found[],
  empty: Omit<Found, 'date'>,
): (Omit<Found, 'date'> & { readonly date: string })[] {
  const byDay = new Map(found.map((row) => [row.date, row]));
  return period.days.map((date) => byDay.get(date) ?? { date, ...empty });
}
