import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId, UserId } from '../../../../engine/contract/ids.ts';
import { EVERY_SITE } from '../../../shared/revenue/revenue-domains.ts';
import { siteOf } from '../../../shared/revenue/site.ts';

export interface ListedReportToken {
  readonly id: number;
  readonly name: string;
  readonly domains: string[];
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const MOST_LISTED = 1_000;

/**
 * What the operator has granted to the organization: domains by their names, and the sites of its apps that lie below
 * one or are granted by `*`.
 */
export async function reportDomains(sql: Sql, organizationId: OrganizationId): Promise<string[]> {
  const rows = await sql.query<{ domain: string }>(
    `SELECT domain FROM revenue_domains WHERE organization_id = $1 LIMIT ${MOST_LISTED}`,
    [organizationId],
  );
  const granted = new Set(rows.map(({ domain }) => domain));
  if (granted.size === 0) return [];
  const apps = await sql.query<{ site_domain: string }>(
    `SELECT DISTINCT site_domain FROM apps WHERE organization_id = $1 AND deleted_at IS NULL LIMIT ${MOST_LISTED}`,
    [organizationId],
  );
  const sites = apps
    .map(({ site_domain }) => siteOf(site_domain))
    .filter(({ name, parents }) => [EVERY_SITE, name, ...parents].some((each) => granted.has(each)))
    .map(({ name }) => name);
  granted.delete(EVERY_SITE);
  return [...new Set([...granted, ...sites])].filter((name) => name !== '').toSorted();
}

/** Those of the user that were made here. */
export const listOwnReportTokens = (sql: Sql, userId: UserId): Promise<ListedReportToken[]> =>
  sql.query<ListedReportToken>(
    `SELECT id, name, domains, created_at, last_used_at FROM report_tokens
     WHERE user_id = $1 AND by_grant AND revoked_at IS NULL ORDER BY id DESC LIMIT ${MOST_LISTED}`,
    [userId],
  );

/** @returns the token as it is listed. */
export async function insertGrantedToken(
  sql: Sql,
  token: {
    readonly userId: UserId;
    readonly name: string;
    readonly domains: readonly string[];
    readonly secretHash: Buffer;
  },
): Promise<ListedReportToken> {
  const [row] = await sql.query<ListedReportToken>(
    `INSERT INTO report_tokens (user_id, name, secret_hash, domains, by_grant) VALUES ($1, $2, $3, $4, true)
     RETURNING id, name, domains, created_at, last_used_at`,
    [token.userId, token.name, token.secretHash, token.domains],
  );
  if (row === undefined) throw new Error('no report token was inserted');
  return row;
}

/** Of the user's own that were made here, by its id or its name. @returns those that ended now. */
export const revokeOwnReportTokens = (
  sql: Sql,
  userId: UserId,
  which: { readonly id: number | null; readonly name: string | null },
): Promise<{ id: number; name: string }[]> =>
  sql.query<{ id: number; name: string }>(
    `UPDATE report_tokens SET revoked_at = now()
     WHERE user_id = $1 AND by_grant AND revoked_at IS NULL AND (id = $2 OR name = $3) RETURNING id, name`,
    [userId, which.id, which.name],
  );

export async function revokeAllReportTokens(sql: Sql, userId: UserId): Promise<void> {
  await sql.query(
    `UPDATE report_tokens SET revoked_at = now() WHERE user_id = $1 AND by_grant AND revoked_at IS NULL`,
    [userId],
  );
}

export async function countReportTokens(sql: Sql, userId: UserId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM report_tokens WHERE user_id = $1 AND by_grant AND revoked_at IS NULL`,
    [userId],
  );
  return row?.total ?? 0;
}
