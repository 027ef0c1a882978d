import { ofAddress } from '../../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';
import type { Role } from '../../../auth/abilities.ts';
import type { Provider } from './provider.ts';

/** People type passwords and codes at the provider meanwhile. */
export const PROVIDER_LOG_IN_SECONDS = 600;
/** Open at a time, of everybody; the oldest gives way. */
const MOST_OPEN = 10_000;

export interface BegunLogIn {
  /** Null: the installation's. */
  readonly providerId: number | null;
  readonly issuer: string;
  /** The page to go on with. */
  readonly back: string;
}

/**
 * A log-in that went to an OpenID provider lives in `provider_log_ins`, for ten minutes; the browser that comes back takes
 * it. If its owner dies after that, the person logs in again.
 */
export async function insertProviderLogIn(sql: Sql, secret: string, begun: BegunLogIn): Promise<void> {
  await sql.query(
    `WITH gone AS (
       DELETE FROM provider_log_ins WHERE expires_at <= now() OR secret_hash IN (
         SELECT secret_hash FROM provider_log_ins ORDER BY expires_at DESC OFFSET ${MOST_OPEN - 1})
     )
     INSERT INTO provider_log_ins (secret_hash, provider_id, issuer, back, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => ${PROVIDER_LOG_IN_SECONDS}))`,
    [hashSecret(secret), begun.providerId, begun.issuer, begun.back],
  );
}

/** Once: of two that bring one code, one gets null. */
export async function takeProviderLogIn(sql: Sql, secret: string): Promise<BegunLogIn | null> {
  const [row] = await sql.query<{
    provider_id: number | null;
    issuer: string;
    back: string;
    lasts: boolean;
  }>(
    `DELETE FROM provider_log_ins WHERE secret_hash = $1
     RETURNING provider_id, issuer, back, expires_at > now() AS lasts`,
    [hashSecret(secret)],
  );
  return row === undefined || !row.lasts
    ? null
    : { providerId: row.provider_id, issuer: row.issuer, back: row.back };
}

export interface ProviderUser {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: Role;
  readonly passwordHash: string | null;
}

interface UserRow {
  readonly id: number;
  readonly organization_id: number;
  readonly email: string;
  readonly role: Role;
  readonly password_hash: string | null;
}

const columns = 'users.id, users.organization_id, users.email, users.role, users.password_hash';
const userOf = (row: UserRow | undefined): ProviderUser | null =>
  row === undefined
    ? null
    : {
        id: toId(row.id),
        organizationId: toId(row.organization_id),
        email: row.email,
        role: row.role,
        passwordHash: row.password_hash,
      };

export async function findByIdentity(
  sql: Sql,
  provider: Provider,
  subject: string,
): Promise<ProviderUser | null> {
  const [row] = await sql.query<UserRow>(
    `SELECT ${columns} FROM provider_identities JOIN users ON users.id = user_id
     WHERE provider_id IS NOT DISTINCT FROM $1 AND issuer = $2 AND subject = $3`,
    [provider.id, provider.issuer, subject],
  );
  return userOf(row);
}

export async function findByEmail(sql: Sql, email: string): Promise<ProviderUser | null> {
  const [row] = await sql.query<UserRow>(`SELECT ${columns} FROM users ${ofAddress('$1')}`, [email]);
  return userOf(row);
}

/** @returns false where the user is another person of this provider. */
export async function insertIdentity(
  sql: Sql,
  provider: Provider,
  userId: UserId,
  subject: string,
): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO provider_identities (user_id, provider_id, issuer, subject) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [userId, provider.id, provider.issuer, subject],
  );
  return rows.length === 1;
}

/** @returns how many there were. */
export async function deleteIdentitiesOf(sql: Sql, userId: UserId): Promise<number> {
  const rows = await sql.query(`DELETE FROM provider_identities WHERE user_id = $1 RETURNING id`, [userId]);
  return rows.length;
}

export async function insertProvided(
  sql: Sql,
  organizationId: OrganizationId,
  person: { readonly email: string; readonly name: string; readonly role: Role },
): Promise<ProviderUser | null> {
  const [row] = await sql.query<UserRow>(
    `INSERT INTO users (organization_id, email, name, role, address_confirmed_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [organizationId, person.email, person.name, person.role],
  );
  return userOf(row);
}

/** Whether the organization has an admin beside this user. */
export async function hasOtherAdmin(sql: Sql, user: ProviderUser): Promise<boolean> {
  const rows = await sql.query(
    `SELECT FROM users WHERE organization_id = $1 AND role <> 'member' AND id <> $2 LIMIT 1`,
    [user.organizationId, user.id],
  );
  return rows.length === 1;
}
