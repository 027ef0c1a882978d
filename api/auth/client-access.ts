import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Ability, type Role, rankOf } from './abilities.ts';
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
    const { ability, role = isExport(request) ? 'admin' : 'member' } = request.routeOptions.config;
    if (ability === undefined || !admission.abilities.includes(ability)) return sendLacks(reply, ability);
    // Of the person, as it is now, also where an older token of theirs holds the ability. Before anything is looked up.
    if (rankOf(admission.caller.role) < rankOf(role)) return sendTooLow(reply, role, admission.caller.role);
    request.caller = admission.caller;
  });
}

/**
 * The command line says what it reads for: carrying a whole list away is an admin's. Each page of it is anybody's with
 * the ability (specification, Subscriptions), so this keeps to their role those who go by it.
 */
const isExport = ({ headers }: FastifyRequest): boolean => headers['x-broadside-purpose'] === 'export';

const sendTooLow = (reply: FastifyReply, needed: Role, own: Role): FastifyReply =>
  reply.code(403).send({
    message: `This takes the role ${needed}, and yours is ${own}: ask an admin of your organization.`,
  });

const sendLacks = (reply: FastifyReply, ability: Ability | undefined): FastifyReply =>
  reply.code(403).send({ message: `Token does not have the required ability: ${ability}` });
