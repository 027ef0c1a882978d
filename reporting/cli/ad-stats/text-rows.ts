import {
  type AdField,
  type AdRowPosition,
  type AdRows,
  adRowText,
  unreadableRowText,
} from '../../../engine/contract/ad-stats.ts';
import { parseExactly } from '../../../engine/kit/command-line/file/exact-json.ts';
import {
  type ImportEncoding,
  type ImportFormat,
  type ImportRecord,
  type ImportRecords,
  readRecords,
} from '../../../engine/kit/command-line/file/records.ts';
import { storedAt, type Times } from '../../ingest/grain.ts';
import { type ColumnRules, fieldOf, fieldsOf, NAMELESS, namedColumns } from './columns.ts';

export interface TextRequest {
  readonly load: number;
  readonly source: string;
  /** Where a row has none. */
  readonly currency: string;
  readonly columns: ColumnRules;
  readonly times: Times;
  /** Added to each line's number: files of one load have numbers of their own. */
  readonly rowsBefore: number;
}

const ROWS_PER_PIECE = 50_000;
const BYTES_PER_PIECE = 8 * 1024 ** 2;

/** A file's records; a CSV's first line must name columns that the rules know. @see readRecords. */
export function readTextRecords(
  bytes: AsyncIterable<Uint8Array>,
  format: ImportFormat,
  { columns, encoding }: { readonly columns: ColumnRules; readonly encoding: ImportEncoding },
): ImportRecords {
  const headerOf = (names: string[]): string[] => {
    const named = namedColumns(names);
    fieldsOf(named, columns);
    return named;
  };
  return readRecords(bytes, format, { headerOf, parseJson: parseExactly }, encoding);
}

/** The records of a CSV or NDJSON file, in pieces that are the same whenever the file is read. */
export async function* readTextRows(
  source: AsyncIterable<ImportRecord[]>,
  request: TextRequest,
): AsyncGenerator<AdRows> {
  let lines: string[] = [];
  let size = 0;
  const piece = (): AdRows => {
    const rows = lines.length;
    const text = lines.join('');
    lines = [];
    size = 0;
    return { rows, bytes: Buffer.from(text), format: 'TabSeparated' };
  };
  const rowText = createRowText(request);
  for await (const records of source) {
    for (const record of records) {
      const text = rowText(record);
      lines.push(text);
      size += text.length;
      if (lines.length >= ROWS_PER_PIECE || size >= BYTES_PER_PIECE) yield piece();
    }
  }
  if (lines.length > 0) yield piece();
}

/** A name is looked up once a file, not once a line. */
const MAX_NAMES_KEPT = 1_000;

function createRowText({
  load,
  source,
  currency,
  columns,
  times,
  rowsBefore,
}: TextRequest): (record: ImportRecord) => string {
  const known = new Map<string, AdField | null | 'unknown'>();
  const fieldNamed = (name: string, names: readonly string[]): AdField | null | 'unknown' => {
    let field = known.get(name);
    if (field === undefined) {
      field = fieldOf(name, columns, names);
      if (known.size < MAX_NAMES_KEPT) known.set(name, field);
    }
    return field;
  };
  return (record) => {
    const position: AdRowPosition = { load, source, row: rowsBefore + record.line };
    const texts = 'unreadable' in record ? record.unreadable : textsOf(record.value, fieldNamed);
    if (typeof texts === 'string') return unreadableRowText(position, texts, record.raw);
    const at = storedAt(texts.at ?? '', times);
    if (typeof at !== 'string') return unreadableRowText(position, at.reason, record.raw);
    return adRowText(position, { ...texts, at, currency: texts.currency || currency });
  };
}

type Texts = Partial<Record<AdField, string>>;

/** @returns the texts, or why there are none. */
function textsOf(
  value: unknown,
  fieldNamed: (name: string, names: readonly string[]) => AdField | null | 'unknown',
): Texts | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object';
  const texts: Texts = {};
  const names = Object.keys(value);
  for (const [name, each] of Object.entries(value)) {
    // The last comma of a line is not a value; anything else there may be a figure that a name is missing for.
    if (each === '' && name.startsWith(NAMELESS)) continue;
    const field = fieldNamed(name, names);
    if (field === null) continue;
    if (field === 'unknown') return `holds an unknown field "${name.slice(0, 64)}"`;
    if (texts[field] !== undefined) return `holds "${field}" twice`;
    if (each === null) continue;
    if (typeof each !== 'string') return `${field} is neither a text nor a number`;
    texts[field] = each;
  }
  return texts;
}
