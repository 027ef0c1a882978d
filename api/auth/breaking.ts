import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { DeliveryId, OrganizationId } from '../../engine/contract/ids.ts';
import { type AppRole, appRankOf } from './app-roles.ts';

/**
 * An organization's use of the breaking lane: the lane goes before all others, so an organization can restrict
 * it to its admins and to a daily number, and the operator caps the number of each (BREAKING_PER_DAY).
 *
 * A use is a row, written in the transaction that creates the delivery, under the lock of the organization: two
 * creates at once, on any API processes, never both take the last one. A repeated request creates nothing and
 * uses nothing. A rehearsal in the lane counts like any other delivery.
 */
export const breakingRoles = ['member', 'admin'] as const;
export type BreakingRole = (typeof breakingRoles)[number];

export interface BreakingRules {
  /** The lowest role that may send breaking deliveries; API tokens have the role of their user. */
  readonly role: BreakingRole;
  /** By the organization; null: not limited. */
  readonly per_day: number | null;
}

export interface BreakingState extends BreakingRules {
  /** Of the day that was asked for. */
  readonly used: number;
}

/**
 * @param role on the app; without one, nobody may. `member` opens the lane to everybody who writes deliveries: what an
 * author writes waits all the same.
 */
export const mayBreak = (role: AppRole | null, rules: BreakingRules): boolean =>
  appRankOf(role) >= appRankOf(rules.role === 'admin' ? 'admin' : 'author');

/** The smaller of both; null: no limit. */
export function limitOf({ per_day: own }: BreakingRules, operators: number | null): number | null {
  if (own === null || operators === null) return own ?? operators;
  return Math.min(own, operators);
}

// $2 a time of the day, null: now.
const dayOf = `(coalesce($2::timestamptz, now()) AT TIME ZONE 'UTC')::date`;
const stateColumns = `breaking_role AS role, breaking_per_day AS per_day`;

/** @param at a time of the requested day, null: today; days are UTC. */
export async function readBreaking(
  sql: Sql,
  organizationId: OrganizationId,
  at: Date | null,
): Promise<BreakingState> {
  const [row] = await sql.query<BreakingState>(
    `SELECT ${stateColumns}, (
       SELECT count(*)::int FROM breaking_uses WHERE organization_id = $1 AND day = ${dayOf}
     ) AS used
     FROM organizations WHERE id = $1`,
    [organizationId, at],
  );
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  return row;
}

/**
 * Until the caller's transaction ends, no other request of the organization reads the remaining number, or
 * changes the rules.
 */
export async function lockBreaking(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql.query(`SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [organizationId]);
}

/** In the transaction that found, under the lock, that one is left. */
export async function useBreaking(
  sql: Sql,
  organizationId: OrganizationId,
  at: Date | null,
  deliveryId: DeliveryId,
): Promise<void> {
  await sql.query(`INSERT INTO breaking_uses (delivery_id, organization_id, day) VALUES ($3, $1, ${dayOf})`, [
    organizationId,
    at,
    deliveryId,
  ]);
}

/** A delivery that was cancelled before it started reached no one and does not count. */
export async function giveBreakingBack(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await sql.query(
    `DELETE FROM breaking_uses USING deliveries
     WHERE delivery_id = $1 AND deliveries.id = delivery_id AND started_at IS NULL`,
    [deliveryId],
  );
}

export async function writeBreakingRules(
  sql: Sql,
  organizationId: OrganizationId,
  rules: BreakingRules,
): Promise<void> {
  await sql.query(`UPDATE organizations SET breaking_role = $2, breaking_per_day = $3 WHERE id = $1`, [
    organizationId,
    rules.role,
    rules.per_day,
  ]);
}
