import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Ability, type Role, rankOf } from './abilities.ts';
import type { Authenticator } from './authenticate.ts';

/** Authenticates every route registered in this scope; a route without an ability does not register. */
export function registerClientAccess(scope: FastifyInstance, authenticator: Authenticator): void {
  scope.decorateRequest('caller', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.ability === undefined) throw new Error(`${String(method)} ${url} names no ability`);
  });
  scope.addHook('onRequest', async (request, reply) => {
    const admission = await authenticator.byTokenOrSession(request, reply);
    if (admission === null) return reply;
    const { ability, role = isExport(request) ? 'admin' : 'member' } = request.routeOptions.config;
    if (ability === undefined || !admission.abilities.includes(ability)) return sendLacks(reply, ability);
    // Of the person, as it is now, also where an older token of theirs holds the ability. Before anything is looked up.
    if (rankOf(admission.caller.role) < rankOf(role)) return sendTooLow(reply, role, admission.caller.role);
    if (admission.caller.apps !== null && !isForLimited(request)) return sendLimited(reply);
    request.caller = admission.caller;
  });
}

/** Every route below an app finds it among the token's; any other has to say that it knows of limits. */
const isForLimited = ({ routeOptions: { url, config } }: FastifyRequest): boolean =>
  isBelowApp(url) || config.showsOwnApps === true;

/** An app itself, or what is below one. */
export const isBelowApp = (url: string | undefined): boolean =>
  url !== undefined && /\/apps\/:identifier(\/|$)/.test(url);

/**
 * The command line states its purpose: exporting a whole list needs an admin. Each single page of it is open to
 * every caller with the ability (specification, Subscriptions), so this limits only clients that state it.
 */
const isExport = ({ headers }: FastifyRequest): boolean => headers['x-broadside-purpose'] === 'export';

const sendLimited = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({
    message: 'This concerns the whole organization, and the token is limited to some of its apps.',
  });

const sendTooLow = (reply: FastifyReply, needed: Role, own: Role): FastifyReply =>
  reply.code(403).send({
    message: `This takes the role ${needed}, and yours is ${own}: ask an admin of your organization.`,
  });

const sendLacks = (reply: FastifyReply, ability: Ability | undefined): FastifyReply =>
  reply.code(403).send({ message: `Token does not have the required ability: ${ability}` });
