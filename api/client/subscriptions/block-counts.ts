import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { BLOCK_SIZE } from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

/**
 * The number of notifications that push services accepted per subscription. The table `block_counts` holds them
 * packed, 1,024 to a row; a trigger on `shards` adds a shard's accepted maps in the transaction that ends it,
 * whichever code does that, so they are exact and never counted twice.
 */
export interface SentCounts {
  /** By `seq`, for every one that was ever given; negative for one that was deleted. */
  readonly counts: Int32Array;
  /** How many subscriptions there are: as many as counts are not negative, unless a `seq` was never used. */
  readonly subscribers: number;
}

/** In one statement, so that all of it is of the same moment. 4 bytes a subscription, and 2 to 5 while it is read. */
export async function readSentCounts(sql: Sql, appId: AppId): Promise<SentCounts> {
  const [row] = await sql.query<{ next_seq: number; subscriber_count: number; blocks: string | null }>(
    `SELECT next_seq, subscriber_count,
       (SELECT string_agg(block || ':' || array_to_string(sent, ',') || ',', ';') FROM block_counts WHERE app_id = id)
         AS blocks
     FROM apps WHERE id = $1`,
    [appId],
  );
  const counts = new Int32Array(row?.next_seq ?? 0);
  unpack(row?.blocks ?? '', counts);
  return { counts, subscribers: row?.subscriber_count ?? 0 };
}

/** `7:0,3,-1,…,;8:…`. By hand: a million numbers in 10 ms. */
function unpack(text: string, counts: Int32Array): void {
  let seq = 0;
  let value = 0;
  let sign = 1;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char >= DIGIT_0) {
      if (char === COLON) seq = value * BLOCK_SIZE;
      else if (char === SEMICOLON) seq = 0;
      else {
        value = value * 10 + char - DIGIT_0;
        continue;
      }
    } else if (char === MINUS) {
      sign = -1;
      continue;
    } else {
      // The last block ends after the last `seq` that was given.
      if (seq < counts.length) counts[seq] = sign * value;
      seq++;
    }
    value = 0;
    sign = 1;
  }
}

const DIGIT_0 = 48;
const COLON = 58;
const SEMICOLON = 59;
const MINUS = 45;
