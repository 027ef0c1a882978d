import { type Command, InvalidArgumentError, Option } from 'commander';
import { addMonths, dayNumber, dayText, todayIn } from '../../../engine/contract/days.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';

export interface PeriodOptions {
  readonly period?: Preset;
  readonly from?: string;
  readonly to?: string;
}

/** Both ends included, as `YYYY-MM-DD`. */
export type Days = readonly [first: string, last: string];

const presets = {
  today: (today) => [today, today],
  yesterday: (today) => [today - 1, today - 1],
  'last-7-days': (today) => [today - 7, today - 1],
  'last-30-days': (today) => [today - 30, today - 1],
  'month-to-date': (today) => [monthOf(today), today],
  'last-month': (today) => [addMonths(monthOf(today), -1), monthOf(today) - 1],
} as const satisfies Readonly<Record<string, (today: number) => readonly [number, number]>>;
type Preset = keyof typeof presets;

const monthOf = (day: number): number => day - Number(dayText(day).slice(8)) + 1;

const DEFAULT: Preset = 'last-7-days';

export const withPeriodOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--period <days>', `which days (default: ${DEFAULT}, up to yesterday)`)
        .choices(Object.keys(presets))
        .conflicts(['from', 'to']),
    )
    .option('--from <date>', 'the first day, instead of --period', dayOf)
    .option('--to <date>', 'the last day (default: today)', dayOf);

/** @throws CliError where only an end is given. */
export function daysOf({ period, from, to }: PeriodOptions, timezone: string, nowMs = Date.now()): Days {
  const today = todayIn(timezone, nowMs);
  if (from !== undefined) return [from, to ?? dayText(today)];
  if (to !== undefined) throw new CliError('give the first day with --from, too');
  const [first, last] = presets[period ?? DEFAULT](today);
  return [dayText(first), dayText(last)];
}

export function dayOf(text: string): string {
  if (dayNumber(text) === null) throw new InvalidArgumentError('must be a date, such as 2026-01-31.');
  return text;
}
