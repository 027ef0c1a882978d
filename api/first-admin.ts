import type { Database } from '../engine/adapters/postgres/database.ts';
import { abilities } from './auth/abilities.ts';
import { formatToken } from './auth/token.ts';
import { issueToken } from './cli/issue-token.ts';

export interface FirstAdmin {
  readonly email: string;
  /** Shown now and never again. */
  readonly token: string;
}

const EMAIL = 'admin@localhost';
const ORGANIZATION = 'My organization';

/** On the first start of all, a super-admin with a token for everything; null on every later one. */
export async function createFirstAdmin(database: Database): Promise<FirstAdmin | null> {
  const [user] = await database.query(`SELECT 1 FROM users WHERE role = 'super-admin' LIMIT 1`);
  if (user !== undefined) return null;
  const issued = await issueToken(database, {
    email: EMAIL,
    organization: ORGANIZATION,
    name: 'first start',
    abilities,
    role: 'super-admin',
  });
  if (issued.kind === 'refused') throw new Error(`the first super-admin cannot be made: ${issued.reason}`);
  return { email: EMAIL, token: formatToken(issued.token) };
}
