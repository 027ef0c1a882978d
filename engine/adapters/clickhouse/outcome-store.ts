import type { InsertEnding } from '../../contract/insert-ending.ts';
import type { BlockOutcomes } from '../../contract/packed-outcomes.ts';
import type { ClickHouse } from './clickhouse.ts';
import { insertOnce } from './insert-once.ts';
import { encodeOutcomes, outcomeColumns } from './outcome-rows.ts';

export interface OutcomeStore {
  /** As `insertOnce`: the same token and blocks again change nothing. */
  insertOutcomes(blocks: readonly BlockOutcomes[], token: string): Promise<InsertEnding>;
}

export function createOutcomeStore(clickhouse: ClickHouse): OutcomeStore {
  return {
    insertOutcomes: async (blocks, token) => {
      const rows = blocks.reduce((sum, block) => sum + block.seqs.length, 0);
      const bytes = encodeOutcomes(blocks);
      return insertOnce(
        clickhouse,
        { table: 'outcomes', columns: outcomeColumns, rows, bytes, format: 'TabSeparated' },
        token,
      );
    },
  };
}
