import type { Sql } from '../../engine/adapters/postgres/database.ts';
import type { OrganizationId, UserId } from '../../engine/contract/ids.ts';

/**
 * Locks of account changes, each held until the transaction ends. Whoever takes one takes it first: users
 * before their sessions, tokens and invitations, or two transactions wait for each other.
 */

/** Nobody joins, goes or changes role, so that two at once cannot undo each other. */
export async function lockUsers(sql: Sql): Promise<void> {
  await sql.query(`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`);
}

/** Waits for a `lockUsers`, and keeps the next one out; many may hold it. */
export async function holdUsers(sql: Sql): Promise<void> {
  await sql.query(`LOCK TABLE users IN ROW EXCLUSIVE MODE`);
}

/** Two requests of one user at once must not both take the last free place. */
export async function lockUser(sql: Sql, userId: UserId): Promise<void> {
  await sql.query(`SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE`, [userId]);
}

/** The same among an organization's invitations. */
export async function lockOrganization(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql.query(`SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [organizationId]);
}

/** No organization is made or renamed: names tell them apart on the command line. */
export async function lockOrganizations(sql: Sql): Promise<void> {
  await sql.query(`LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE`);
}
