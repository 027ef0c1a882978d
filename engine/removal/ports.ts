import type { AppId } from '../contract/ids.ts';
import type { DueApp, DueSubscriptions } from '../contract/removal.ts';

/**
 * Postgres as removal needs it, see `engine/adapters/postgres/removal/removal-store.ts`. Rejects when Postgres is unavailable.
 * Every step is bounded and safe to repeat: repeated, it finds less to do or nothing.
 */
export interface RemovalStore {
  /**
   * Removes at most `limit` rows of one deleted app, and with the last of them the app itself.
   * @returns how many; 0: no deleted app is left, or other engines are at them.
   */
  removeOfDeletedApp(limit: number): Promise<number>;
  /** Deletes at most `limit` subscriptions of one app that were unsubscribed for longer than it keeps them. */
  deleteExpired(limit: number): Promise<number>;
  /**
   * Erases the next part of an erasure that was too large for one transaction; parts are bounded.
   * @returns 0: none is left, or other engines are at them.
   */
  eraseNextPart(): Promise<number>;
  /** True for one engine at a time, and not again within `everyMs`, by Postgres' clock. */
  takeTurn(job: string, everyMs: number): Promise<boolean>;
  /** Removed apps whose statistics are due to be deleted. */
  dueApps(limit: number): Promise<DueApp[]>;
  /** Their statistics are deleted. */
  noteAppsForgotten(apps: readonly DueApp[]): Promise<void>;
  /** Deleted subscriptions whose statistics are due to be made anonymous; all of one key. Null: none. */
  dueSubscriptions(limit: number): Promise<DueSubscriptions | null>;
  /** Their statistics are anonymous. */
  noteSubscriptionsForgotten(due: DueSubscriptions): Promise<void>;
}

/**
 * ClickHouse as removal needs it, see `engine/adapters/clickhouse/anonymize.ts`. A change rewrites parts of
 * tables in the background: it is only begun here, and `changing` says whether one still runs. Begun again, it
 * finds nothing to change. Rejects when ClickHouse is unavailable.
 */
export interface StatisticsChanges {
  changing(): Promise<boolean>;
  /** Begins to delete every row of the apps. */
  deleteApps(appIds: readonly AppId[]): Promise<void>;
  /** Begins to give the subscriptions numbers that follow from the key alone; totals stay. */
  makeAnonymous(
    subscriptions: readonly { readonly appId: AppId; readonly seq: number }[],
    key: Uint8Array,
  ): Promise<void>;
  /** Deletes ClickHouse's record of ended changes: their texts contain the key. */
  dropTexts(): Promise<void>;
}
