import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Session } from 'chdb';
import { type AdField, type AdRows, adFields, adRowColumns, adTextFields } from '../../contract/ad-stats.ts';
import { identifier, literal } from './literals.ts';

/** A file of ad statistics in Parquet, read by the embedded engine in this process, whatever ClickHouse gets it. */
export interface ParquetFile {
  /** The names of its columns. */
  readonly columns: readonly string[];
  readonly totalRows: number;
  /**
   * All rows, numbered from 1, in the engine's pieces of some 65,000. Numbers and times are their text: a double its shortest,
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
}

/** Row groups are decompressed whole; a writer's usual one has 1M rows. */
const MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * @param engineFolder the folder that the engine of this process is open on, since it has one at a time; null:
 *   none, a temporary one is made.
 * @throws Error where it is no Parquet file.
 */
export async function openParquet(file: string, engineFolder: string | null): Promise<ParquetFile> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-parquet-'));
  // The engine takes *, ? and {} in a path for patterns: it gets a name of ours.
  const link = join(folder, 'input.parquet');
  await symlink(resolve(file), link);
  const { Session } = await import('chdb');
  const session = new Session(engineFolder ?? join(folder, 'engine'));
  const close = async (): Promise<void> => {
    session.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const table = `file('${link}', Parquet)`;
    await session.queryAsync(
      `SET session_timezone = 'UTC', max_threads = 2, max_memory_usage = ${MEMORY_BYTES}`,
    );
    const columns = await columnsOf(session, table);
    const totalRows = await countOf(session, table);
    return { columns, totalRows, rows: (request) => readRows(session, selectOf(table, request)), close };
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

async function* readRows(session: Session, query: string): AsyncGenerator<AdRows> {
  for await (const piece of session.queryStream(query, { format: 'Native' })) {
    if (piece.numRows > 0) yield { rows: piece.numRows, bytes: piece.raw(), format: 'Native' };
  }
}

function selectOf(table: string, { load, source, columnOf, currency }: ParquetRequest): string {
  const textOf = (field: AdField): string => {
    const column = columnOf[field];
    return column === undefined ? `''` : `ifNull(toString(${identifier(column)}), '')`;
  };
  const texts = adTextFields.map((field) => `f_${field}`).join(', ');
  const fields = adFields.map((field) => `${textOf(field)} AS f_${field}`);
  const outputs = adFields.map((field) =>
    field === 'currency' ? `if(f_currency = '', ${literal(currency)}, f_currency)` : `f_${field}`,
  );
  const columns = [
    `toUInt64(${Math.trunc(load)})`,
    literal(source),
    'toUInt64(number + 1)',
    `if(isValidUTF8(concat(${texts})), '', 'a text is no UTF-8')`,
    `''`,
    ...outputs,
  ];
  return `SELECT ${adRowColumns.map((name, index) => `${columns[index]} AS ${name}`).join(', ')}
    FROM (SELECT _row_number AS number, ${fields.join(', ')} FROM ${table})`;
}
