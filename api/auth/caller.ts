import type { FastifyRequest } from 'fastify';
import type { AppId, OrganizationId, UserId } from '../../engine/contract/ids.ts';
import type { Ability, Role } from './abilities.ts';
import type { Grants } from './app-roles.ts';

/** The caller of a request: a user, by an API token or by the session of a browser. */
export interface Caller {
  readonly via: 'token' | 'session';
  /** Null for a session. */
  readonly tokenId: number | null;
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  /** As it is now, not as it was when the token was made or the session began. */
  readonly role: Role;
  /** As they are now: one that is withdrawn is gone at the next request. */
  readonly grants: Grants;
  /**
   * The apps that exist for the caller: those that the token is limited to, and for a guest those of their grants;
   * null: every app of the organization.
   */
  readonly apps: readonly AppId[] | null;
}

/** What decides which apps there are for a caller. */
export type AppsOf = Pick<Caller, 'organizationId' | 'apps'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on client and account routes before the handler runs. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The required ability. Every client route names one. */
    ability?: Ability;
    /** Of an app's routes the lowest role there, of others in the organization; left out: by the ability alone. */
    role?: 'approver' | 'admin';
    /** Open to users who have yet to set up the second factor that their organization requires. */
    withoutFactor?: true;
    /** Of a route that is not below an app: it shows only the apps that exist for the caller. */
    showsOwnApps?: true;
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.url} has no caller`);
  return request.caller;
}
