import type { InsertEnding } from '../contract/insert-ending.ts';
import type { BlockOutcomes } from '../contract/packed-outcomes.ts';
import type { ReportedEvent } from '../contract/topics.ts';

/** ClickHouse as record needs it: `engine/adapters/clickhouse/outcome-store.ts`. */
export interface OutcomeStore {
  /**
   * One insert, counted once however often it is called with the same token and blocks, for as long as ClickHouse
   * remembers the token. Never rejects because ClickHouse is unavailable: the ending says so.
   * @throws Error where the rows themselves are refused: they would be refused again.
   */
  insertOutcomes(blocks: readonly BlockOutcomes[], token: string): Promise<InsertEnding>;
}

/** `engine/adapters/clickhouse/event-store.ts`. */
export interface EventStore {
  /** As `insertOutcomes`. */
  insertEvents(events: readonly ReportedEvent[], token: string): Promise<InsertEnding>;
}

export interface Click {
  readonly appId: number;
  readonly seq: number;
  /** Since 1970. */
  readonly atMs: number;
}

/** `engine/adapters/postgres/record/engagement-store.ts`. */
export interface EngagementStore {
  /** Safe to repeat, and in any order. At most one click a subscription. @throws where Postgres is unavailable. */
  noteClicks(clicks: readonly Click[]): Promise<void>;
}
