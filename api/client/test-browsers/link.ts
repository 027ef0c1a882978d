import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type AppId, toId, type UserId } from '../../../engine/contract/ids.ts';

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

/** App, user, end, and a number of its own; then the signature. */
const NUMBER_BYTES = 4;
const ID_BYTES = 9;
const SIGNED_BYTES = 3 * NUMBER_BYTES + ID_BYTES;
const SIGNATURE_BYTES = 16;

/** @param oldKeys keys before a rotation: links that were made under them still hold. */
export function createTestLinks(masterKey: Uint8Array, oldKeys: readonly Uint8Array[] = []): TestLinks {
  const current = createSign(masterKey);
  const all = [current, ...oldKeys.map(createSign)];
  return {
    issue: (appId, userId, nowMs) => {
      const untilS = Math.floor(nowMs / 1_000) + LINK_MINUTES * 60;
      const signed = Buffer.concat([...[appId, userId ?? 0, untilS].map(numberOf), randomBytes(ID_BYTES)]);
      const token = Buffer.concat([signed, current(signed)]).toString('base64url');
      return { token, untilMs: untilS * 1_000 };
    },
    read: (token, nowMs) => {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return null;
      const [signed, signature] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
      if (!all.some((sign) => timingSafeEqual(signature, sign(signed)))) return null;
      const [appId = 0, userId = 0, untilS = 0] = [0, 1, 2].map((n) => signed.readUInt32BE(n * NUMBER_BYTES));
      if (untilS * 1_000 <= nowMs) return null;
      const id = signed.subarray(3 * NUMBER_BYTES).toString('base64url');
      return { appId: toId(appId), userId: userId === 0 ? null : toId(userId), id };
    },
  };
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32BE(value);
  return bytes;
}

function createSign(masterKey: Uint8Array): (signed: Uint8Array) => Buffer {
  // A derived key: the master key itself seals secrets.
  const key = Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), 'broadside test browser', 32));
  return (signed) => createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE_BYTES);
}
