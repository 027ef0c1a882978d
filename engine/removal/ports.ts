import type { AppId } from '../contract/ids.ts';
import type { DueApp, DueSubscriptions } from '../contract/removal.ts';

/** What removal needs of Postgres; `engine/adapters/postgres/removal-store.ts` has it. */
export interface RemovalStore {
  /**
   * Removes at most `limit` rows of one deleted app, and with the last of them the app itself.
   * @returns how many; 0: no deleted app is left, or other engines are at them.
   */
  removeOfDeletedApp(limit: number): Promise<number>;
  /** Deletes at most `limit` subscriptions of one app that were unsubscribed for longer than it keeps them. */
  deleteExpired(limit: number): Promise<number>;
  /** True for one engine at a time, and not again for so long. */
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
 * What removal needs of ClickHouse; `engine/adapters/clickhouse/anonymize.ts` has it. A change rewrites parts
 * of tables in the background: it is only begun here, and `changing` says whether one still runs. Begun
 * again, it finds nothing to change.
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
  /** Removes what ClickHouse keeps of changes that have ended: their texts hold the key. */
  dropTexts(): Promise<void>;
}
