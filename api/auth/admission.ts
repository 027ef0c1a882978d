import { type HitRow, rateAnswerOf } from '../../engine/adapters/postgres/rate-limit.ts';
import type { RateAnswer } from '../../engine/contract/concurrency/rate-limit.ts';
import { type AppId, toId } from '../../engine/contract/ids.ts';
import type { Role } from './abilities.ts';
import { baseOf, type GrantedRole, type Grants } from './app-roles.ts';
import type { Caller } from './caller.ts';

/** An authenticated caller, and the rate limit's answer to this request. */
export interface Admission extends RateAnswer {
  readonly caller: Caller;
  readonly abilities: readonly string[];
  /** Whether the use noted of the token or session is older than a minute. */
  readonly useIsStale: boolean;
  /** A session of a user whose organization requires a second factor, and who has none. */
  readonly lacksFactor: boolean;
}

/** How exact the last use of a token or session is: at most one write in this time. */
export const USE_NOTED_SECONDS = 60;

/** The result of the statements that admit: the columns of their `caller`, and of `take_hit`. */
export interface AdmissionRow extends HitRow {
  readonly token_id: number | null;
  readonly abilities: string[];
  readonly user_id: number;
  readonly organization_id: number;
  readonly role: Role;
  readonly app_ids: number[] | null;
  readonly grants: Readonly<Record<string, GrantedRole>>;
  readonly stale: boolean;
  readonly lacks_factor: boolean;
}

/** Of a user, as it counts today; and their grants, by the app's id. */
export const roleColumns = `coalesce(narrowed, role) AS role,
  (SELECT coalesce(json_object_agg(app_id, app_grants.role), '{}') FROM app_grants WHERE app_grants.user_id = users.id) AS grants`;

export function admissionOf(row: AdmissionRow, via: Caller['via']): Admission {
  const grants: Grants = new Map(Object.entries(row.grants).map(([id, role]) => [toId(Number(id)), role]));
  return {
    caller: {
      via,
      tokenId: row.token_id,
      userId: toId(row.user_id),
      organizationId: toId(row.organization_id),
      role: row.role,
      grants,
      apps: appsOf(row.role, grants, row.app_ids?.map(toId<AppId>) ?? null),
    },
    abilities: row.abilities,
    useIsStale: row.stale,
    lacksFactor: row.lacks_factor,
    ...rateAnswerOf(row),
  };
}

/** The token's limit holds for what its user sees, and never adds to it. */
function appsOf(role: Role, grants: Grants, limit: readonly AppId[] | null): readonly AppId[] | null {
  if (baseOf(role) !== null) return limit;
  return limit === null ? [...grants.keys()] : limit.filter((id) => grants.has(id));
}
