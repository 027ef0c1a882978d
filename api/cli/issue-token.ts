import type { Database, Sql } from '../../engine/adapters/postgres/database.ts';
import { type OrganizationId, toId, type UserId } from '../../engine/contract/ids.ts';
import type { Ability, Role } from '../auth/abilities.ts';
import { commandActor, noteChange } from '../auth/audit.ts';
import type { RawToken } from '../auth/token.ts';
import { createToken } from '../auth/token-store.ts';
import { findOwner } from './owner.ts';

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

/** Creates what is missing and the token, in one transaction. */
export const issueToken = (database: Database, request: TokenRequest): Promise<TokenIssued> =>
  database.transaction((sql) => issueTokenIn(sql, request));

export async function issueTokenIn(sql: Sql, request: TokenRequest): Promise<TokenIssued> {
  const { name, abilities } = request;
  const owner = await findOwner(sql, request);
  if (owner.kind === 'refused') return owner;
  const { organizationId } = owner;
  const userId = owner.kind === 'user' ? owner.userId : await insertUser(sql, organizationId, request);
  const token = await createToken(sql, { userId, name, abilities });
  const detail = { user_id: userId, name, abilities };
  const change = { action: 'token.created', subjectId: token.id, detail } as const;
  await noteChange(sql, commandActor(organizationId), change);
  return { kind: 'issued', token, organizationId, userId };
}

async function insertUser(
  sql: Sql,
  organizationId: OrganizationId,
  { email, role }: TokenRequest,
): Promise<UserId> {
  const given = role ?? 'admin';
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role) VALUES ($1, $2, $3, $4) RETURNING id`,
    [organizationId, email, email.split('@')[0], given],
  );
  const userId = toId<UserId>(row?.id);
  const change = { action: 'user.created', subjectId: userId, detail: { email, role: given } } as const;
  await noteChange(sql, commandActor(organizationId), change);
  return userId;
}
