import { counted } from '../../../engine/contract/counted.ts';

const SHOWN = 5;

/** The first days of a list that may have hundreds: `2026-03-01, 2026-03-02 and 29 more days`. */
export function someDays(days: readonly string[]): string {
  const more = days.length - SHOWN;
  return `${days.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${counted(more, 'more day')}` : ''}`;
}
