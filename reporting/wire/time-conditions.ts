import type { Node } from 'libpg-query';
import { addMonths, daysBetween, dayText, knownDay, todayIn } from '../../engine/contract/days.ts';
import { MAX_JOB_MONTHS } from '../report/period.ts';
import { daysThat, timeValue } from './days-that.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { columnsOf } from './query.ts';
import { treeKey } from './sql.ts';
import { isTime } from './table.ts';
import { WireError } from './wire-error.ts';

/** 1 January 2000. */
const FIRST_DAY = 10_957;
const DAYS_AHEAD = 400;

export interface Days {
  readonly start: string;
  readonly end: string;
  /** Of these, the ones that count; null: all. */
  readonly only: readonly string[] | null;
  /** Whether the statement left out where they begin. */
  readonly assumed: boolean;
}

export const isTimeOnly = (node: Node): boolean => {
  const columns = [...columnsOf(node)];
  return columns.length > 0 && columns.every(isTime);
};

/**
 * The days on which all conditions hold: any expression of a day is one (`days-that.ts`).
 * @returns null: on none.
 */
export function daysWhere(conditions: readonly Node[], scope: Scope, timezone: string): Days | null {
  const today = todayIn(timezone, scope.nowMs);
  if (conditions.length === 0)
    return { ...span(addMonths(today, -MAX_JOB_MONTHS), today), only: null, assumed: true };
  const last = today + DAYS_AHEAD;
  const found = daysThat(conditions, daysBetween(FIRST_DAY, last), scope);
  const [first] = found;
  const end = found.at(-1);
  if (first === undefined || end === undefined) return null;
  const to = end === last ? Math.max(today, first) : end;
  const from = first === FIRST_DAY ? addMonths(to, -MAX_JOB_MONTHS) : first;
  const within = found.filter((day) => day >= from && day <= to);
  if (within.length === 0) return null;
  return {
    ...span(from, to),
    only: within.length === to - from + 1 ? null : within.map(dayText),
    assumed: first === FIRST_DAY,
  };
}

/** Of some days, those on which a condition holds; null: all of them. */
export function daysWithin(
  { start, end }: Pick<Days, 'start' | 'end'>,
  condition: Node,
  scope: Scope,
): string[] | null {
  const all = daysBetween(knownDay(start), knownDay(end));
  const found = daysThat([condition], all, scope);
  return found.length === all.length ? null : found.map(dayText);
}

const span = (first: number, last: number) => ({ start: dayText(first), end: dayText(last) });

export type Grain = 'day' | 'month' | 'year';

/** Three years, one of them a leap year. */
const SAMPLE_FIRST = 19_358;
const SAMPLE_DAYS = 1_096;
/** What it takes to compare the value of a day with those of others, beside finding it. */
const KEY_STEPS = 6;
const cuts: Readonly<Record<Grain, number>> = { day: 10, month: 7, year: 4 };

/**
 * The grain whose groups are those of an expression of a day: each of its values is one day, one month or one year.
 * @throws WireError where it is none, such as a week.
 */
export function grainOf(node: Node, scope: Scope): Grain {
  scope.step(SAMPLE_DAYS * KEY_STEPS);
  const texts = Array.from({ length: SAMPLE_DAYS }, (_, index) => SAMPLE_FIRST + index).map((day) => ({
    text: dayText(day),
    value: treeKey(evaluate(node, { ...scope, valueOf: (one) => timeValue(one, day) })),
  }));
  const groups = new Set(texts.map(({ value }) => value)).size;
  for (const grain of ['year', 'month', 'day'] as const) {
    const pairs = new Set(texts.map(({ text, value }) => `${text.slice(0, cuts[grain])} ${value}`));
    const units = new Set(texts.map(({ text }) => text.slice(0, cuts[grain]))).size;
    if (pairs.size === groups && groups === units) return grain;
  }
  throw new WireError(
    '0A000',
    'days are grouped by day, month or year here',
    "Group by day, date_trunc('month', day) or date_trunc('year', day).",
  );
}

/** Whether the expression has one value in each unit of the grain. */
export function isConstantIn(node: Node, grain: Grain, scope: Scope): boolean {
  scope.step(SAMPLE_DAYS * KEY_STEPS);
  const seen = new Map<string, string>();
  for (let day = SAMPLE_FIRST; day < SAMPLE_FIRST + SAMPLE_DAYS; day++) {
    const unit = dayText(day).slice(0, cuts[grain]);
    const value = treeKey(evaluate(node, { ...scope, valueOf: (one) => timeValue(one, day) }));
    if ((seen.get(unit) ?? value) !== value) return false;
    seen.set(unit, value);
  }
  return true;
}
