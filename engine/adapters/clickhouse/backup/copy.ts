import type { ClickHouse } from '../clickhouse.ts';
import { identifier, literal } from '../literals.ts';

/** Rows that are read, and written, in one statement. */
export interface Piece {
  readonly table: string;
  readonly part: string;
  readonly from: number;
  readonly rows: number;
}

export interface FrozenTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly pieces: readonly Piece[];
}

export interface FrozenStatistics {
  readonly version: string;
  readonly migrations: readonly string[];
  readonly tables: readonly FrozenTable[];
}

/** The tables as they were at one moment, while inserts and merges go on. One at a time. */
export interface StatisticsCopy {
  /** Takes milliseconds, however much there is: copies by links to the same files. */
  freeze(): Promise<FrozenStatistics>;
  /** The rows in the format Native. */
  readPiece(piece: Piece): Promise<Buffer<ArrayBuffer>>;
  /** Removes the copy. Safe to call twice. */
  thaw(): Promise<void>;
}

/** Of the columns of a piece, uncompressed: it is held in memory, here and by ClickHouse. */
const PIECE_BYTES = 32 * 1024 ** 2;
const MOST_PIECE_ROWS = 1_000_000;

/**
 * A database beside ours holds the copies, so that nothing that works on our tables meets them. A backup that died
 * leaves it, and the next one begins by dropping it.
 */
export function createStatisticsCopy(clickhouse: ClickHouse): StatisticsCopy {
  const { client, database } = clickhouse;
  const copies = `${database}_backup`;
  const ask = async <Row>(query: string): Promise<Row[]> =>
    (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
  const thaw = async (): Promise<void> => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${copies} SYNC` });
  };
  return {
    freeze: async () => {
      await thaw();
      await client.command({ query: `CREATE DATABASE ${copies}` });
      const names = await listStored(ask);
      for (const name of names) {
        const copy = `${copies}.${identifier(name)}`;
        await client.command({ query: `CREATE TABLE ${copy} AS ${identifier(name)}` });
        // Its parts are named in the pieces.
        await client.command({ query: `SYSTEM STOP MERGES ${copy}` });
        await client.command({ query: `ALTER TABLE ${copy} ATTACH PARTITION ALL FROM ${identifier(name)}` });
      }
      return describe(ask, copies, names);
    },
    readPiece: async (piece) => {
      const answer = await client.exec({
        query: pieceStatement(copies, piece, await columnsOf(ask, copies, piece.table)),
      });
      const chunks: Buffer[] = [];
      for await (const chunk of answer.stream as AsyncIterable<Buffer>) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    thaw,
  };
}

type Ask = <Row>(query: string) => Promise<Row[]>;

/** Tables that hold rows; what was inserted into the others went through their views. */
const listStored = async (ask: Ask): Promise<string[]> =>
  (
    await ask<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
         AND name != 'schema_migrations' ORDER BY name`,
    )
  ).map(({ name }) => name);

async function describe(ask: Ask, copies: string, names: readonly string[]): Promise<FrozenStatistics> {
  const [server] = await ask<{ version: string }>('SELECT version() AS version');
  const migrations = await ask<{ name: string }>('SELECT DISTINCT name FROM schema_migrations ORDER BY name');
  const parts = await ask<{ table: string; part: string; rows: string | number; bytes: string | number }>(
    `SELECT table, name AS part, rows, data_uncompressed_bytes AS bytes FROM system.parts
     WHERE database = ${literal(copies)} AND active ORDER BY table, name`,
  );
  const tables: FrozenTable[] = [];
  for (const name of names) {
    const columns = await columnsOf(ask, copies, name);
    const own = parts.filter(({ table }) => table === name);
    const pieces = own.flatMap(({ part, rows, bytes }) => cut(name, part, Number(rows), Number(bytes)));
    tables.push({ name, columns, pieces });
  }
  return { version: server?.version ?? '', migrations: migrations.map(({ name }) => name), tables };
}

const columnsOf = async (ask: Ask, copies: string, table: string): Promise<string[]> =>
  (
    await ask<{ name: string }>(
      `SELECT name FROM system.columns WHERE database = ${literal(copies)} AND table = ${literal(table)}
         AND default_kind NOT IN ('ALIAS', 'MATERIALIZED', 'EPHEMERAL') ORDER BY position`,
    )
  ).map(({ name }) => name);

function cut(table: string, part: string, rows: number, bytes: number): Piece[] {
  const fitting = Math.floor((rows * PIECE_BYTES) / Math.max(1, bytes));
  const step = Math.min(MOST_PIECE_ROWS, Math.max(1, fitting));
  const pieces: Piece[] = [];
  for (let from = 0; from < rows; from += step)
    pieces.push({ table, part, from, rows: Math.min(step, rows - from) });
  return pieces;
}

const pieceStatement = (
  copies: string,
  { table, part, from, rows }: Piece,
  columns: readonly string[],
): string =>
  `SELECT ${columns.map(identifier).join(', ')} FROM ${copies}.${identifier(table)}
   WHERE _part = ${literal(part)} AND _part_offset >= ${Math.trunc(from)} AND _part_offset < ${Math.trunc(from + rows)}
   FORMAT Native`;
