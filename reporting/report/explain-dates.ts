import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { addMonths, dayNumber, dayText } from '../../engine/contract/days.ts';
import { explainWith, say } from '../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import type { Explain } from '../../engine/kit/http/rules.ts';
import { MAX_JOB_MONTHS } from './period.ts';

/** Before and after it lies no data, and ClickHouse's own calendar ends not much later. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2099-12-31';

const pair = Compile(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }) as TSchema);

/** What answers questions about more days; other questions than reports have no job. */
export const wayToJobs = `; POST /reports/jobs takes up to ${MAX_JOB_MONTHS} months`;

/** @param months the end is at most the start plus this many. @param otherwise what takes more. */
export const explainPeriod =
  (months: number, otherwise = ''): Explain =>
  (value) => {
    const wrong = explainPair('/selectedDate', value);
    const [start, end] = daysOf(value);
    if (Object.keys(wrong).length > 0 || start === null || end === null) return wrong;
    const latest = addMonths(start, months);
    if (end <= latest) return {};
    return say(
      '/selectedDate/1',
      `must be at most ${months} months after the start: ${dayText(latest)}${otherwise}`,
    );
  };

export const explainCompareTo: Explain = (value) => {
  if (Array.isArray(value)) return explainPair('/compare_to', value);
  if (value === 'previous_period' || value === 'previous_year') return {};
  return say('/compare_to', 'must be previous_period, previous_year, or two dates [start, end]');
};

/** Two days that exist, in order. */
function explainPair(path: string, value: unknown): FieldErrors {
  const wrong = { ...explainWith(pair, value, path), ...explainDays(path, value) };
  const [start, end] = daysOf(value);
  if (Object.keys(wrong).length > 0 || start === null || end === null || start <= end) return wrong;
  return say(`${path}/1`, 'must not be before the start');
}

function explainDays(path: string, value: unknown): FieldErrors {
  if (!Array.isArray(value)) return {};
  const texts = value.slice(0, 2).map((text: unknown, index) => [`${path}/${index}`, text] as const);
  return Object.assign(
    {},
    ...texts.map(([at, text]) => (typeof text === 'string' ? explainDay(at, text) : {})),
  );
}

function explainDay(path: string, text: string): FieldErrors {
  if (dayNumber(text) === null) return say(path, 'must be a date that exists, such as 2026-01-31');
  // As texts: both are written in four digits, two and two.
  return text < FIRST_DAY || text > LAST_DAY ? say(path, `must be between ${FIRST_DAY} and ${LAST_DAY}`) : {};
}

function daysOf(value: unknown): readonly [number | null, number | null] {
  const [start, end]: readonly unknown[] = Array.isArray(value) ? value : [];
  const numberOf = (text: unknown): number | null => (typeof text === 'string' ? dayNumber(text) : null);
  return [numberOf(start), numberOf(end)];
}
