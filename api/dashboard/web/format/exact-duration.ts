import { locale } from '../texts/language.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** A time that somebody chose: `5 minutes`, `1 hour`, `7 days`. */
export function exactDuration(minutes: number): string {
  const [count, unit] =
    minutes % DAY === 0
      ? [minutes / DAY, 'day']
      : minutes % HOUR === 0
        ? [minutes / HOUR, 'hour']
        : [minutes, 'minute'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
