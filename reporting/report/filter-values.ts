import { type CodedField, codedValue, isCodedField } from '../../engine/contract/ad-values/coded-values.ts';
import type { Comparator, DimensionFilter, FilterGroup } from './filters.ts';
import { MAX_VALUES_EXPLAINED } from './limits.ts';

/** A value of a filter on a field of codes, whose rows are stored otherwise than it is written. */
export interface FilterValue {
  readonly dimension: CodedField;
  readonly value: string;
  /** The code, empty for what is not known. Null: it names none, and is compared as it is written. */
  readonly read_as: string | null;
}

/** What a request's values on countries, devices and the like are read as, where that is not what they are. */
export function filterValuesOf(groups: readonly FilterGroup[] = []): FilterValue[] {
  const found = new Map<string, FilterValue>();
  for (const filter of groups.flatMap(({ filters }) => filters)) {
    if (filter.type !== 'dimension' || !isCodedField(filter.value)) continue;
    for (const each of readings(filter, filter.value)) {
      if (found.size === MAX_VALUES_EXPLAINED) return [...found.values()];
      found.set(JSON.stringify([each.dimension, each.value]), each);
    }
  }
  return [...found.values()];
}

function readings({ comparator, selectedValues }: DimensionFilter, dimension: CodedField): FilterValue[] {
  return selectedValues.map(String).flatMap((value) => {
    const code = isWhole(comparator) ? codedValue(dimension, value) : namedBy(dimension, value);
    const isSaid = code === asWritten(dimension, value) || (code === null && !isWhole(comparator));
    return isSaid ? [] : [{ dimension, value, read_as: code }];
  });
}

/** Whether it compares whole texts. */
export const isWhole = (comparator: Comparator): comparator is 'in' | 'is_any_of' | 'nin' | 'is_none_of' =>
  /^(n?in|is_)/.test(comparator);

/** As the intake stores a text that names none of the values. */
export const asWritten = (dimension: CodedField, text: string): string =>
  dimension === 'country' ? text.toUpperCase() : text;

/** Its code, and the text itself: rows from before there were codes have that. */
export function wholeValues(dimension: CodedField, text: string): string[] {
  const code = codedValue(dimension, text);
  return [...new Set([...(code === null ? [] : [code]), asWritten(dimension, text)])];
}

/** The value that a part of a text names by itself; null: it is only a part. Signs alone name nothing here. */
export function namedBy(dimension: CodedField, part: string): string | null {
  const code = codedValue(dimension, part);
  return code === '' ? null : code;
}
