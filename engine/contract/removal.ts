import type { AppId } from './ids.ts';

/**
 * What was deleted in Postgres and is still to be taken out of ClickHouse. Twice: soon, and a last time when
 * nothing of before the deletion can come to ClickHouse any more.
 */
export interface DueApp {
  readonly appId: AppId;
  readonly lastPass: boolean;
}

export interface DueSubscriptions {
  readonly subscriptions: readonly DueSubscription[];
  /** 16 bytes; what the subscriptions' new numbers follow from. */
  readonly key: Uint8Array;
}

export interface DueSubscription {
  readonly appId: AppId;
  readonly seq: number;
  readonly lastPass: boolean;
}
