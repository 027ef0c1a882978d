import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { AppRole } from '../../../auth/app-roles.ts';
import { limitOf, mayBreak, readBreaking } from '../../../auth/breaking.ts';
import type { Refusal } from '../send-refusal.ts';

interface BreakingAsked {
  readonly organizationId: OrganizationId;
  /** On the app. */
  readonly role: AppRole;
  /** Null: now. */
  readonly scheduledAt: Date | null;
  /** It takes its place of the day when somebody approves it, and none before: what waits keeps nobody out. */
  readonly isHeld?: boolean;
  /** The operator's daily limit for each organization; null: no limit. */
  readonly perDay: number | null;
}

/**
 * Why a breaking delivery may not be created; null: it may. Under the organization's lock.
 *
 * The daily limit is a 422, not a 429: a client that waits as `Retry-After` says would send breaking news a day
 * late, while its author wants to send it now, in the other lane.
 */
export async function refuseBreaking(sql: Sql, asked: BreakingAsked): Promise<Refusal | null> {
  const state = await readBreaking(sql, asked.organizationId, asked.scheduledAt);
  if (!mayBreak(asked.role, state)) return { kind: 'forbidden', message: forbidden };
  const limit = limitOf(state, asked.perDay);
  if (asked.isHeld === true || limit === null || state.used < limit) return null;
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
    `The lane field cannot be breaking: ${who} ${most} a day, and the limit for ${day} (UTC) is reached. ` +
    `Leave it out or send it as bulk${mend}.`
  );
}
