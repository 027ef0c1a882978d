import { type AppId, toId } from '../../../engine/contract/ids.ts';
import { createSignedBytes, numberAt, numbersToBytes } from '../../auth/derived-signature.ts';

/**
 * The signed address of a reader's preferences. Whoever has it may change what this one subscription gets, and nothing
 * else: it needs no session, names no person, and ends by itself.
 */
export interface PreferenceLinks {
  /** @returns the path below the API's address. */
  issue(
    link: PreferenceLink,
    nowMs: number,
    days: number,
  ): { readonly path: string; readonly untilMs: number };
  /** Null: it is none of ours, or too old. */
  read(token: string, nowMs: number): PreferenceLink | null;
}

export interface PreferenceLink {
  readonly appId: AppId;
  /** Not its `seq`, which another subscription may get. */
  readonly subscriptionId: number;
}

/** For a footer of a newsletter, which is opened months later. */
export const LINK_DAYS = 180;
/** For the reader who asks for it now. */
export const SHORT_LINK_DAYS = 1;

const DAY_S = 86_400;
/** App, subscription, end. */
const NUMBERS_BYTES = 12;

export function createPreferenceLinks(
  masterKey: Uint8Array,
  oldKeys: readonly Uint8Array[] = [],
): PreferenceLinks {
  const signed = createSignedBytes('preferences', NUMBERS_BYTES, masterKey, oldKeys);
  return {
    issue: ({ appId, subscriptionId }, nowMs, days) => {
      const untilS = Math.floor(nowMs / 1_000) + days * DAY_S;
      const token = signed.sign(numbersToBytes([appId, subscriptionId, untilS]));
      return { path: `/preferences/${token}`, untilMs: untilS * 1_000 };
    },
    read: (token, nowMs) => {
      const bytes = signed.open(token);
      if (bytes === null || numberAt(bytes, 2) * 1_000 <= nowMs) return null;
      return { appId: toId(numberAt(bytes, 0)), subscriptionId: numberAt(bytes, 1) };
    },
  };
}
