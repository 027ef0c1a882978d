import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import type { Role } from '../../auth/abilities.ts';
import { limitOf, mayBreak, readBreaking } from '../../auth/breaking.ts';

export type BreakingRefused =
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export interface BreakingAsked {
  readonly organizationId: OrganizationId;
  readonly role: Role;
  /** Null: now. */
  readonly scheduledAt: Date | null;
  /** What the operator allows each organization a day; null: no limit. */
  readonly perDay: number | null;
}

/**
 * Why a breaking delivery may not be created; null: it may. Under the organization's lock.
 *
 * The daily limit is a 422, not a 429: a client that waits as `Retry-After` says would send breaking news a day
 * late, where sending it in the other lane is what its author wants now.
 */
export async function refuseBreaking(sql: Sql, asked: BreakingAsked): Promise<BreakingRefused | null> {
  const state = await readBreaking(sql, asked.organizationId, asked.scheduledAt);
  if (!mayBreak(asked.role, state)) return { kind: 'forbidden', message: forbidden };
  const limit = limitOf(state, asked.perDay);
  if (limit === null || state.used < limit) return null;
  return { kind: 'refused', errors: { lane: [usedUp(limit, asked)] } };
}

const forbidden =
  'Your organization lets only admins send breaking deliveries. Leave out lane or send it as bulk, use a token of ' +
  'an admin, or ask an admin to change it under Settings, Team.';

function usedUp(limit: number, { scheduledAt, perDay }: BreakingAsked): string {
  const day = (scheduledAt ?? new Date()).toISOString().slice(0, 10);
  const who = perDay === limit ? 'the operator allows each organization' : 'your organization allows';
  const mend = perDay === limit ? '' : ', or ask an admin to allow more under Settings, Team';
  const most = limit === 1 ? '1 breaking delivery' : `${limit} breaking deliveries`;
  return (
    `The lane field cannot be breaking: ${who} ${most} a day, and none is left for ${day} (UTC). ` +
    `Leave it out or send it as bulk${mend}.`
  );
}
