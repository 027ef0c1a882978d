import { formatChange } from '../format/format.ts';
import { t } from '../texts/t.ts';

/** `+12.5 % on before`. @param before undefined: not known yet. */
export function changeNote(now: number, before: number | undefined): string {
  if (before === undefined) return '…';
  if (before === 0) return now === 0 ? t.analytics.unchanged : t.analytics.nothingBefore;
  const change = (100 * (now - before)) / before;
  if (Math.abs(change) < 0.05) return t.analytics.unchanged;
  return t.analytics.changed(formatChange(change));
}
