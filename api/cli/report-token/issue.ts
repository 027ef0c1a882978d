import type { Database } from '../../../engine/adapters/postgres/database.ts';
import {
  insertReportToken,
  type ReportScope,
  revokeReportToken,
} from '../../../engine/adapters/postgres/report-tokens.ts';
import { toId } from '../../../engine/contract/ids.ts';
import { hashSecret, newSecret, type RawToken } from '../../../engine/kit/http/token.ts';
import { findOrInsertOwner } from '../../account/own/tokens/issue.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';

export interface ReportTokenRequest {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
  readonly scope: ReportScope;
}

export type ReportTokenIssued =
  | { readonly kind: 'issued'; readonly token: RawToken; readonly userId: number }
  | { readonly kind: 'refused'; readonly reason: string };

/** Creates the user where they are missing, and the token, in one transaction. The secret's only copy is returned. */
export const issueReportToken = (
  database: Database,
  { email, organization, name, scope }: ReportTokenRequest,
): Promise<ReportTokenIssued> =>
  database.transaction(async (sql) => {
    // A user who only reads reports needs nothing of the API: a new user is a member.
    const owner = await findOrInsertOwner(sql, { email, organization, role: null }, 'member');
    if (owner.kind === 'refused') return owner;
    const { organizationId, userId } = owner;
    const secret = newSecret();
    const id = await insertReportToken(sql, { ...scope, userId, name, secretHash: hashSecret(secret) });
    await noteChange(sql, commandActor(organizationId), {
      action: 'report-token.issued',
      subjectId: id,
      detail: { user_id: userId, name, ...shortened(scope) },
    });
    return { kind: 'issued', token: { id, secret }, userId };
  });

const NOTED = 20;

/** The log keeps the essentials; the token's own row has the rest. */
const shortened = ({ domains, wholesalers, unrestricted }: ReportScope) => ({
  domains: domains.slice(0, NOTED),
  domain_count: domains.length,
  wholesalers: wholesalers.slice(0, NOTED),
  wholesaler_count: wholesalers.length,
  unrestricted,
});

/** @returns null where there is no such token; false where it had been revoked before. */
export const revokeAndNote = (database: Database, id: number): Promise<boolean | null> =>
  database.transaction(async (sql) => {
    const revoked = await revokeReportToken(sql, id);
    if (revoked === null || !revoked.now) return revoked?.now ?? null;
    await noteChange(sql, commandActor(toId(revoked.organizationId)), {
      action: 'report-token.revoked',
      subjectId: id,
    });
    return true;
  });
