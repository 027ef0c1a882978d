import type { Sql } from '../../../engine/adapters/postgres/sql.ts';

/** Partitions are left out: they are as their table. */
const tables = `
  SELECT pg_class.oid, relname AS name, pg_get_partkeydef(pg_class.oid) AS partitioned
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`;

const columns = `
  SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS filled,
    CASE attidentity WHEN '' THEN pg_get_expr(adbin, adrelid) ELSE 'identity' END AS value
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

/** NOT NULL stands with the columns. */
const constraints = `
  SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = $1 AND contype <> 'n'
  ORDER BY contype DESC, conname`;

const indexes = `
  SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index
  WHERE indrelid = $1 AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND conrelid = $1)
  ORDER BY indexrelid`;

const triggers = `
  SELECT pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal ORDER BY tgname`;

interface Table {
  readonly oid: number;
  readonly name: string;
  readonly partitioned: string | null;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly filled: boolean;
  readonly value: string | null;
}

/** Each table with its columns, keys, indexes and triggers, for people: it is not SQL to be run. */
export async function readPostgresSchema(sql: Sql): Promise<string> {
  const found = await sql.query<Table>(tables);
  const texts: string[] = [];
  for (const table of found) texts.push(await textOf(sql, table));
  return texts.join('\n\n');
}

async function textOf(sql: Sql, { oid, name, partitioned }: Table): Promise<string> {
  const linesOf = async (statement: string): Promise<string[]> =>
    (await sql.query<{ text: string }>(statement, [oid])).map(({ text }) => text);
  const fields = await sql.query<Column>(columns, [oid]);
  const width = Math.max(...fields.map((field) => field.name.length));
  return [
    partitioned === null ? name : `${name}, partitioned by ${partitioned}`,
    ...fields.map((field) => `  ${field.name.padEnd(width)}  ${describeColumn(field)}`),
    ...(await linesOf(constraints)).map((text) => `  ${text}`),
    ...(await linesOf(indexes)).map((text) => `  ${shortened(text)}`),
    ...(await linesOf(triggers)).map((text) => `  ${shortened(text)}`),
  ].join('\n');
}

const describeColumn = ({ type, filled, value }: Column): string =>
  [type, ...(filled ? ['NOT NULL'] : []), ...(value === null ? [] : [`= ${value}`])].join(' ');

/** Without what its place says already. */
const shortened = (definition: string): string =>
  definition
    .replace(/^CREATE /, '')
    .replace(/ ON (ONLY )?public\.\w+( USING btree)?/, '')
    .replace(/USING (btree|gin|gist|hash)/, '$1');
