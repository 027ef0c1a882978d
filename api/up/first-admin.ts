import type { Database } from '../../engine/adapters/postgres/database.ts';
import { hasAddress } from '../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { inviteUserIn } from '../account/organization/invitations/invite-from-command.ts';
import { linkUrl } from '../account/organization/invitations/link.ts';
import { findOrInsertOwner } from '../account/own/tokens/issue.ts';
import { lockOrganizations } from '../auth/locks.ts';

export interface FirstAdmin {
  readonly email: string;
  readonly organization: string;
  /** Where a person sets the password of this super-admin; good once, for 7 days. */
  readonly passwordUrl: string;
  /** False: made by an earlier start, whose link nobody used. */
  readonly isNew: boolean;
}

const EMAIL = 'admin@localhost';
const ORGANIZATION = 'My organization';

/**
 * On the very first start, a super-admin and the link with which a person becomes them; on a later one a new link,
 * as long as nobody used one: only its hash is kept, and the former one ends. Null once a person has chosen a
 * password, or where the operator made a super-admin of their own. One transaction: the user can also log in. No
 * token is made: terminal output is kept in logs, and a link works once.
 * @param baseUrl how browsers reach this API.
 */
export function createFirstAdmin(database: Database, baseUrl: string): Promise<FirstAdmin | null> {
  return database.transaction(async (sql) => {
    await lockOrganizations(sql);
    const admins = await listSuperAdmins(sql);
    if (admins.some((admin) => admin.isOther || admin.hasPassword)) return null;
    const owner = { email: EMAIL, organization: ORGANIZATION, role: 'super-admin' } as const;
    const made = await findOrInsertOwner(sql, owner, 'super-admin');
    if (made.kind === 'refused') throw cannotBeMade(made.reason);
    const invited = await inviteUserIn(sql, owner);
    if (invited.kind === 'refused') throw cannotBeMade(invited.reason);
    const passwordUrl = linkUrl(baseUrl, invited.link);
    return { email: EMAIL, organization: ORGANIZATION, passwordUrl, isNew: admins.length === 0 };
  });
}

const listSuperAdmins = (sql: Sql): Promise<{ isOther: boolean; hasPassword: boolean }[]> =>
  sql.query(
    `SELECT NOT ${hasAddress('email', '$1')} OR organizations.name <> $2 AS "isOther", password_hash IS NOT NULL AS "hasPassword"
     FROM users JOIN organizations ON organizations.id = organization_id WHERE role = 'super-admin'`,
    [EMAIL, ORGANIZATION],
  );

const cannotBeMade = (reason: string): Error => new Error(`the first super-admin cannot be made: ${reason}`);
