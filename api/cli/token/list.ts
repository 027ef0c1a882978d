import { hasAddress } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';

export interface TokenOfUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly abilities: readonly string[];
  readonly apps: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
}

/** More would be no list for people; the dashboard has pages. */
const MAX_TOKENS = 10_000;

/** The tokens that were not revoked. @param email null: of all users. */
export const listAllTokens = (sql: Sql, email: string | null): Promise<TokenOfUser[]> =>
  sql.query<TokenOfUser>(
    `SELECT api_tokens.id, email, api_tokens.name, abilities, CASE WHEN app_ids IS NOT NULL THEN ARRAY(
         SELECT identifier FROM apps WHERE apps.id = ANY(app_ids) AND deleted_at IS NULL ORDER BY identifier
       ) END AS apps, addresses::text[], api_tokens.created_at, last_used_at, expires_at
     FROM api_tokens JOIN users ON users.id = user_id
     WHERE revoked_at IS NULL AND ($1::text IS NULL OR ${hasAddress('email', '$1')})
     ORDER BY email, api_tokens.id LIMIT ${MAX_TOKENS}`,
    [email],
  );
