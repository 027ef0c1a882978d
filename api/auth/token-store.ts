import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { AppId, UserId } from '../../engine/contract/ids.ts';
import { hashSecret, newSecret, type RawToken } from '../../engine/kit/http/token.ts';
import type { Ability } from './abilities.ts';
import {
  type Admission,
  type AdmissionRow,
  admissionOf,
  roleColumns,
  USE_NOTED_SECONDS,
} from './admission.ts';

/**
 * Authenticates the token and counts the request, in one statement: a wrong, expired or revoked token uses no
 * allowance, nor does one from an address that it may not come from. The secret is compared by its hash, whose bytes a caller cannot choose: the comparison's time
 * reveals nothing about the secret.
 * @param from the client's address; null where it is none that could be compared.
 * @param most requests of the user, over all their tokens, in 60 seconds.
 * @returns null where there is no such token.
 */
export async function admitToken(
  sql: Sql,
  token: RawToken,
  from: string | null,
  most: number,
): Promise<Admission | null> {
  const [row] = await sql.query<AdmissionRow>(
    `WITH caller AS MATERIALIZED (
       SELECT api_tokens.id AS token_id, abilities, app_ids, false AS lacks_factor, user_id, organization_id, ${roleColumns},
         coalesce(last_used_at < now() - make_interval(secs => $3), true) AS stale
       FROM api_tokens JOIN users ON users.id = user_id
       WHERE api_tokens.id = $1 AND secret_hash = $2 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > now())
         AND (addresses IS NULL OR $5::inet <<= ANY(addresses))
     )
     SELECT caller.*, hit.* FROM caller, take_hit(user_id, 'token', $4) AS hit`,
    [token.id, hashSecret(token.secret), USE_NOTED_SECONDS, most, from],
  );
  return row === undefined ? null : admissionOf(row, 'token');
}

export async function noteTokenUse(sql: Sql, id: number): Promise<void> {
  await sql.query(
    `UPDATE api_tokens SET last_used_at = now()
     WHERE id = $1 AND coalesce(last_used_at < now() - make_interval(secs => $2), true)`,
    [id, USE_NOTED_SECONDS],
  );
}

/** @returns the only copy of the secret. */
export async function createToken(
  sql: Sql,
  token: {
    readonly userId: UserId;
    readonly name: string;
    readonly abilities: readonly Ability[];
    /** Left out: it does not end by itself. */
    readonly expiresAt?: Date | null;
    /** Left out: every app of the organization. */
    readonly appIds?: readonly AppId[] | null;
    /** Addresses and ranges; left out: every address. */
    readonly addresses?: readonly string[] | null;
  },
): Promise<RawToken> {
  const secret = newSecret();
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO api_tokens (user_id, name, abilities, secret_hash, expires_at, app_ids, addresses)
     VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7::text[] IS NOT NULL
       THEN ARRAY(SELECT DISTINCT network(given::inet) FROM unnest($7::text[]) AS given) END)
     RETURNING id`,
    [
      token.userId,
      token.name,
      token.abilities,
      hashSecret(secret),
      token.expiresAt ?? null,
      token.appIds ?? null,
      token.addresses ?? null,
    ],
  );
  if (row === undefined) throw new Error('no token was inserted');
  return { id: row.id, secret };
}
