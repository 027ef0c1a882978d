import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import type { Site } from './site.ts';

/** Stands for every site that an app of the organization names. */
export const EVERY_SITE = '*';

/** Whether the operator has granted the organization the site, or a domain above it. */
export async function isGranted(sql: Sql, organizationId: OrganizationId, site: Site): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM revenue_domains WHERE organization_id = $1 AND domain = ANY($2) LIMIT 1`,
    [organizationId, [EVERY_SITE, site.name, ...site.parents]],
  );
  return rows.length === 1;
}

/** @returns false where it was granted before. */
export async function grantDomain(
  sql: Sql,
  organizationId: OrganizationId,
  domain: string,
): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO revenue_domains (organization_id, domain) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
    [organizationId, domain],
  );
  return rows.length === 1;
}

/** @returns false where it was not granted. */
export async function revokeDomain(
  sql: Sql,
  organizationId: OrganizationId,
  domain: string,
): Promise<boolean> {
  const rows = await sql.query(
    `DELETE FROM revenue_domains WHERE organization_id = $1 AND domain = $2 RETURNING 1`,
    [organizationId, domain],
  );
  return rows.length === 1;
}

interface GrantedDomain {
  readonly organization: string;
  readonly domain: string;
  readonly granted_at: Date;
}

/** More would be no list for people. */
const MAX_LISTED = 10_000;

/** @param organization null: of all. */
export const listGrantedDomains = (sql: Sql, organization: string | null): Promise<GrantedDomain[]> =>
  sql.query<GrantedDomain>(
    `SELECT name AS organization, domain, granted_at FROM revenue_domains
     JOIN organizations ON organizations.id = organization_id
     WHERE $1::text IS NULL OR name = $1 ORDER BY name, domain LIMIT ${MAX_LISTED}`,
    [organization],
  );
