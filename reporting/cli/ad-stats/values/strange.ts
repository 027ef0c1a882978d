import {
  type CodedField,
  codedFields,
  codedValue,
  type StrangeValue,
} from '../../../../engine/contract/ad-values/coded-values.ts';
import { counted } from '../../../../engine/contract/counted.ts';
import { trimmed } from '../../../../engine/contract/trimmed.ts';
import type { StoredTexts } from './clean.ts';

/** Of a file; others that come later are not counted. */
const MAX_VALUES = 1_000;

/** Collects them from rows; the most frequent first. */
export function createStrangeValues() {
  const rows = new Map<string, number>();
  const valuesOf = (field: CodedField): StrangeValue[] =>
    [...rows].flatMap(([key, count]) =>
      key.startsWith(`${field}=`) ? [{ field, value: key.slice(field.length + 1), rows: count }] : [],
    );
  return {
    add: (stored: StoredTexts): void => {
      for (const field of codedFields) {
        const text = stored[field];
        if (text === undefined || text === '' || codedValue(field, text) !== null) continue;
        const key = `${field}=${trimmed(text)}`;
        const known = rows.get(key);
        if (known !== undefined || rows.size < MAX_VALUES) rows.set(key, (known ?? 0) + 1);
      }
    },
    values: (): readonly StrangeValue[] =>
      codedFields.flatMap((field) => valuesOf(field).toSorted((one, other) => other.rows - one.rows)),
  };
}

const SHOWN = 10;
const MAX_SHOWN = 60;

/** For people: a line for each field. */
export const strangeLines = (values: readonly StrangeValue[]): string[] =>
  codedFields.flatMap((field) => {
    const own = values.filter((each) => each.field === field);
    if (own.length === 0) return [];
    const shown = own
      .slice(0, SHOWN)
      .map(({ value, rows }) => `"${value.slice(0, MAX_SHOWN)}" (${counted(rows, 'row')})`);
    const more = own.length > SHOWN ? `, and ${own.length - SHOWN} more` : '';
    return [`Not known as a ${field.replace('_', ' ')}, and kept as written: ${shown.join(', ')}${more}.`];
  });
