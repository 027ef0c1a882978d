import { type Command, InvalidArgumentError, Option } from 'commander';
import { dayNumber, dayText, todayIn } from '../../../engine/contract/days.ts';
import {
  type RelativePeriod,
  relativeDays,
  relativePeriods,
} from '../../../engine/contract/relative-days.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';

export interface PeriodOptions {
  /** Of `presets`. */
  readonly period?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Both ends included, as `YYYY-MM-DD`. */
export type Days = readonly [first: string, last: string];

/** `last-7-days`: the words of saved reports, as options are written. */
const presets: ReadonlyMap<string, RelativePeriod> = new Map(
  relativePeriods.map((period) => [period.replaceAll('_', '-'), period]),
);

const DEFAULT: RelativePeriod = 'last_7_days';

export const withPeriodOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--period <days>', `which days (default: last-7-days, up to yesterday)`)
        .choices([...presets.keys()])
        .conflicts(['from', 'to']),
    )
    .option('--from <date>', 'the first day, instead of --period', dayOf)
    .option('--to <date>', 'the last day (default: today)', dayOf);

/** @throws CliError where only an end is given. */
export function daysOf({ period, from, to }: PeriodOptions, timezone: string, nowMs = Date.now()): Days {
  const today = todayIn(timezone, nowMs);
  if (from !== undefined) return [from, to ?? dayText(today)];
  if (to !== undefined) throw new CliError('give the first day with --from, too');
  return relativeDays(presets.get(period ?? '') ?? DEFAULT, today);
}

export function dayOf(text: string): string {
  if (dayNumber(text) === null) throw new InvalidArgumentError('must be a date, such as 2026-01-31.');
  return text;
}
