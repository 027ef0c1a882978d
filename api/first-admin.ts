import { formatToken } from '../engine/adapters/http/token.ts';
import type { Database } from '../engine/adapters/postgres/database.ts';
import { linkUrl } from './account/invitations/link.ts';
import { lockOrganizations } from './account/locks.ts';
import { abilities } from './auth/abilities.ts';
import { inviteUserIn } from './cli/invite-user.ts';
import { issueTokenIn } from './cli/issue-token.ts';

export interface FirstAdmin {
  readonly email: string;
  /** Shown now and never again. */
  readonly token: string;
  /** Where a person sets the password of this super-admin; good once, for 7 days. */
  readonly passwordUrl: string;
}

const EMAIL = 'admin@localhost';
const ORGANIZATION = 'My organization';

/**
 * On the first start of all, a super-admin with a token for everything; null on every later one. One
 * transaction: whoever is there can also log in.
 * @param baseUrl how browsers reach this API.
 */
export function createFirstAdmin(database: Database, baseUrl: string): Promise<FirstAdmin | null> {
  return database.transaction(async (sql) => {
    await lockOrganizations(sql);
    const [user] = await sql.query(`SELECT 1 FROM users WHERE role = 'super-admin' LIMIT 1`);
    if (user !== undefined) return null;
    const owner = { email: EMAIL, organization: ORGANIZATION, role: 'super-admin' } as const;
    const issued = await issueTokenIn(sql, { ...owner, name: 'first start', abilities });
    if (issued.kind === 'refused') throw cannotBeMade(issued.reason);
    const invited = await inviteUserIn(sql, owner);
    if (invited.kind === 'refused') throw cannotBeMade(invited.reason);
    return { email: EMAIL, token: formatToken(issued.token), passwordUrl: linkUrl(baseUrl, invited.link) };
  });
}

const cannotBeMade = (reason: string): Error => new Error(`the first super-admin cannot be made: ${reason}`);
