import type { RateAnswer } from '../../contract/concurrency/rate-limit.ts';
import { hasAddress } from './folded.ts';
import { type Hit, type HitRow, rateAnswerOf } from './rate-limit.ts';
import { PASS_SECONDS } from './report-passes.ts';
import type { Sql } from './sql.ts';

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

/** A valid token, and the rate limit's answer to this request of its user. */
export interface ReportAdmission extends ReportScope, RateAnswer {
  readonly id: number;
  /** Whom the request is counted against: the token's owner, or who asks it on the dashboard. */
  readonly userId: number;
  readonly organizationId: number;
  /** Requests of that user in 60 seconds. */
  readonly most: number;
  /** Whether the use noted of it is older than a minute. */
  readonly useIsStale: boolean;
  /** The hit that counts this request; null where it was refused. */
  readonly hit: Hit | null;
}

interface AdmissionRow extends ReportScope, HitRow {
  readonly id: number;
  readonly counted_by: number;
  readonly organization_id: number;
  readonly counted_via: Hit['via'];
  readonly most: number;
  readonly use_is_stale: boolean;
  readonly hit_at: string | null;
}

/**
 * SQL of the tokens that let somebody in, with what each sees now. Of a token that a user made, the domains that are
 * granted to the organization still; where none is left there is no such token, for an empty list would let it see all
 * that its other list names.
 * @param condition on `report_tokens`.
 */
export const admittedTokens = (condition: string): string =>
  `SELECT id, user_id, seen AS domains, wholesalers, unrestricted, last_used_at FROM (
     SELECT report_tokens.*, CASE WHEN by_grant THEN ARRAY(
       SELECT own FROM unnest(domains) AS own WHERE EXISTS (
         SELECT 1 FROM revenue_domains JOIN users USING (organization_id)
         WHERE users.id = user_id AND (domain IN ('*', own) OR right(own, length(domain) + 1) = '.' || domain)
       )
     ) ELSE domains END AS seen
     FROM report_tokens WHERE revoked_at IS NULL AND ${condition}
   ) AS held WHERE NOT by_grant OR cardinality(seen) > 0`;

/** How exact the last use is: at most one write in this time. */
const USE_NOTED_SECONDS = 60;

/**
 * In one statement, so that a wrong or revoked token uses no allowance and a report waits once. The secret is
 * compared by its SHA-256, whose bytes a caller cannot choose: the comparison's time reveals nothing useful.
 * @returns null where there is no such token.
 */
export async function admitReportToken(
  sql: Sql,
  token: { readonly id: number; readonly secretHash: Buffer },
  most: ReportRates,
  passHash: Buffer | null = null,
): Promise<ReportAdmission | null> {
  const [row] = await sql.query<AdmissionRow>(
    `WITH caller AS MATERIALIZED (
       SELECT *, coalesce(last_used_at < now() - make_interval(secs => $3), true) AS use_is_stale
       FROM (${admittedTokens('id = $1 AND secret_hash = $2')}) AS admitted
     ), pass AS (
       DELETE FROM report_passes
       WHERE secret_hash = $6 AND made_at > now() - make_interval(secs => $7) AND EXISTS (SELECT FROM caller)
       RETURNING user_id
     ), counted AS MATERIALIZED (
       SELECT coalesce(pass.user_id, caller.user_id) AS counted_by,
         CASE WHEN pass.user_id IS NULL THEN $8 ELSE $9 END AS counted_via,
         CASE WHEN pass.user_id IS NULL THEN $4::integer ELSE $5::integer END AS most, users.organization_id
       FROM caller LEFT JOIN pass ON true JOIN users ON users.id = coalesce(pass.user_id, caller.user_id)
     )
     SELECT id, domains, wholesalers, unrestricted, use_is_stale, counted.*, allowed, remaining, wait_seconds, hit_at::text
     FROM caller, counted, take_hit(counted_by, counted_via, most)`,
    [
      ...[token.id, token.secretHash, USE_NOTED_SECONDS],
      ...[most.ofToken, most.onPage, passHash, PASS_SECONDS],
      ...(most.via ?? ['report', 'report-page']),
    ],
  );
  if (row === undefined) return null;
  const { id, domains, wholesalers, unrestricted, use_is_stale, counted_by: userId } = row;
  const counted = { userId, via: row.counted_via, most: row.most };
  const hit = row.hit_at === null ? null : { ...counted, at: row.hit_at };
  const scope = { domains, wholesalers, unrestricted };
  const ids = { id, userId, organizationId: row.organization_id };
  return { ...ids, most: row.most, ...scope, useIsStale: use_is_stale, hit, ...rateAnswerOf(row) };
}

/** Requests of one user in 60 seconds, over all processes. */
export interface ReportRates {
  /** Over all their tokens. */
  readonly ofToken: number;
  /** Asked on the dashboard, whoever's token it is. */
  readonly onPage: number;
  /** What the requests are counted as, with a token and on the dashboard; left out: as reports. */
  readonly via?: readonly [Hit['via'], Hit['via']];
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

/** @param email of the user; null: of all users. At most the newest `most`, in the order of their ids. */
export function listReportTokens(sql: Sql, email: string | null, most: number): Promise<ReportTokenListed[]> {
  return sql.query(
    `SELECT * FROM (
       SELECT report_tokens.id, report_tokens.name, email, organizations.name AS organization, domains, wholesalers,
         unrestricted, report_tokens.created_at, last_used_at, revoked_at
       FROM report_tokens JOIN users ON users.id = user_id JOIN organizations ON organizations.id = organization_id
       WHERE $1::text IS NULL OR ${hasAddress('email', '$1')}
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
