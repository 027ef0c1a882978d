import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { OrganizationId, UserId } from '../../engine/contract/ids.ts';
import type { Ability, Role } from './abilities.ts';
import { hashSecret, isSecretOf, parseBearer } from './token.ts';
import { findToken, noteTokenUse } from './token-store.ts';

/** Who calls a client route. */
export interface Caller {
  readonly tokenId: number;
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly role: Role;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on client routes before the handler runs. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** What the caller's token must hold. Every client route names one. */
    ability?: Ability;
  }
}

/** Compared with where no token was found, so that such an answer takes as long as any other 401. */
const nobody = hashSecret('');

/** Checks the token of every route registered in this scope; a route without an ability does not register. */
export function registerBearer(scope: FastifyInstance, database: Database): void {
  scope.decorateRequest('caller', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.ability === undefined) throw new Error(`${String(method)} ${url} names no ability`);
  });
  scope.addHook('onRequest', async (request, reply) => {
    const token = parseBearer(request.headers.authorization);
    const stored = token === null ? null : await findToken(database, token.id);
    const matches = isSecretOf(token?.secret ?? '', stored?.secretHash ?? nobody);
    if (token === null || stored === null || !matches) return sendUnauthenticated(reply);
    const { ability } = request.routeOptions.config;
    if (ability === undefined || !stored.abilities.includes(ability)) return sendLacks(reply, ability);
    if (stored.useIsStale) await noteTokenUse(database, stored.id);
    const { id: tokenId, userId, organizationId, role } = stored;
    request.caller = { tokenId, userId, organizationId, role };
  });
}

const sendUnauthenticated = (reply: FastifyReply): FastifyReply =>
  reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'Unauthenticated.' });

const sendLacks = (reply: FastifyReply, ability: Ability | undefined): FastifyReply =>
  reply.code(403).send({ message: `Token does not have the required ability: ${ability}` });

/** The caller of a client route. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.url} runs outside the client scope`);
  return request.caller;
}
