import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { BLOCK_SIZE } from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

/** Half a million subscriptions: an app with more is counted in that many, and the counts are scaled up. */
const MOST_BLOCKS = 512;

/** Blocks of an app that stand for all of them. */
export interface Sample {
  readonly blocks: readonly number[];
  /** How many blocks each of them stands for; 1: all are there. */
  readonly scale: number;
}

/** Evenly spread over the blocks: those who came lately read otherwise than those who came years ago. */
export function sampleOf(blockCount: number, most: number = MOST_BLOCKS): Sample {
  const counted = Math.min(blockCount, most);
  const blocks = Array.from({ length: counted }, (_, index) => Math.floor((index * blockCount) / counted));
  return { blocks, scale: counted === 0 ? 1 : blockCount / counted };
}

export async function readSampleOf(sql: Sql, appId: AppId): Promise<Sample> {
  const [row] = await sql.query<{ next_seq: number }>('SELECT next_seq FROM apps WHERE id = $1', [appId]);
  return sampleOf(Math.ceil((row?.next_seq ?? 0) / BLOCK_SIZE));
}

/** Blocks read at a time: some 64 × 1,024 counters are in memory. */
const CHUNK = 64;

export function chunksOf({ blocks }: Sample): number[][] {
  const chunks: number[][] = [];
  for (let at = 0; at < blocks.length; at += CHUNK) chunks.push(blocks.slice(at, at + CHUNK));
  return chunks;
}
