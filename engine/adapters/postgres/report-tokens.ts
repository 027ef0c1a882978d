import type { Sql } from './database.ts';

/**
 * Which rows a token sees. Where both lists have entries a row must be in both; an empty list beside one that
 * is not adds nothing; both empty and not unrestricted: no row at all.
 */
export interface ReportScope {
  /** Publisher domains: lower case, ASCII. */
  readonly domains: readonly string[];
  readonly wholesalers: readonly string[];
  readonly unrestricted: boolean;
}

export interface ReportTokenFound extends ReportScope {
  readonly id: number;
  readonly user_id: number;
  /** SHA-256 of the secret. */
  readonly secret_hash: Buffer;
  /** Whether the use noted of it is older than a minute. */
  readonly use_is_stale: boolean;
}

/** How exact the last use is: at most one write in this time. */
const USE_NOTED_SECONDS = 60;

/** Null where there is none, or it was revoked. The caller compares the secret's hash. */
export async function findReportToken(sql: Sql, id: number): Promise<ReportTokenFound | null> {
  const [row] = await sql.query<ReportTokenFound>(
    `SELECT id, user_id, secret_hash, domains, wholesalers, unrestricted,
       coalesce(last_used_at < now() - make_interval(secs => $2), true) AS use_is_stale
     FROM report_tokens WHERE id = $1 AND revoked_at IS NULL`,
    [id, USE_NOTED_SECONDS],
  );
  return row ?? null;
}

export async function noteReportTokenUse(sql: Sql, id: number): Promise<void> {
  await sql.query(
    `UPDATE report_tokens SET last_used_at = now()
     WHERE id = $1 AND coalesce(last_used_at < now() - make_interval(secs => $2), true)`,
    [id, USE_NOTED_SECONDS],
  );
}

/** @returns the token's id. */
export async function insertReportToken(
  sql: Sql,
  token: ReportScope & { readonly userId: number; readonly name: string; readonly secretHash: Buffer },
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO report_tokens (user_id, name, secret_hash, domains, wholesalers, unrestricted)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [token.userId, token.name, token.secretHash, token.domains, token.wholesalers, token.unrestricted],
  );
  if (row === undefined) throw new Error('no report token was inserted');
  return row.id;
}

export interface ReportTokenListed extends ReportScope {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly organization: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** @param email of the user; null: of everybody. Of more than `most` the newest, in the order of their ids. */
export function listReportTokens(sql: Sql, email: string | null, most: number): Promise<ReportTokenListed[]> {
  return sql.query(
    `SELECT * FROM (
       SELECT report_tokens.id, report_tokens.name, email, organizations.name AS organization, domains, wholesalers,
         unrestricted, report_tokens.created_at, last_used_at, revoked_at
       FROM report_tokens JOIN users ON users.id = user_id JOIN organizations ON organizations.id = organization_id
       WHERE $1::text IS NULL OR lower(email) = lower($1)
       ORDER BY report_tokens.id DESC LIMIT $2
     ) AS newest ORDER BY id`,
    [email, most],
  );
}

export interface ReportTokenRevoked {
  readonly organizationId: number;
  /** False: it had been revoked before. */
  readonly now: boolean;
}

/** Every process asks here at each request, so it ends everywhere at once. @returns null where there is none. */
export async function revokeReportToken(sql: Sql, id: number): Promise<ReportTokenRevoked | null> {
  const [row] = await sql.query<{ organization_id: number; was: Date | null }>(
    `WITH known AS (
       SELECT report_tokens.id, organization_id, revoked_at AS was
       FROM report_tokens JOIN users ON users.id = user_id WHERE report_tokens.id = $1 FOR UPDATE OF report_tokens
     ), ended AS (
       UPDATE report_tokens SET revoked_at = now() FROM known
       WHERE report_tokens.id = known.id AND revoked_at IS NULL
     )
     SELECT organization_id, was FROM known`,
    [id],
  );
  return row === undefined ? null : { organizationId: row.organization_id, now: row.was === null };
}
