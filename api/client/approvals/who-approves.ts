import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, OrganizationId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { roles } from '../../auth/abilities.ts';
import { appRankOf, baseOf, grantedRoles } from '../../auth/app-roles.ts';

const approves = (role: Parameters<typeof appRankOf>[0]): boolean => appRankOf(role) >= appRankOf('approver');
const approvingRoles = roles.filter((role) => approves(baseOf(role)));
const approvingGrants = grantedRoles.filter(approves);

/** @param appId null: of an app that is still to be made. @returns how many people may approve there. */
async function countApprovers(
  sql: Sql,
  organizationId: OrganizationId,
  appId: AppId | null,
): Promise<number> {
  const [row] = await sql.query<{ people: number }>(
    `SELECT count(*)::int AS people FROM users WHERE organization_id = $1
       AND (coalesce(narrowed, role) = ANY($3) OR EXISTS (
         SELECT FROM app_grants WHERE user_id = users.id AND app_id = $2 AND app_grants.role = ANY($4)))`,
    [organizationId, appId, approvingRoles, approvingGrants],
  );
  return row?.people ?? 0;
}

/** Whoever writes cannot approve: with one approver, what that person writes would wait for ever. */
export async function whyNobodyApproves(
  sql: Sql,
  organizationId: OrganizationId,
  appId: AppId | null,
): Promise<FieldErrors | null> {
  if ((await countApprovers(sql, organizationId, appId)) > 1) return null;
  return {
    approval: [
      'The approval field needs two people who may approve on this app, for nobody approves what they wrote. Invite an approver or a member first, or set it to none.',
    ],
  };
}

/**
 * Why this author cannot approve it. Where everybody else who might has left, an admin can still switch approvals off:
 * the last admin of an organization cannot leave.
 */
export async function whyNotByThemselves(
  sql: Sql,
  { organizationId, id }: { readonly organizationId: OrganizationId; readonly id: AppId },
  what: string,
): Promise<string> {
  if ((await countApprovers(sql, organizationId, id)) > 1) return `${what}.`;
  return `${what}, and nobody else may approve on this app any more: invite an approver, or have an admin set the app’s approval to none.`;
}
