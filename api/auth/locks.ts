import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { OrganizationId, UserId } from '../../engine/contract/ids.ts';

/**
 * Locks of account changes, each held until the transaction ends. Take them in this order, or two transactions
 * deadlock: users before their sessions, tokens and invitations.
 */

/** No user joins, leaves or changes role meanwhile, so that two changes at once cannot undo each other. */
export async function lockUsers(sql: Sql): Promise<void> {
  await sql.query(`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`);
}

/** Waits for a `lockUsers`, and keeps the next one out; many may hold it. */
export async function holdUsers(sql: Sql): Promise<void> {
  await sql.query(`LOCK TABLE users IN ROW EXCLUSIVE MODE`);
}

/** Two requests of one user at once must not both take the last free slot. */
export async function lockUser(sql: Sql, userId: UserId): Promise<void> {
  await sql.query(`SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE`, [userId]);
}

/** The same among an organization's invitations. */
export async function lockOrganization(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql.query(`SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [organizationId]);
}

/** No organization is created or renamed meanwhile: the command line identifies them by name. */
export async function lockOrganizations(sql: Sql): Promise<void> {
  await sql.query(`LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE`);
}
