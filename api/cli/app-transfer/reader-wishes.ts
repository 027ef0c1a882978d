import { parseTime } from '../../http/fields.ts';
import { isClock } from '../../public/preferences/form.ts';

/** What a reader chose in the preference centre, in the columns of its table. */
export interface TransferWishes {
  readonly max_notifications: number | null;
  readonly window_minutes: number | null;
  readonly paused_until: string | null;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly left_at: string | null;
  readonly revision: number;
}

const MAX_INT4 = 2_147_483_647;
const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_INT4;
const isTime = (value: unknown): boolean => typeof value === 'string' && parseTime(value) !== null;
const isHour = (value: unknown): boolean => typeof value === 'string' && isClock(value);

/** Null: the reader chose nothing. `wrong`: they are none of an export. */
export function wishesOf(value: unknown): TransferWishes | null | 'wrong' {
  if (value === undefined || value === null) return null;
  const given = value as Readonly<Record<string, unknown>>;
  const pick = <Kept>(name: string, isRight: (value: unknown) => boolean): Kept | null =>
    isRight(given[name]) ? (given[name] as Kept) : null;
  const wishes: TransferWishes = {
    max_notifications: pick('max_notifications', isNumber),
    window_minutes: pick('window_minutes', isNumber),
    paused_until: pick('paused_until', isTime),
    quiet_from: pick('quiet_from', isHour),
    quiet_to: pick('quiet_to', isHour),
    left_at: pick('left_at', isTime),
    revision: pick<number>('revision', isNumber) ?? 1,
  };
  const isWhole =
    (wishes.max_notifications === null) === (wishes.window_minutes === null) &&
    (wishes.quiet_from === null) === (wishes.quiet_to === null);
  const isKept = Object.entries(wishes).every(([name, kept]) => kept !== null || given[name] === undefined);
  return typeof value === 'object' && isWhole && isKept ? wishes : 'wrong';
}
