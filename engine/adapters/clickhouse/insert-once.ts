import { Readable } from 'node:stream';
import type { InsertEnding } from '../../contract/insert-ending.ts';
import type { ClickHouse } from './clickhouse.ts';
import { isDataRefusal } from './errors.ts';
import { isElsewhereBetter } from './fail-over.ts';

export interface Insert {
  readonly table: string;
  /** Names in the order of the fields. */
  readonly columns: string;
  readonly rows: number;
  /** In the format; texts in UTF-8, Enums by number. */
  readonly bytes: Buffer;
  readonly format: 'TabSeparated' | 'Native';
}

/**
 * One statement, counted once: called again with the same token and bytes, for as long as ClickHouse
 * remembers the token (50,000 inserts a table), it changes neither the table nor a roll-up.
 * @throws Error where ClickHouse refuses the rows themselves, or the token is not a plain name.
 */
export async function insertOnce(
  { client, replicas = 1 }: ClickHouse,
  insert: Insert,
  token: string,
): Promise<InsertEnding> {
  const { rows } = insert;
  if (rows === 0) return { kind: 'inserted', rows };
  const query = insertStatement(insert, token);
  for (let tries = 1; ; tries++) {
    try {
      const answer = await client.exec({ query, values: chunksOf(insert.bytes) });
      // An answer that is not read keeps its socket.
      for await (const _ of answer.stream);
      return { kind: 'inserted', rows };
    } catch (error) {
      if (isDataRefusal(error)) throw error;
      // The next replica knows the token of what another has written: see `fail-over.ts`.
      if (tries < replicas && isElsewhereBetter(error)) continue;
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: 'away', store: 'ClickHouse', reason };
    }
  }
}

const TOKEN = /^[A-Za-z0-9_.:-]{1,64}$/;

/**
 * The settings are in the statement: passed beside it they would stay on the embedded engine's session
 * (`embedded.ts`). `async_insert` is on by default in ClickHouse 26 and would answer before the roll-up is
 * written. The token is remembered per block of rows: with one parsing thread only the rows decide where a long
 * insert is cut, so that a repetition matches. One batch may hold a row of each month since 2000, and ClickHouse refuses
 * more than 100 partitions at once, now and at every retry.
 */
function insertStatement({ table, columns, format }: Insert, token: string): string {
  if (!TOKEN.test(token)) throw new RangeError(`not a deduplication token: ${token}`);
  return `INSERT INTO ${table} (${columns})
    SETTINGS async_insert = 0, insert_deduplicate = 1, insert_deduplication_token = '${token}',
      deduplicate_blocks_in_dependent_materialized_views = 1, input_format_parallel_parsing = 0,
      max_partitions_per_insert_block = 0, input_format_tsv_enum_as_number = 1
    FORMAT ${format}`;
}

const CHUNK_BYTES = 256 * 1024;

/** In pieces, so that a slow server holds the rest back instead of the socket buffering all of it. */
function chunksOf(bytes: Buffer): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, at + CHUNK_BYTES) : null);
      at += CHUNK_BYTES;
    },
  });
}
