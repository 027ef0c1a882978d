import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Role, rankOf } from '../auth/abilities.ts';
import { type Authenticator, sendForged } from '../auth/authenticate.ts';
import { callerOf } from '../auth/caller.ts';
import { isCrossSite, isUnsafe } from '../auth/same-site.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access of an account route: `anybody`, or a logged-in user with at least this role. */
    access?: 'anybody' | Role;
  }
}

/** Authenticates every route registered in this scope; a route without an access does not register. */
export function registerAccountAccess(
  scope: FastifyInstance,
  authenticator: Authenticator,
  publicBaseUrl: string | null,
): void {
  scope.decorateRequest('caller', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} names no access`);
  });
  scope.addHook('onRequest', async (request, reply) => {
    // Secrets and names of people: no cache on the way may keep them.
    reply.header('cache-control', 'no-store');
    const { access } = request.routeOptions.config;
    if (access === undefined) throw new Error(`${request.url} names no access`);
    if (access !== 'anybody') return letIn(authenticator, access, request, reply);
    // A log-in that another site's page sends would leave the browser in that site's account.
    if (isUnsafe(request) && isCrossSite(request, publicBaseUrl)) return sendForged(reply);
  });
}

async function letIn(
  authenticator: Authenticator,
  access: Role,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const admission = await authenticator.bySession(request, reply);
  if (admission === null) return reply;
  request.caller = admission.caller;
  return rankOf(callerOf(request).role) < rankOf(access) ? sendForbidden(reply) : undefined;
}

export const sendForbidden = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({ message: 'Your role does not allow this.' });
