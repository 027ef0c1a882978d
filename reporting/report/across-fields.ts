import { dayNumber } from '../../engine/contract/days.ts';
import type { Rule } from '../../engine/kit/http/rules.ts';
import { MAX_SORT } from './limits.ts';

type Body = Readonly<Record<string, unknown>>;

const selected = (body: Body, key: unknown): boolean =>
  [body.dimensions, body.metrics].some((keys) => Array.isArray(keys) && keys.includes(key));

const sortedBy = (body: Body, index: number): unknown =>
  Array.isArray(body.sort) ? (body.sort[index] as { readonly by?: unknown } | undefined)?.by : undefined;

const sortRules: readonly Rule[] = Array.from({ length: MAX_SORT }, (_, index) => ({
  field: `sort.${index}.by`,
  words: 'must be one of the selected dimensions and metrics',
  holds: (body) => {
    const by = sortedBy(body, index);
    return by === undefined || selected(body, by);
  },
}));

/** Null where there is no pair of days; their errors are reported at their own fields. */
function lengthOf(value: unknown): number | null {
  const [start, end]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof start !== 'string' || typeof end !== 'string') return null;
  const [first, last] = [dayNumber(start), dayNumber(end)];
  return first === null || last === null ? null : last - first + 1;
}

/** Rules between fields; bodies may be wrong in any other way. */
export const acrossFields: readonly Rule[] = [
  ...sortRules,
  {
    field: 'compare_to',
    words: 'must be as many days as selectedDate',
    holds: ({ compare_to, selectedDate }) => {
      const compared = lengthOf(compare_to);
      const days = selectedDate === undefined ? 1 : lengthOf(selectedDate);
      return compared === null || days === null || compared === days;
    },
  },
  {
    field: 'totals',
    words: 'needs format json: the other formats have no meta',
    holds: ({ totals, format }) => totals !== true || format === undefined || format === 'json',
  },
];
