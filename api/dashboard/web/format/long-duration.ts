import { locale } from '../texts/language.ts';
import { once } from './once.ts';

const inUnit = (unit: string) =>
  once(() => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }));
const hours = inUnit('hour');
const minutes = inUnit('minute');

/** `16 hr 40 min`: where hours matter, half of one does too. */
export function longDuration(seconds: number): string {
  const all = Math.max(1, Math.round(seconds / 60));
  const [whole, rest] = [Math.floor(all / 60), all % 60];
  if (whole === 0) return minutes().format(rest);
  return rest === 0 ? hours().format(whole) : `${hours().format(whole)} ${minutes().format(rest)}`;
}
