import { toId } from '../../engine/contract/ids.ts';
import type { Role } from './abilities.ts';
import type { Caller } from './caller.ts';

/** Somebody who is known, and what the rate limit says to this request. */
export interface Admission {
  readonly caller: Caller;
  readonly abilities: readonly string[];
  /** Whether the use noted of the token or session is older than a minute. */
  readonly useIsStale: boolean;
  readonly isWithinRate: boolean;
  /** How many more requests would be let in right now. */
  readonly remaining: number;
  /** Seconds until the next request is let in; 0 where it would be now. */
  readonly waitSeconds: number;
}

/** How exact the last use of a token or session is: at most one write in this time. */
export const USE_NOTED_SECONDS = 60;

/** What the statements that admit answer: the columns of their `caller`, and of `take_hit`. */
export interface AdmissionRow {
  readonly token_id: number | null;
  readonly abilities: string[];
  readonly user_id: number;
  readonly organization_id: number;
  readonly role: Role;
  readonly stale: boolean;
  readonly allowed: boolean;
  readonly remaining: number;
  readonly wait_seconds: number | null;
}

export const admissionOf = (row: AdmissionRow, via: Caller['via']): Admission => ({
  caller: {
    via,
    tokenId: row.token_id,
    userId: toId(row.user_id),
    organizationId: toId(row.organization_id),
    role: row.role,
  },
  abilities: row.abilities,
  useIsStale: row.stale,
  isWithinRate: row.allowed,
  remaining: row.remaining,
  waitSeconds: row.wait_seconds ?? 0,
});
