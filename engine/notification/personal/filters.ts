import { MOST_OUTPUT_UNITS } from '../../contract/wording.ts';

/** A value that a filter is given, as it stands in the text. */
export type Argument = string | number;

/** What a publisher may do with a tag's value; named and meant as in Liquid. */
interface Filter {
  /** What it takes, in words that follow its name; null: nothing. */
  readonly takes: string | null;
  accepts(given: readonly Argument[]): boolean;
  apply(value: string, given: readonly Argument[]): string;
  /** The longest that it can make of a value of at most `units` UTF-16 code units. */
  longest(units: number, given: readonly Argument[]): number;
}

const TRUNCATED_TO = 50;
const ELLIPSIS = '...';

/** Upper case may be longer: "ß" becomes "SS". */
const inCase = (apply: Filter['apply']): Filter => ({
  takes: null,
  accepts: (given) => given.length === 0,
  apply,
  longest: () => MOST_OUTPUT_UNITS,
});

const lengthOf = ([length = TRUNCATED_TO]: readonly Argument[]): number => Number(length);
const ellipsisOf = ([, ellipsis = ELLIPSIS]: readonly Argument[]): string => String(ellipsis);

/** Counts UTF-16 code units, so that a length bounds the bytes; half an emoji is left out. */
function truncate(value: string, given: readonly Argument[]): string {
  if (value.length <= lengthOf(given)) return value;
  const kept = value.slice(0, Math.max(0, lengthOf(given) - ellipsisOf(given).length));
  return kept.replace(/[\ud800-\udbff]$/, '') + ellipsisOf(given);
}

/** Each is total: it makes a string of every string, in time that grows with its length alone. */
const filters = {
  default: {
    takes: 'one text, such as default: "reader"',
    accepts: (given) => given.length === 1,
    apply: (value, given) => (value === '' ? String(given[0]) : value),
    longest: (units, given) => Math.max(units, String(given[0]).length),
  },
  capitalize: inCase((value) => value.charAt(0).toUpperCase() + value.slice(1).toLowerCase()),
  upcase: inCase((value) => value.toUpperCase()),
  downcase: inCase((value) => value.toLowerCase()),
  strip: {
    takes: null,
    accepts: (given) => given.length === 0,
    apply: (value) => value.trim(),
    longest: (units) => units,
  },
  truncate: {
    takes: 'a whole number and, if you like, what stands for the rest, such as truncate: 40, "…"',
    accepts: ([length = TRUNCATED_TO, ellipsis = ELLIPSIS, ...others]) =>
      Number.isInteger(length) && Number(length) >= 0 && typeof ellipsis === 'string' && others.length === 0,
    apply: truncate,
    longest: (units, given) => Math.max(Math.min(units, lengthOf(given)), ellipsisOf(given).length),
  },
} satisfies Record<string, Filter>;

export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as FilterName[];
export const filterOf = (name: FilterName): Filter => filters[name];
