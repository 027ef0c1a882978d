import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../../../engine/contract/ids.ts';
import type { RawToken } from '../../../../engine/kit/http/token.ts';
import type { Ability, Role } from '../../../auth/abilities.ts';
import { noteOnAbilities } from '../../../auth/app-roles.ts';
import { commandActor, noteChange } from '../../../auth/audit.ts';
import { readGrants, storedRole } from '../../../auth/grant-store.ts';
import { createToken } from '../../../auth/token-store.ts';
import { timestamp } from '../../../http/fields.ts';
import {
  findOwner,
  type OwnerFound,
  type OwnerWanted,
} from '../../organization/organizations/owner-by-name.ts';
import { findAppIds } from './store.ts';

export interface TokenRequest {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** Null: admin for a new user, any for one that exists. */
  readonly role: Role | null;
  /** Left out: it does not end by itself. */
  readonly expiresAt?: Date | null;
  /** Identifiers; left out: every app of the organization. */
  readonly apps?: readonly string[] | null;
  /** Left out: any. */
  readonly addresses?: readonly string[] | null;
}

export type TokenIssued =
  | {
      readonly kind: 'issued';
      readonly token: RawToken;
      readonly organizationId: OrganizationId;
      readonly userId: UserId;
      /** For people: abilities that count nowhere; null: none. */
      readonly note: string | null;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Creates missing rows and the token, in one transaction. */
export const issueToken = (database: Database, request: TokenRequest): Promise<TokenIssued> =>
  database.transaction((sql) => issueTokenIn(sql, request));

async function issueTokenIn(sql: Sql, request: TokenRequest): Promise<TokenIssued> {
  const { name, abilities, expiresAt = null, apps = null, addresses = null } = request;
  const owner = await findOrInsertOwner(sql, request, 'admin');
  if (owner.kind === 'refused') return owner;
  const { organizationId, userId } = owner;
  const appIds = apps === null ? null : await findAppIds(sql, { organizationId, apps: null }, apps);
  if (apps !== null && appIds === null) {
    return { kind: 'refused', reason: `"${request.organization}" has no app of one of these identifiers` };
  }
  const token = await createToken(sql, { userId, name, abilities, expiresAt, appIds, addresses });
  const ends = expiresAt === null ? {} : { expires_at: timestamp(expiresAt) };
  const limits = { ...(apps === null ? {} : { apps }), ...(addresses === null ? {} : { addresses }) };
  const detail = { user_id: userId, name, abilities, ...limits, ...ends };
  const change = { action: 'token.created', subjectId: token.id, detail } as const;
  await noteChange(sql, commandActor(organizationId), change);
  const grants = await readGrants(sql, userId);
  const note = noteOnAbilities({ role: owner.role, grants }, abilities, appIds);
  return { kind: 'issued', token, organizationId, userId, note };
}

/** @param newRole the role of a new user, where the request names none. */
export async function findOrInsertOwner(
  sql: Sql,
  wanted: OwnerWanted,
  newRole: Role,
): Promise<Exclude<OwnerFound, { kind: 'none' }>> {
  const owner = await findOwner(sql, wanted);
  if (owner.kind !== 'none') return owner;
  const { organizationId } = owner;
  const role = wanted.role ?? newRole;
  return {
    kind: 'user',
    organizationId,
    role,
    userId: await insertUser(sql, organizationId, wanted.email, role),
  };
}

async function insertUser(
  sql: Sql,
  organizationId: OrganizationId,
  email: string,
  role: Role,
): Promise<UserId> {
  const stored = storedRole(role);
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role, narrowed) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [organizationId, email, email.split('@')[0], stored.role, stored.narrowed],
  );
  const userId = toId<UserId>(row?.id);
  const change = { action: 'user.created', subjectId: userId, detail: { email, role } } as const;
  await noteChange(sql, commandActor(organizationId), change);
  return userId;
}
