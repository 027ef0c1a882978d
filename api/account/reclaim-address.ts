import { hasAddress } from '../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { type OrganizationId, toId, type UserId } from '../../engine/contract/ids.ts';
import { commandActor, noteChange } from '../auth/audit.ts';
import { deleteFactor } from './log-in/second-factor/store.ts';
import { deleteUser } from './organization/users/store.ts';

/**
 * Whose an address is, its mailbox shows: whoever read a link there, or whom a provider knows that may vouch for it. An
 * account whose address nobody confirmed in this way may be a squatter's. So its first confirmation ends all that let
 * anybody into it before. Super-admins are spared: only another one makes them.
 */
export async function confirmAddress(sql: Sql, userId: UserId): Promise<'reclaimed' | 'kept'> {
  const [user] = await sql.query<{ role: string }>(
    `UPDATE users SET address_confirmed_at = now() WHERE id = $1 AND address_confirmed_at IS NULL RETURNING role`,
    [userId],
  );
  if (user === undefined || user.role === 'super-admin') return 'kept';
  await deleteFactor(sql, userId);
  await sql.query(
    `WITH sessions_gone AS (DELETE FROM sessions WHERE user_id = $1),
       identities_gone AS (DELETE FROM provider_identities WHERE user_id = $1),
       invitations_gone AS (DELETE FROM invitations WHERE user_id = $1 OR invited_by = $1),
       resets_gone AS (DELETE FROM password_resets WHERE user_id = $1),
       tokens_gone AS (UPDATE api_tokens SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL),
       reports_gone AS (UPDATE report_tokens SET revoked_at = now() WHERE user_id = $1 AND by_grant AND revoked_at IS NULL)
     UPDATE users SET password_hash = NULL WHERE id = $1`,
    [userId],
  );
  return 'reclaimed';
}

/** Removes another organization's account of the address that nobody confirmed: its owner is joining this one. */
export async function releaseAddress(sql: Sql, email: string, joining: OrganizationId): Promise<void> {
  const [user] = await sql.query<{ id: number; organization_id: number; role: string }>(
    `SELECT id, organization_id, role FROM users WHERE ${hasAddress('email', '$1')} AND organization_id <> $2
       AND address_confirmed_at IS NULL AND role <> 'super-admin' FOR UPDATE`,
    [email, joining],
  );
  if (user === undefined) return;
  const detail = { email, role: user.role, reason: 'address reclaimed' };
  const actor = commandActor(toId(user.organization_id));
  await noteChange(sql, actor, { action: 'user.removed', subjectId: user.id, detail });
  await deleteUser(sql, user.id);
}
