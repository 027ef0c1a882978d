/** Periods that move with the calendar, so that a kept report is always of these days. */
export const periods = ['yesterday', 'last-7', 'last-30', 'month', 'last-month'] as const;
export type Period = (typeof periods)[number];

/** Days in the report's time zone, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

/** `2026-01-31`: the day in this zone. */
export function todayIn(timeZone: string, nowMs: number = Date.now()): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(nowMs);
  const part = (name: string): string => parts.find(({ type }) => type === name)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

export const moved = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Up to yesterday, except for this month: of today the ad servers know little yet. */
export function daysOf(period: Period, timeZone: string, nowMs: number = Date.now()): Days {
  const today = todayIn(timeZone, nowMs);
  const yesterday = moved(today, -1);
  const first = `${today.slice(0, 8)}01`;
  switch (period) {
    case 'yesterday':
      return { from: yesterday, to: yesterday };
    case 'last-7':
      return { from: moved(today, -7), to: yesterday };
    case 'last-30':
      return { from: moved(today, -30), to: yesterday };
    case 'month':
      return { from: first, to: today };
    case 'last-month': {
      const last = moved(first, -1);
      return { from: `${last.slice(0, 8)}01`, to: last };
    }
  }
}
