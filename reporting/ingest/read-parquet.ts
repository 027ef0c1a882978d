import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Session } from 'chdb';
import { identifier, literal } from '../../engine/adapters/clickhouse/literals.ts';
import { loadChdb } from '../../engine/adapters/clickhouse/load-chdb.ts';
import {
  type AdField,
  type AdRows,
  adFields,
  adRowColumns,
  adTextFields,
} from '../../engine/contract/ad-stats.ts';
import {
  type CodedField,
  isCodedField,
  type StrangeValue,
} from '../../engine/contract/ad-values/coded-values.ts';
import { storedDomain } from '../../engine/contract/domain-names.ts';
import { TRIMMING_RE2 } from '../../engine/contract/trimmed.ts';
import { AN_HOUR, DAY, HasHours, MIDNIGHT, NO_HOUR, TIME, type Times } from './grain.ts';
import { type AskEngine, readCodes, strangeOf } from './parquet-codes.ts';

/** A file of ad statistics in Parquet, read by the embedded engine in this process, wherever ClickHouse is. */
export interface ParquetFile {
  /** The names of its columns. */
  readonly columns: readonly string[];
  readonly totalRows: number;
  /**
   * All rows, numbered from 1, in pieces of some 33,000. Numbers and times are their text: a double its shortest,
   * a time in UTC.
   * @throws Error where the file is damaged.
   */
  rows(request: ParquetRequest): AsyncIterable<AdRows>;
  close(): Promise<void>;
}

export interface ParquetRequest {
  readonly load: number;
  readonly source: string;
  /** Which column holds which field; fields without one are ''. */
  readonly columnOf: Readonly<Partial<Record<AdField, string>>>;
  /** Where a row has none. */
  readonly currency: string;
  readonly times: Times;
  /** Added to the rows' numbers. */
  readonly rowsBefore: number;
  /** Before the first row: the texts that are kept, though they should be one of some words. */
  readonly onStrange?: (values: readonly StrangeValue[]) => void;
}

/** Of one file; a page of a column is decompressed whole, and writers choose its size. */
const MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * One row group after the other, and of each some rows at a time: by default the engine reads row groups of 4 GB at
 * once, and holds several blocks of 65,000 rows on each thread. Of a file of 5M rows the import's peak was so
 * 1.8 GB and is 0.6; its CPU time is the same, and the inserts take longer than the reading.
 */
const SETTINGS = {
  session_timezone: "'UTC'",
  max_memory_usage: MEMORY_BYTES,
  max_threads: 1,
  max_parsing_threads: 1,
  max_block_size: 4_096,
  input_format_parquet_max_block_size: 4_096,
  input_format_parquet_memory_high_watermark: 1024 ** 2,
  input_format_parquet_memory_low_watermark: 0,
  // The names of a file's domains are in the statement.
  max_query_size: 64 * 1024 ** 2,
} as const;

/** Of a piece, at least: ClickHouse makes a part of each insert. */
const ROWS_PER_PIECE = 32_768;

/**
 * @param engineFolder the folder that the engine of this process is open on, since it has one at a time; null:
 *   none, a temporary one is made.
 * @throws Error where it is not a Parquet file.
 */
export async function openParquet(file: string, engineFolder: string | null): Promise<ParquetFile> {
  const { Session } = await loadChdb();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-parquet-'));
  // The engine takes *, ? and {} in a path for patterns: it gets a name of ours.
  const link = join(folder, 'input.parquet');
  await symlink(resolve(file), link);
  const session = new Session(engineFolder ?? join(folder, 'engine'));
  const close = async (): Promise<void> => {
    session.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const table = `file('${link}', Parquet)`;
    const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} = ${value}`);
    await session.queryAsync(`SET ${settings.join(', ')}`);
    const columns = await columnsOf(session, table);
    const totalRows = await countOf(session, table);
    return { columns, totalRows, rows: (request) => readAll({ session, table, columns }, request), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function columnsOf(session: Session, table: string): Promise<string[]> {
  const found = await session.queryAsync(`DESCRIBE TABLE ${table}`, { format: 'JSON' });
  return found.json<{ data: { name: string }[] }>().data.map(({ name }) => name);
}

/** From the file's own description: no row is read. */
async function countOf(session: Session, table: string): Promise<number> {
  const found = await session.queryAsync(`SELECT count() AS rows FROM ${table}`, { format: 'JSON' });
  return Number(found.json<{ data: { rows: string }[] }>().data[0]?.rows);
}

interface OpenFile {
  readonly session: Session;
  readonly table: string;
  readonly columns: readonly string[];
}

async function* readAll(file: OpenFile, request: ParquetRequest): AsyncGenerator<AdRows> {
  const own = ownNames(file.columns);
  if (await hasHours(file, request, own)) throw new HasHours();
  const names = await foreignNames(file, request, own);
  const { session, table } = file;
  const fieldText = (field: AdField): string => textOf(request, field);
  const ask: AskEngine = async <Row>(query: string) =>
    (await session.queryAsync(query, { format: 'JSON' })).json<{ data: Row[] }>().data;
  const codes = await readCodes(ask, table, request.columnOf, fieldText, own('code'));
  request.onStrange?.(await strangeOf(ask, table, codes, fieldText, own('code')));
  const rules = { names, codes, own };
  yield* readRows(session, selectOf(table, request, rules));
}

/**
 * Names for a statement that no column of the file has: ClickHouse takes a name that is both for ours. It compares some
 * names without their case.
 */
function ownNames(columns: readonly string[]): (name: string) => string {
  const taken = columns.map((column) => column.toLowerCase());
  let prefix = 'own_';
  while (taken.some((column) => column.includes(prefix))) prefix = `own${prefix}`;
  return (name) => `${prefix}${name}`;
}

const textOf = ({ columnOf }: ParquetRequest, field: AdField): string => {
  const column = columnOf[field];
  return column === undefined ? `''` : `ifNull(toString(${identifier(column)}), '')`;
};

/** Whether a load's midnights are hours after all. */
async function hasHours(
  { session, table }: OpenFile,
  request: ParquetRequest,
  own: (name: string) => string,
): Promise<boolean> {
  const { declared, midnightIs } = request.times;
  if (declared !== null || midnightIs === 'hour' || request.columnOf.at === undefined) return false;
  const at = own('at');
  const found = await session.queryAsync(
    `SELECT 1 FROM (SELECT ${textOf(request, 'at')} AS ${at} FROM ${table})
     WHERE match(${at}, ${literal(TIME)}) AND NOT match(${at}, ${literal(MIDNIGHT)}) LIMIT 1`,
    { format: 'JSON' },
  );
  return found.json<{ data: unknown[] }>().data.length > 0;
}

/** More domains of other scripts are not a file of statistics. */
const MAX_NAMES = 100_000;
const namedFields: readonly AdField[] = ['domain', 'subdomain'];

/** Domains and subdomains with letters beyond ASCII, which the engine cannot bring to their stored form. */
async function foreignNames(
  { session, table }: OpenFile,
  request: ParquetRequest,
  own: (name: string) => string,
): Promise<string[]> {
  const fields = namedFields.filter((field) => request.columnOf[field] !== undefined);
  if (fields.length === 0) return [];
  const name = own('name');
  const found = await session.queryAsync(
    `SELECT DISTINCT ${name} AS name FROM (
       SELECT arrayJoin([${fields.map((field) => textOf(request, field)).join(', ')}]) AS ${name} FROM ${table})
     WHERE match(${name}, '[^\\x00-\\x7F]') AND isValidUTF8(${name}) AND NOT match(${name}, '[\\x00-\\x1f]')
     LIMIT ${MAX_NAMES + 1}`,
    { format: 'JSON' },
  );
  const names = found.json<{ data: { name: string }[] }>().data.map((row) => row.name);
  if (names.length > MAX_NAMES) throw new Error(`it has more than ${MAX_NAMES} domains in other scripts`);
  return names.filter((each) => storedDomain(each) !== each);
}

/** As one text each: that many literals would be too many for a statement. */
const textsOf = (names: readonly string[]): string => `splitByChar('\\n', ${literal(names.join('\n'))})`;

async function* readRows(session: Session, query: string): AsyncGenerator<AdRows> {
  let blocks: Uint8Array[] = [];
  let rows = 0;
  const piece = (): AdRows => {
    // The format is a sequence of blocks.
    const whole: AdRows = { rows, bytes: Buffer.concat(blocks), format: 'Native' };
    blocks = [];
    rows = 0;
    return whole;
  };
  for await (const block of session.queryStream(query, { format: 'Native' })) {
    blocks.push(block.raw());
    rows += block.numRows;
    if (rows >= ROWS_PER_PIECE) yield piece();
  }
  if (rows > 0) yield piece();
}

interface Rules {
  /** Domains whose stored form differs, and that the engine cannot bring to it. */
  readonly names: readonly string[];
  readonly codes: ReadonlyMap<CodedField, ReadonlyMap<string, string>>;
  readonly own: (name: string) => string;
}

function selectOf(table: string, request: ParquetRequest, { names, codes, own }: Rules): string {
  const { load, source, currency, times, rowsBefore } = request;
  const f = (field: AdField): string => own(`f_${field}`);
  const texts = adTextFields.map(f).join(', ');
  const fields = adFields.map((field) => `${textOf(request, field)} AS ${f(field)}`);
  const outputs = adFields.map((field) => {
    if (field === 'at') return storedAt(f('at'), times);
    if (field === 'currency') return `if(${f('currency')} = '', ${literal(currency)}, ${f('currency')})`;
    if (isCodedField(field)) return codedText(f(field), codes.get(field));
    if (!namedFields.includes(field)) return trimmedText(f(field));
    const ascii = `replaceRegexpOne(${trimmedText(f(field))}, '([^.])[.]$', '\\\\1')`;
    if (names.length === 0) return ascii;
    return `transform(${f(field)}, ${textsOf(names)}, ${textsOf(names.map(storedDomain))}, ${ascii})`;
  });
  const number = own('number');
  const columns = [
    `toUInt64(${Math.trunc(load)})`,
    literal(source),
    `toUInt64(${number} + ${1 + rowsBefore})`,
    `multiIf(NOT isValidUTF8(concat(${texts})), 'a text is not UTF-8', ${declaredReason(f('at'), times)}, '')`,
    `''`,
    ...outputs,
  ];
  // The engine's own row number hides behind a column of its name: the blocks come in order, on one thread.
  return `SELECT ${adRowColumns.map((name, index) => `${columns[index]} AS ${name}`).join(', ')}
    FROM (SELECT rowNumberInAllBlocks() AS ${number}, ${fields.join(', ')} FROM ${table})`;
}

function codedText(text: string, codes: ReadonlyMap<string, string> | undefined): string {
  if (codes === undefined || codes.size === 0) return trimmedText(text);
  return `transform(${text}, ${textsOf([...codes.keys()])}, ${textsOf([...codes.values()])}, ${trimmedText(text)})`;
}

/** Most texts are plain: to look costs less than to replace. */
const trimmedText = (text: string): string =>
  `if(match(${text}, '^[!-~]([ -~]*[!-~])?$'), ${text}, replaceRegexpAll(${text}, ${literal(TRIMMING_RE2)}, ''))`;

/** As `storedAt` of texts. */
function storedAt(at: string, { midnightIs }: Times): string {
  if (midnightIs === 'hour') return at;
  return `if(match(${at}, ${literal(MIDNIGHT)}), substring(trimBoth(${at}), 1, 10), ${at})`;
}

/** A condition on rows with another time than was declared, and the reason. */
function declaredReason(at: string, { declared }: Times): string {
  if (declared === 'hour') return `match(${at}, ${literal(DAY)}), ${literal(NO_HOUR)}`;
  if (declared === null) return `false, ''`;
  return `match(${at}, ${literal(TIME)}) AND NOT match(${at}, ${literal(MIDNIGHT)}), ${literal(AN_HOUR)}`;
}
