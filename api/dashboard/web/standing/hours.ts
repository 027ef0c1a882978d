import type { Point } from '../charts/series.ts';
import type { Standing } from '../data/standing/queries.ts';
import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';

const HOURS = 7 * 24;
const HOUR_MS = 3_600_000;
const times = once(
  () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric' }),
);

/** One point an hour of seven days, with the throttled answers of each push service; without any where there were none. */
export function pointsOf(hours: Standing['throttled_hours'], nowMs: number): Point[] {
  const last = Math.floor(nowMs / HOUR_MS);
  const points = Array.from({ length: HOURS }, (_, index) => ({
    at: times().format(new Date((last - HOURS + 1 + index) * HOUR_MS)),
    isUnfinished: index === HOURS - 1,
  })) as Point[];
  for (const { hour, push_service: service, throttled } of hours) {
    const point = points[Math.floor(Date.parse(hour) / HOUR_MS) - last + HOURS - 1];
    if (point !== undefined) Object.assign(point, { [service]: throttled });
  }
  return points;
}
