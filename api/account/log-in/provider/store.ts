import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId } from '../../../../engine/contract/ids.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import type { Provider } from './provider.ts';

export interface StoredProvider extends Provider {
  readonly id: number;
  readonly organizationId: OrganizationId;
  readonly enabled: boolean;
  readonly makesUsers: boolean;
}

interface ProviderRow {
  readonly id: number;
  readonly organization_id: number;
  readonly key: string;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret_sealed: Buffer;
  readonly enabled: boolean;
  readonly makes_users: boolean;
  readonly groups_claim: string;
  readonly admin_groups: string[];
  readonly member_groups: string[];
  readonly email_domains: string[];
}

const contextOf = (organizationId: number): string => `identity-provider of ${organizationId}`;

const columns = `id, organization_id, key, name, issuer, client_id, client_secret_sealed, enabled, makes_users,
  groups_claim, admin_groups, member_groups, array(SELECT domain FROM identity_provider_domains
    WHERE provider_id = identity_providers.id ORDER BY domain) AS email_domains`;

function providerOf(sealer: Sealer, row: ProviderRow | undefined): StoredProvider | null {
  if (row === undefined) return null;
  const organizationId = toId<OrganizationId>(row.organization_id);
  return {
    id: row.id,
    organizationId,
    key: row.key,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: sealer.open(row.client_secret_sealed, contextOf(organizationId)).toString(),
    enabled: row.enabled,
    makesUsers: row.makes_users,
    makesUsersIn: row.makes_users ? { id: organizationId } : null,
    emailDomains: row.email_domains,
    groups: { claim: row.groups_claim, admin: row.admin_groups, member: row.member_groups },
  };
}

/** Whether it is enabled or not. */
export async function findProviderOf(
  sql: Sql,
  sealer: Sealer,
  organizationId: OrganizationId,
): Promise<StoredProvider | null> {
  const [row] = await sql.query<ProviderRow>(
    `SELECT ${columns} FROM identity_providers WHERE organization_id = $1`,
    [organizationId],
  );
  return providerOf(sealer, row);
}

/** An enabled one. */
export async function findProviderById(sql: Sql, sealer: Sealer, id: number): Promise<StoredProvider | null> {
  const [row] = await sql.query<ProviderRow>(
    `SELECT ${columns} FROM identity_providers WHERE id = $1 AND enabled`,
    [id],
  );
  return providerOf(sealer, row);
}

export async function findProviderByKey(
  sql: Sql,
  sealer: Sealer,
  key: string,
): Promise<StoredProvider | null> {
  const [row] = await sql.query<ProviderRow>(
    `SELECT ${columns} FROM identity_providers WHERE key = $1 AND enabled`,
    [key],
  );
  return providerOf(sealer, row);
}

/** For the doctor. */
export async function listEnabledProviders(sql: Sql, sealer: Sealer, most: number): Promise<Provider[]> {
  const rows = await sql.query<ProviderRow>(
    `SELECT ${columns} FROM identity_providers WHERE enabled ORDER BY id LIMIT $1`,
    [most],
  );
  return rows.map((row) => providerOf(sealer, row)).filter((provider) => provider !== null);
}

/** For the log-in page: enabled ones, by the key of an organization's address or by an e-mail domain. */
export const listOffered = (
  sql: Sql,
  by: { readonly key: string; readonly domain: string },
): Promise<{ readonly key: string; readonly name: string; readonly organization: string }[]> =>
  sql.query(
    `SELECT key, identity_providers.name, organizations.name AS organization
     FROM identity_providers JOIN organizations ON organizations.id = organization_id
     WHERE enabled AND (key = $1 OR identity_providers.id IN (
       SELECT provider_id FROM identity_provider_domains WHERE domain = $2)) ORDER BY identity_providers.id`,
    [by.key, by.domain],
  );

export interface ProviderValues {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly enabled: boolean;
  readonly makesUsers: boolean;
  readonly groupsClaim: string;
  readonly adminGroups: readonly string[];
  readonly memberGroups: readonly string[];
}

/** Under the organization's lock. @returns its id. */
export async function writeProvider(
  sql: Sql,
  sealer: Sealer,
  organizationId: OrganizationId,
  values: ProviderValues,
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO identity_providers (organization_id, key, name, issuer, client_id, client_secret_sealed, enabled,
       makes_users, groups_claim, admin_groups, member_groups)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (organization_id) DO UPDATE SET name = excluded.name, issuer = excluded.issuer,
       client_id = excluded.client_id, client_secret_sealed = excluded.client_secret_sealed,
       enabled = excluded.enabled, makes_users = excluded.makes_users, groups_claim = excluded.groups_claim,
       admin_groups = excluded.admin_groups, member_groups = excluded.member_groups RETURNING id`,
    [
      organizationId,
      newSecret(),
      values.name,
      values.issuer,
      values.clientId,
      sealer.seal(values.clientSecret, contextOf(organizationId)),
      values.enabled,
      values.makesUsers,
      values.groupsClaim,
      values.adminGroups,
      values.memberGroups,
    ],
  );
  if (row === undefined) throw new Error('no provider was written');
  return row.id;
}

/** @returns false where one of them is another organization's. */
export async function writeDomains(
  sql: Sql,
  providerId: number,
  domains: readonly string[],
): Promise<boolean> {
  await sql.query(`DELETE FROM identity_provider_domains WHERE provider_id = $1 AND domain <> ALL ($2)`, [
    providerId,
    domains,
  ]);
  await sql.query(
    `INSERT INTO identity_provider_domains (domain, provider_id) SELECT unnest($2::text[]), $1
     ON CONFLICT (domain) DO NOTHING`,
    [providerId, domains],
  );
  const [row] = await sql.query<{ held: number }>(
    `SELECT count(*) AS held FROM identity_provider_domains WHERE provider_id = $1`,
    [providerId],
  );
  return row?.held === domains.length;
}

/** Sessions and log-ins that it began end with it. */
export async function endProviderSessions(sql: Sql, providerId: number): Promise<void> {
  await sql.query(
    `WITH sessions_gone AS (DELETE FROM sessions WHERE provider_id = $1),
       halves_gone AS (DELETE FROM half_log_ins WHERE provider_id = $1)
     DELETE FROM provider_log_ins WHERE provider_id = $1`,
    [providerId],
  );
}

/** Its people are other ones with another issuer or client. */
export async function forgetIdentities(sql: Sql, providerId: number): Promise<void> {
  await sql.query(`DELETE FROM provider_identities WHERE provider_id = $1`, [providerId]);
}

/** @returns its name; null where there is none. */
export async function deleteProvider(sql: Sql, organizationId: OrganizationId): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(
    `DELETE FROM identity_providers WHERE organization_id = $1 RETURNING name`,
    [organizationId],
  );
  return row?.name ?? null;
}

/** Still as a log-in found it, until the transaction ends; otherwise the log-in is over. */
export async function holdProvider(sql: Sql, provider: Provider): Promise<boolean> {
  if (provider.id === null) return true;
  const rows = await sql.query(
    `SELECT FROM identity_providers WHERE id = $1 AND enabled AND issuer = $2 AND client_id = $3 FOR SHARE`,
    [provider.id, provider.issuer, provider.clientId],
  );
  return rows.length === 1;
}
