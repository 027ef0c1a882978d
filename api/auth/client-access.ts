import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Ability } from './abilities.ts';
import type { Gate } from './gate.ts';

/** Checks who calls every route registered in this scope; a route without an ability does not register. */
export function registerClientAccess(scope: FastifyInstance, gate: Gate): void {
  scope.decorateRequest('caller', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.ability === undefined) throw new Error(`${String(method)} ${url} names no ability`);
  });
  scope.addHook('onRequest', async (request, reply) => {
    const admission = await gate.byTokenOrSession(request, reply);
    if (admission === null) return reply;
    const { ability } = request.routeOptions.config;
    if (ability === undefined || !admission.abilities.includes(ability)) return sendLacks(reply, ability);
    request.caller = admission.caller;
  });
}

const sendLacks = (reply: FastifyReply, ability: Ability | undefined): FastifyReply =>
  reply.code(403).send({ message: `Token does not have the required ability: ${ability}` });
