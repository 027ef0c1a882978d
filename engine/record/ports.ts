import type { BlockOutcomes } from '../contract/packed-outcomes.ts';

/** What record needs of ClickHouse: `engine/adapters/clickhouse/outcome-store.ts`. */
export interface OutcomeStore {
  /**
   * One insert, counted once however often it is called with the same token and blocks.
   * @throws Error where the rows themselves are refused: they would be refused again.
   */
  insertOutcomes(blocks: readonly BlockOutcomes[], token: string): Promise<InsertEnding>;
}

/** `away`: nothing may be assumed about whether the rows arrived. */
export type InsertEnding =
  | { readonly kind: 'inserted'; readonly rows: number }
  | { readonly kind: 'away'; readonly reason: string };
