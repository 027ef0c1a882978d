import { timeZones } from '../format/time-zones.ts';
import { comparedWith } from './compared.ts';
import { periods } from './periods.ts';
import {
  comparators,
  comparisons,
  dimensions,
  type FilterDraft,
  type GroupDraft,
  metrics,
  newFilter,
  newReport,
  type ReportDraft,
  type TrailStep,
} from './report.ts';

type Given = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wordsIn = <Word extends string>(words: readonly Word[], value: unknown): Word[] =>
  Array.isArray(value) ? words.filter((each) => value.includes(each)) : [];
const wordIn = <Word extends string, Else>(
  words: readonly Word[],
  value: unknown,
  otherwise: Else,
): Word | Else => words.find((each) => each === value) ?? otherwise;
const dayIn = (value: unknown, otherwise: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(Date.parse(`${String(value)}T00:00:00Z`))
    ? String(value)
    : otherwise;

/** A text of a report's values has no more letters. */
const MOST_LETTERS = 255;
const textIn = (value: unknown): string =>
  typeof value === 'string' && value.length <= MOST_LETTERS ? value : '';

/** As many as there are dimensions. */
export const MOST_STEPS = dimensions.length;
const MOST_GROUPS = 16;
const MOST_FILTERS = 20;

/** The report in the URL; invalid parts are as in a new one. Null where there is none. */
export function readReport(given: unknown): ReportDraft | null {
  if (!isObject(given)) return null;
  const usual = newReport();
  const chosen = wordsIn(dimensions, given.dimensions);
  const counted = wordsIn(metrics, given.metrics);
  const groups = Array.isArray(given.groups) ? given.groups.slice(0, MOST_GROUPS) : [];
  return {
    dimensions: chosen.length === 0 ? usual.dimensions : chosen,
    metrics: counted.length === 0 ? usual.metrics : counted,
    currency: wordIn(['EUR', 'USD'], given.currency, usual.currency),
    // An address without it is of its own two days, as addresses were before there were periods.
    period: wordIn(periods, given.period, ''),
    from: dayIn(given.from, usual.from),
    to: dayIn(given.to, usual.to),
    compare: wordIn(comparedWith, given.compare, ''),
    sortBy: wordIn([...dimensions, ...metrics], given.sortBy, ''),
    direction: wordIn(['asc', 'desc'], given.direction, usual.direction),
    groups: groups.flatMap(readGroup),
    columns: wordIn(dimensions, given.columns, ''),
    metric: wordIn(metrics, given.metric, ''),
    sortColumn: textIn(given.sortColumn),
    trail: Array.isArray(given.trail) ? given.trail.slice(0, MOST_STEPS).flatMap(readStep) : [],
    timezone: wordIn(timeZones(), given.timezone, usual.timezone),
    sourceDays: given.sourceDays === true,
  };
}

/** A step that is not understood is left out: what it narrowed is wide again, and the page says so. */
function readStep(given: unknown): TrailStep[] {
  if (!isObject(given) || !Array.isArray(given.pressed) || !isObject(given.before)) return [];
  const usual = newReport();
  const { before } = given;
  const pressed = given.pressed.slice(0, MOST_STEPS).flatMap((each) => {
    const dimension = isObject(each) ? wordIn(dimensions, each.dimension, null) : null;
    return !isObject(each) || dimension === null || typeof each.value !== 'string'
      ? []
      : [{ dimension, value: textIn(each.value) }];
  });
  const chosen = wordsIn(dimensions, before.dimensions);
  if (pressed.length === 0 || chosen.length === 0) return [];
  return [
    {
      pressed,
      before: {
        dimensions: chosen,
        columns: wordIn(dimensions, before.columns, ''),
        period: wordIn(periods, before.period, ''),
        from: dayIn(before.from, usual.from),
        to: dayIn(before.to, usual.to),
      },
    },
  ];
}

function readGroup(given: unknown, index: number): GroupDraft[] {
  if (!isObject(given) || !Array.isArray(given.filters)) return [];
  // Ids that stay the same: an address is read again at every change of it.
  const filters = given.filters
    .slice(0, MOST_FILTERS)
    .flatMap((filter, place) => readFilter(filter, `filter-${index}-${place}`));
  return filters.length === 0 ? [] : [{ id: `group-${index}`, filters }];
}

function readFilter(given: unknown, id: string): FilterDraft[] {
  if (!isObject(given)) return [];
  const usual = newFilter();
  return [
    {
      id,
      value: wordIn([...dimensions, ...metrics], given.value, usual.value),
      comparator: wordIn(comparators, given.comparator, usual.comparator),
      selectedValues: Array.isArray(given.selectedValues) ? given.selectedValues.map(String) : [],
      comparison: wordIn(comparisons, given.comparison, usual.comparison),
      selectedValue: numberIn(given.selectedValue),
      secondValue: numberIn(given.secondValue),
    },
  ];
}

const numberIn = (value: unknown): number | '' => (typeof value === 'number' ? value : '');

/** The same text for the same report: without the ids by which filters are edited. */
export const textOf = (draft: object): string =>
  JSON.stringify(draft, (key, value: unknown) => (key === 'id' ? undefined : value));

/** Whether something of the address was not understood, and so is not in the report that was read from it. */
export function hasUnknown(given: unknown, read: ReportDraft | null): boolean {
  if (given === undefined) return false;
  if (!isObject(given) || read === null) return true;
  const parts: Given = { ...read };
  return Object.entries(given).some(
    ([key, value]) => textOf({ value }) !== textOf({ value: parts[key] ?? null }),
  );
}
