import type { Database } from '../engine/adapters/postgres/database.ts';
import { linkUrl } from './account/invitations/link.ts';
import { lockOrganizations } from './account/locks.ts';
import { inviteUserIn } from './cli/invite-user.ts';
import { findOrInsertOwner } from './cli/issue-token.ts';

export interface FirstAdmin {
  readonly email: string;
  readonly organization: string;
  /** Where a person sets the password of this super-admin; good once, for 7 days. */
  readonly passwordUrl: string;
}

const EMAIL = 'admin@localhost';
const ORGANIZATION = 'My organization';

/**
 * On the first start of all, a super-admin and the link with which a person becomes them; null on every later one.
 * One transaction: whoever is there can also log in. No token is made: what a terminal shows is kept in logs, and a
 * link is good once.
 * @param baseUrl how browsers reach this API.
 */
export function createFirstAdmin(database: Database, baseUrl: string): Promise<FirstAdmin | null> {
  return database.transaction(async (sql) => {
    await lockOrganizations(sql);
    const [user] = await sql.query(`SELECT 1 FROM users WHERE role = 'super-admin' LIMIT 1`);
    if (user !== undefined) return null;
    const owner = { email: EMAIL, organization: ORGANIZATION, role: 'super-admin' } as const;
    const made = await findOrInsertOwner(sql, owner, 'super-admin');
    if (made.kind === 'refused') throw cannotBeMade(made.reason);
    const invited = await inviteUserIn(sql, owner);
    if (invited.kind === 'refused') throw cannotBeMade(invited.reason);
    return { email: EMAIL, organization: ORGANIZATION, passwordUrl: linkUrl(baseUrl, invited.link) };
  });
}

const cannotBeMade = (reason: string): Error => new Error(`the first super-admin cannot be made: ${reason}`);
