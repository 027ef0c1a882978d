import type { Sql } from '../../engine/adapters/postgres/database.ts';
import { type OrganizationId, toId, type UserId } from '../../engine/contract/ids.ts';
import type { Ability, Role } from './abilities.ts';
import { hashSecret, newSecret, type RawToken } from './token.ts';

export interface StoredToken {
  readonly id: number;
  readonly secretHash: Buffer;
  readonly abilities: readonly string[];
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly role: Role;
  /** Whether `last_used_at` is older than a minute. */
  readonly useIsStale: boolean;
}

/** How exact `last_used_at` is: at most one write per token in this time. */
const LAST_USED_SECONDS = 60;

/** @returns the token with its user, or null where there is none or it was revoked. */
export async function findToken(sql: Sql, id: number): Promise<StoredToken | null> {
  const [row] = await sql.query<{
    secret_hash: Buffer;
    abilities: string[];
    user_id: number;
    organization_id: number;
    role: Role;
    stale: boolean;
  }>(
    `SELECT secret_hash, abilities, user_id, organization_id, role,
       coalesce(last_used_at < now() - make_interval(secs => $2), true) AS stale
     FROM api_tokens JOIN users ON users.id = user_id
     WHERE api_tokens.id = $1 AND revoked_at IS NULL`,
    [id, LAST_USED_SECONDS],
  );
  if (row === undefined) return null;
  return {
    id,
    secretHash: row.secret_hash,
    abilities: row.abilities,
    userId: toId(row.user_id),
    organizationId: toId(row.organization_id),
    role: row.role,
    useIsStale: row.stale,
  };
}

export async function noteTokenUse(sql: Sql, id: number): Promise<void> {
  await sql.query(
    `UPDATE api_tokens SET last_used_at = now()
     WHERE id = $1 AND coalesce(last_used_at < now() - make_interval(secs => $2), true)`,
    [id, LAST_USED_SECONDS],
  );
}

/** @returns the only copy of the secret. */
export async function createToken(
  sql: Sql,
  token: { readonly userId: UserId; readonly name: string; readonly abilities: readonly Ability[] },
): Promise<RawToken> {
  const secret = newSecret();
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO api_tokens (user_id, name, abilities, secret_hash) VALUES ($1, $2, $3, $4) RETURNING id`,
    [token.userId, token.name, token.abilities, hashSecret(secret)],
  );
  if (row === undefined) throw new Error('no token was inserted');
  return { id: row.id, secret };
}
