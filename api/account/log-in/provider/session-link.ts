import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';

/** What a session keeps of the provider that began it. */
export interface SessionLink {
  /** Null: the installation's. */
  readonly providerId: number | null;
  /** Its page of log-out and the ID token that it asks for; null: it offers none. */
  readonly sealed: Buffer | null;
}

/** A longer one makes no URL that every server takes. */
const MAX_TOKEN = 4_096;
const contextOf = (userId: UserId): string => `provider session ${userId}`;

/** Sealed: an ID token says a person's name, address and groups. */
export function sealLogOut(
  sealer: Sealer,
  userId: UserId,
  { logOutUrl, idToken }: { readonly logOutUrl: string | null; readonly idToken: string },
): Buffer | null {
  if (logOutUrl === null) return null;
  const url = new URL(logOutUrl);
  if (idToken.length <= MAX_TOKEN) url.searchParams.set('id_token_hint', idToken);
  return sealer.seal(url.href, contextOf(userId));
}

/** Where the browser goes to end the session at the provider, too. Null: there is nothing to end. */
export async function logOutUrlOf(
  sql: Sql,
  sealer: Sealer,
  session: { readonly secret: string; readonly userId: UserId; readonly returnTo: string },
): Promise<string | null> {
  const [row] = await sql.query<{ sealed: Buffer | null }>(
    `SELECT provider_sealed AS sealed FROM sessions WHERE secret_hash = $1`,
    [hashSecret(session.secret)],
  );
  if (row === undefined || row.sealed === null) return null;
  const url = new URL(sealer.open(row.sealed, contextOf(session.userId)).toString());
  url.searchParams.set('post_logout_redirect_uri', session.returnTo);
  return url.href;
}
