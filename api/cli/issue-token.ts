import type { Database, Sql } from '../../engine/adapters/postgres/database.ts';
import { type OrganizationId, toId, type UserId } from '../../engine/contract/ids.ts';
import type { Ability, Role } from '../auth/abilities.ts';
import type { RawToken } from '../auth/token.ts';
import { createToken } from '../auth/token-store.ts';

export interface TokenRequest {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** Null: admin for a new user, any for one that exists. */
  readonly role: Role | null;
}

export type TokenIssued =
  | {
      readonly kind: 'issued';
      readonly token: RawToken;
      readonly organizationId: OrganizationId;
      readonly userId: UserId;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Creates what is missing and the token, in one transaction: two at once make one organization. */
export function issueToken(database: Database, request: TokenRequest): Promise<TokenIssued> {
  return database.transaction(async (sql) => {
    await sql.query(`LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE`);
    const user = await findUser(sql, request.email);
    const mismatch = user === null ? null : mismatchOf(user, request);
    if (mismatch !== null) return { kind: 'refused', reason: mismatch };
    const owner = user ?? (await insertUser(sql, request));
    const token = await createToken(sql, {
      userId: owner.userId,
      name: request.name,
      abilities: request.abilities,
    });
    return { kind: 'issued', token, organizationId: owner.organizationId, userId: owner.userId };
  });
}

interface Owner {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
}

interface FoundUser extends Owner {
  readonly organization: string;
  readonly role: Role;
}

async function findUser(sql: Sql, email: string): Promise<FoundUser | null> {
  const [row] = await sql.query<{ id: number; organization_id: number; organization: string; role: Role }>(
    `SELECT users.id, organization_id, organizations.name AS organization, role
     FROM users JOIN organizations ON organizations.id = organization_id WHERE lower(email) = lower($1)`,
    [email],
  );
  if (row === undefined) return null;
  const { organization, role } = row;
  return { userId: toId(row.id), organizationId: toId(row.organization_id), organization, role };
}

/** A user is in one organization and has one role: the command does not move or promote anybody. */
function mismatchOf(user: FoundUser, request: TokenRequest): string | null {
  if (user.organization !== request.organization) {
    return `${request.email} belongs to the organization "${user.organization}", not "${request.organization}"`;
  }
  if (request.role !== null && user.role !== request.role) {
    return `${request.email} exists with the role ${user.role}, not ${request.role}`;
  }
  return null;
}

async function insertUser(sql: Sql, { email, organization, role }: TokenRequest): Promise<Owner> {
  const organizationId = await findOrInsertOrganization(sql, organization);
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role) VALUES ($1, $2, $3, $4) RETURNING id`,
    [organizationId, email, email.split('@')[0], role ?? 'admin'],
  );
  return { userId: toId(row?.id), organizationId };
}

async function findOrInsertOrganization(sql: Sql, name: string): Promise<OrganizationId> {
  const [found] = await sql.query<{ id: number }>(
    `SELECT id FROM organizations WHERE name = $1 ORDER BY id LIMIT 1`,
    [name],
  );
  if (found !== undefined) return toId(found.id);
  const [row] = await sql.query<{ id: number }>(`INSERT INTO organizations (name) VALUES ($1) RETURNING id`, [
    name,
  ]);
  return toId(row?.id);
}
