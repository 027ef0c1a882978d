import type { AppId } from './ids.ts';

/**
 * Rows deleted in Postgres that are still to be deleted in ClickHouse. Twice: soon, and a last time when
 * nothing from before the deletion can reach ClickHouse any more.
 */
export interface DueApp {
  readonly appId: AppId;
  readonly lastPass: boolean;
}

export interface DueSubscriptions {
  readonly subscriptions: readonly DueSubscription[];
  /** 16 bytes, from which the subscriptions' new numbers are derived. */
  readonly key: Uint8Array;
}

export interface DueSubscription {
  readonly appId: AppId;
  readonly seq: number;
  readonly lastPass: boolean;
}
