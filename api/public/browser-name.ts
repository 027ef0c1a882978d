import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { lockedRows } from '../../engine/adapters/postgres/subscriptions/counts.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { ofSecrets, ofUsers } from './lookups.ts';

/**
 * How a request without an endpoint identifies its browser's row. A secret identifies the row that has it and
 * no other; a user identity the rows without a secret.
 */
export type BrowserName =
  | { readonly kind: 'secret'; readonly hash: Buffer }
  | { readonly kind: 'user'; readonly identity: string };

const SECRET_PATTERN = '^[A-Za-z0-9_-]{43}$';

export const browserSecretField = Type.String({
  maxLength: 43,
  pattern: SECRET_PATTERN,
  description:
    'The secret that identifies the browser: 32 random bytes, base64url, made and stored in the browser. The subscription that was stored with one is moved to another endpoint, changed, tagged, unsubscribed and clicked for by it alone, and `userId` only describes it; one that is not a subscription’s changes nothing and is answered the same. Left out: the request reaches subscriptions that have none.',
});

/** The stored form of a secret. 256 random bits need no slow hash. */
export const secretHashOf = (secret: string | undefined): Buffer | null =>
  secret === undefined ? null : hash('sha256', Buffer.from(secret, 'base64url'), 'buffer');

interface Body {
  readonly userId?: string;
  readonly browserSecret?: string;
}

/** Null: it identifies no row. */
export function browserNameOf({ userId, browserSecret }: Body): BrowserName | null {
  const secretHash = secretHashOf(browserSecret);
  if (secretHash !== null) return { kind: 'secret', hash: secretHash };
  return userId === undefined ? null : { kind: 'user', identity: userId };
}

/** Of `rowsOf`. */
export const rowParameters = (appId: AppId, name: BrowserName): [AppId, string] =>
  name.kind === 'secret' ? [appId, name.hash.toString('hex')] : [appId, name.identity];

/**
 * The rows that a name identifies, in app `$1`, `$2` being the name; under their locks. They are found first: the planner might walk through all of the app's subscriptions for that order. The name is
 * checked again on the locked rows: until then a row may have become another browser's.
 */
export const rowsOf = ({ kind }: BrowserName, columns: string): string =>
  kind === 'secret'
    ? lockedRows(
        `secret_hash = decode($2, 'hex')
         AND seq = ANY(ARRAY(SELECT seq FROM ${ofSecrets(`ARRAY[decode($2, 'hex')]`)}))`,
        { columns },
      )
    : lockedRows(
        `user_identity = $2 AND secret_hash IS NULL AND seq = ANY(ARRAY(SELECT seq FROM ${ofUsers('ARRAY[$2]')}))`,
        { columns },
      );
