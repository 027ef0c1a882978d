import { randomBytes } from 'node:crypto';
import { type AppId, toId, type UserId } from '../../../engine/contract/ids.ts';
import { createSignedBytes, numberAt, numbersToBytes } from '../../auth/derived-signature.ts';

/**
 * A link to a page of the app's site, whose SDK registers its browser for tests: the dashboard cannot see what the site's
 * pages have. Whoever opens it needs no session, so it is good for minutes and for one browser.
 */
export interface TestLink {
  readonly appId: AppId;
  /** Who made it. */
  readonly userId: UserId | null;
  /** Told apart by it, once it was used. */
  readonly id: string;
}

export interface TestLinks {
  issue(
    appId: AppId,
    userId: UserId | null,
    nowMs: number,
  ): { readonly token: string; readonly untilMs: number };
  /** Null: it is none of ours, or too old. */
  read(token: string, nowMs: number): TestLink | null;
}

/** Long enough to take a phone out and to allow notifications there. */
export const LINK_MINUTES = 15;

/** App, user, end, and a number of its own. */
const NUMBERS_BYTES = 12;
const ID_BYTES = 9;

/** @param oldKeys keys before a rotation: links that were made under them still hold. */
export function createTestLinks(masterKey: Uint8Array, oldKeys: readonly Uint8Array[] = []): TestLinks {
  const signed = createSignedBytes('test browser', NUMBERS_BYTES + ID_BYTES, masterKey, oldKeys);
  return {
    issue: (appId, userId, nowMs) => {
      const untilS = Math.floor(nowMs / 1_000) + LINK_MINUTES * 60;
      const bytes = Buffer.concat([numbersToBytes([appId, userId ?? 0, untilS]), randomBytes(ID_BYTES)]);
      return { token: signed.sign(bytes), untilMs: untilS * 1_000 };
    },
    read: (token, nowMs) => {
      const bytes = signed.open(token);
      if (bytes === null || numberAt(bytes, 2) * 1_000 <= nowMs) return null;
      const userId = numberAt(bytes, 1);
      const id = bytes.subarray(NUMBERS_BYTES).toString('base64url');
      return { appId: toId(numberAt(bytes, 0)), userId: userId === 0 ? null : toId(userId), id };
    },
  };
}
