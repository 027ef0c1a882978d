import { literal } from '../../engine/adapters/clickhouse/literals.ts';
import type { AdField } from '../../engine/contract/ad-stats.ts';
import {
  type CodedField,
  codedFields,
  codedValue,
  type StrangeValue,
} from '../../engine/contract/ad-values/coded-values.ts';
import { MAX_SPELLING } from '../../engine/contract/ad-values/spelling.ts';
import { trimmed } from '../../engine/contract/trimmed.ts';

/** A column with more texts is not one of countries or devices: it is kept as it is written. */
const MAX_TEXTS = 10_000;

/** What asks the engine that reads the file: rows as JSON has them. */
export type AskEngine = <Row>(query: string) => Promise<readonly Row[]>;

/** Of each field, the texts of the file and how they are stored; one that is not known is stored as it is. */
export type Codes = ReadonlyMap<CodedField, ReadonlyMap<string, string>>;

/** Reads the columns once, and of a column each text once. @param name that no column has. */
export async function readCodes(
  ask: AskEngine,
  table: string,
  columnOf: Readonly<Partial<Record<AdField, string>>>,
  textOf: (field: AdField) => string,
  name: string,
): Promise<Codes> {
  const fields = codedFields.filter((field) => columnOf[field] !== undefined);
  if (fields.length === 0) return new Map();
  const texts = fields.map((field, index) => {
    const text = textOf(field);
    const isText = `isValidUTF8(${text}) AND lengthUTF8(${text}) <= ${MAX_SPELLING} AND NOT match(${text}, '[\\x00-\\x1f]')`;
    return `groupUniqArrayIf(${MAX_TEXTS + 1})(${text}, ${isText}) AS ${name}${index}`;
  });
  const [row = {}] = await ask<Readonly<Record<string, string[]>>>(
    `SELECT ${texts.join(', ')} FROM ${table}`,
  );
  return new Map(
    fields.map((field, index) => {
      const own = row[`${name}${index}`] ?? [];
      const stored = own.length > MAX_TEXTS ? [] : own.map((text) => [text, codeOf(field, text)] as const);
      return [field, new Map(stored)];
    }),
  );
}

const codeOf = (field: CodedField, text: string): string => codedValue(field, text) ?? trimmed(text);

/** Those that are not known, with their rows. @param name that no column has. */
export async function strangeOf(
  ask: AskEngine,
  table: string,
  codes: Codes,
  textOf: (field: AdField) => string,
  name: string,
): Promise<StrangeValue[]> {
  const all: StrangeValue[] = [];
  for (const [field, texts] of codes) {
    const strange = [...texts.keys()].filter((text) => codedValue(field, text) === null);
    if (strange.length === 0) continue;
    const counts = await ask<{ text: string; rows: number }>(
      `SELECT ${name} AS text, toUInt32(count()) AS rows FROM (SELECT ${textOf(field)} AS ${name} FROM ${table})
       WHERE ${name} IN (${strange.map(literal).join(', ')}) GROUP BY ${name} ORDER BY rows DESC, text`,
    );
    all.push(...counts.map(({ text, rows }) => ({ field, value: trimmed(text), rows })));
  }
  return all;
}
