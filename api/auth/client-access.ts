import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppId } from '../../engine/contract/ids.ts';
import type { Ability } from './abilities.ts';
import { type AppRole, abilitiesAs, appRankOf, baseOf, roleAt } from './app-roles.ts';
import type { Authenticator } from './authenticate.ts';
import { callerOf } from './caller.ts';

/** Authenticates every route registered in this scope; a route without an ability does not register. */
export function registerClientAccess(scope: FastifyInstance, authenticator: Authenticator): void {
  scope.decorateRequest('caller', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.ability === undefined) throw new Error(`${String(method)} ${url} names no ability`);
  });
  scope.addHook('onRequest', async (request, reply) => {
    const admission = await authenticator.byTokenOrSession(request, reply);
    if (admission === null) return reply;
    const { ability, showsOwnApps = false } = request.routeOptions.config;
    if (ability === undefined || !admission.abilities.includes(ability)) return sendLacks(reply, ability);
    request.caller = admission.caller;
    // Of a route below an app, its role there decides, once the app is found (own-app.ts).
    if (isBelowApp(request.routeOptions.url) || showsOwnApps) return;
    const why = whyNotAs(request, baseOf(admission.caller.role), 'in the organization');
    if (why !== null) return reply.code(403).send({ message: why });
    if (admission.caller.apps !== null) return sendLimited(reply);
  });
}

/** An app itself, or what is below one. */
export const isBelowApp = (url: string | undefined): boolean =>
  url !== undefined && /\/apps\/:identifier(\/|$)/.test(url);

/** A sentence for an app that the caller sees, where their role there does not allow this request; otherwise null. */
export const whyNotAt = (request: FastifyRequest, appId: AppId): string | null =>
  whyNotAs(request, roleAt(callerOf(request), appId), 'on this app');

/** Of the person, as it is now, also where an older token of theirs holds the ability. */
function whyNotAs({ routeOptions: { config }, headers }: FastifyRequest, own: AppRole | null, where: string) {
  const { ability, role = isExport(headers) ? 'admin' : undefined } = config;
  const ask = 'Ask an admin of your organization.';
  if (own === null) return `Requires ability ${ability} and a role ${where}; you have none. ${ask}`;
  if (ability === undefined || !abilitiesAs(own).includes(ability))
    return `Requires ability ${ability}; your role ${where} is ${own}, which does not have it. ${ask}`;
  return role !== undefined && appRankOf(own) < appRankOf(role)
    ? `Requires ability ${ability} and role ${role} ${where}; your role is ${own}. ${ask}`
    : null;
}

/**
 * The command line states its purpose: exporting a whole list needs an admin. Each single page of it is open to
 * every caller with the ability (specification, Subscriptions), so this limits only clients that state it.
 */
const isExport = (headers: FastifyRequest['headers']): boolean => headers['x-broadside-purpose'] === 'export';

const sendLimited = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({
    message: 'Requires a token for the whole organization; this token is limited to some of its apps.',
  });

const sendLacks = (reply: FastifyReply, ability: Ability | undefined): FastifyReply =>
  reply.code(403).send({ message: `Token does not have the required ability: ${ability}` });
