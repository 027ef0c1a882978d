import { parse } from 'csv-parse/sync';
import type { CsvLayout, ImportEncoding } from '../../../../engine/kit/command-line/file/records.ts';
import { MAX_RECORD_BYTES } from '../../../../engine/kit/command-line/file/split-records.ts';
import { type ColumnRules, knownColumns, namedColumns, planColumns } from '../columns.ts';
import { writtenDate } from '../values/date.ts';

export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];

/** Lines before the header: a report's name, its time, its filters. */
const MAX_PREAMBLE = 60;

export interface LayoutRules {
  readonly columns: ColumnRules;
  readonly encoding: ImportEncoding;
  /** Null: found out. */
  readonly separator: Separator | null;
}

/**
 * Where a CSV's header is, and what stands between its fields: the first line that names the day and another column. Where
 * none does, the first line is taken, and the columns that nobody knows are named.
 */
export function layoutOf(head: Buffer, rules: LayoutRules): CsvLayout {
  const text = new TextDecoder(rules.encoding === 'latin1' ? 'windows-1252' : 'utf-8').decode(head);
  const lines = firstLines(text);
  const stated = /^"?sep=([,;\t|])"?\s*$/i.exec(lines[0]?.text ?? '')?.[1] as Separator | undefined;
  const first = stated === undefined ? 0 : 1;
  const own = rules.separator ?? stated;
  const tried = own === undefined ? separators : [own];
  let second: CsvLayout | null = null;
  for (let preamble = first; preamble < lines.length; preamble++) {
    const found = tried.map((separator) => ({
      separator,
      ...scoreOf(text.slice(lines[preamble]?.from, lines[preamble]?.to), separator, rules.columns),
    }));
    const [best] = found.toSorted((one, other) => other.known - one.known || other.count - one.count);
    if (best === undefined) continue;
    if (best.known > 1 || (best.known === 1 && best.count === 1))
      return { separator: best.separator, preamble };
    if (
      second === null &&
      best.known === 1 &&
      dateBelow(text.slice(lines[preamble]?.from), best.separator, rules)
    )
      second = { separator: best.separator, preamble };
  }
  if (second !== null) return second;
  const start = text.slice(lines[first]?.from, lines[first]?.to);
  const [widest] = tried.toSorted((one, other) => widthOf(start, other) - widthOf(start, one));
  return { separator: widest ?? ',', preamble: first };
}

interface Line {
  readonly from: number;
  /** A record may go on over some lines. */
  readonly to: number;
  readonly text: string;
}

function firstLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < text.length && lines.length <= MAX_PREAMBLE; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const start = from === 0 && text.charCodeAt(0) === 0xfeff ? 1 : from;
    lines.push({
      from: start,
      to: Math.min(start + MAX_RECORD_BYTES, text.length),
      text: text.slice(start, end),
    });
    from = end + 1;
  }
  return lines;
}

function scoreOf(text: string, separator: Separator, columns: ColumnRules): { known: number; count: number } {
  const [names] = recordsOf(text, separator, 1);
  if (names === undefined) return { known: 0, count: 0 };
  return { known: knownColumns(names, columns), count: names.length };
}

const widthOf = (text: string, separator: Separator): number => recordsOf(text, separator, 1)[0]?.length ?? 0;

/** Whether the line after a header that knows the day alone has a date there. */
function dateBelow(text: string, separator: Separator, { columns }: LayoutRules): boolean {
  const [names, row] = recordsOf(text, separator, 2);
  if (names === undefined || row === undefined || names.length < 2) return false;
  const named = namedColumns(names);
  const { fields } = planColumns(named, columns);
  const at = named.findIndex((name) => fields.get(name) === 'at' || fields.get(name) === 'hour');
  return writtenDate(row[at] ?? '') !== null;
}

/** Empty where the text does not begin with records. */
function recordsOf(text: string, separator: Separator, count: number): string[][] {
  try {
    return parse(text, { delimiter: separator, to: count, relax_column_count: true }) as string[][];
  } catch {
    return [];
  }
}
