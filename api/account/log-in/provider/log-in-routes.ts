import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createFairQueue } from '../../../../engine/contract/concurrency/fair-queue.ts';
import { type OrganizationId, toId } from '../../../../engine/contract/ids.ts';
import { addressKey } from '../../../../engine/kit/http/attempt-limit.ts';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { problemSchema, sendNotFound, sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { placeOf } from '../../../auth/session-place.ts';
import { endSession } from '../../../auth/session-store.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { createAddressLimit } from '../../address-limit.ts';
import { accountAnswers, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { HALF_SECONDS } from '../second-factor/store.ts';
import { beginProviderLogIn } from './begin-log-in.ts';
import { completeProviderLogIn, type ProviderEnding } from './complete-log-in.ts';
import { PROVIDER_LOG_IN_SECONDS } from './log-in-store.ts';
import { domainOf } from './provider.ts';
import { shownName } from './provider-name.ts';
import { offeredBody, offeredSchema, startBody, startSchema } from './schema.ts';
import { listOffered } from './store.ts';
import { baseOf, logInPageOf, redirectUriOf } from './uris.ts';

/** Log-ins that wait for a provider: one that is slow does not keep the others'. */
const inFlightOptions = { permits: 64, perOwner: 16 };

/** Log-in by an OpenID provider: which are offered, the way there, and the way back. */
export function providerLogInRoutes(scope: Scope, parts: AccountParts): void {
  const limit = createAddressLimit();
  offerRoute(scope, parts, limit);
  startRoute(scope, parts, limit);
  callbackRoutes(scope, parts);
}

type Limit = ReturnType<typeof createAddressLimit>;

function offerRoute(scope: Scope, { database, installation }: AccountParts, limit: Limit): void {
  scope.post(
    '/log-in/providers',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'List the providers that a log-in page offers',
        operationId: 'listOfferedProviders',
        description:
          'That of the installation, and one by the domain of an e-mail address or by the organization’s log-in address. Each says whose provider it is. An unknown domain and an unknown address are answered alike, with the rest of the list.',
        body: offeredBody,
        response: accountAnswers({ 200: dataOf(Type.Array(offeredSchema)) }),
      },
    },
    async (request, reply) => {
      const waitSeconds = limit.take(addressKey(request.ip));
      if (waitSeconds > 0) return sendTooMany(reply, waitSeconds);
      const { organization = '', email = '' } = request.body;
      const own = await listOffered(database, { key: organization, domain: domainOf(email) });
      const shown = own.map((provider) => ({ ...provider, name: shownName(provider, installation) }));
      const all =
        installation === null
          ? shown
          : [...shown, { key: installation.key, name: installation.name, organization: null }];
      return { data: all };
    },
  );
}

function startRoute(scope: Scope, parts: AccountParts, limit: Limit): void {
  const inFlight = createFairQueue(inFlightOptions);
  scope.post(
    '/log-in/provider',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Begin a log-in by a provider',
        operationId: 'beginProviderLogIn',
        description:
          'Sets a cookie for 10 minutes, within which the browser comes back from the provider. 404: there is no such provider, or it is switched off. 502: it does not answer, or its answer is wrong.',
        body: startBody,
        response: accountAnswers({ 200: dataOf(startSchema), 404: problemSchema, 502: problemSchema }),
      },
    },
    async (request, reply) => {
      const waitSeconds = limit.take(addressKey(request.ip));
      if (waitSeconds > 0) return sendTooMany(reply, waitSeconds);
      const { key, back = '/' } = request.body;
      const release = inFlight.tryAcquire(key);
      if (typeof release === 'string') return sendUnavailable(reply);
      const started = await beginProviderLogIn(parts, {
        key,
        back,
        redirectUriOf: ({ organizationId }) => redirectUriOf(request, parts.publicBaseUrl, organizationId),
      }).finally(release);
      if (started.kind === 'unknown') return sendNotFound(reply);
      if (started.kind !== 'to') {
        request.log.warn({ provider: key, reason: started.reason }, 'an OpenID provider does not answer');
        return reply.code(502).send({
          message: 'The provider does not answer. Try again later, or log in with your password.',
        });
      }
      parts.providerCookie.write(request, reply, started.secret, PROVIDER_LOG_IN_SECONDS);
      return { data: { url: started.url } };
    },
  );
}

/** The browser comes from another site, without the session's cookie: that is a strict one. */
function callbackRoutes(scope: Scope, parts: AccountParts): void {
  const { providerCookie, devices, publicBaseUrl } = parts;
  const options = { config: { access: 'anybody' }, schema: { hide: true } } as const;
  scope.get('/log-in/callback', options, (request, reply) => comeBack(request, reply, null));
  scope.get<{ Params: { organization_id: string } }>(
    '/log-in/organizations/:organization_id/callback',
    options,
    (request, reply) => {
      const id = parsePathId(request.params.organization_id);
      return id === null ? sendNotFound(reply) : comeBack(request, reply, toId(id));
    },
  );

  async function comeBack(
    request: FastifyRequest,
    reply: FastifyReply,
    whose: OrganizationId | null,
  ): Promise<FastifyReply> {
    const { search } = new URL(request.url, 'http://callback.invalid');
    const ending = await completeProviderLogIn(parts, {
      secret: providerCookie.read(request) ?? '',
      whose,
      url: new URL(search, redirectUriOf(request, publicBaseUrl, whose)),
      devices: devices.read(request),
      place: placeOf(request),
      requestId: request.id,
    });
    providerCookie.write(request, reply, '', 0);
    return go(parts, request, reply, ending);
  }
}

async function go(
  { database, cookie, halfCookie, devices, publicBaseUrl }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  ending: ProviderEnding,
): Promise<FastifyReply> {
  const page = (search: Readonly<Record<string, string>>): string =>
    `${logInPageOf(request, publicBaseUrl)}?${new URLSearchParams(search)}`;
  switch (ending.kind) {
    case 'failed':
      if (ending.reason !== null)
        request.log.warn({ why: ending.why, reason: ending.reason }, 'a log-in by a provider failed');
      return reply.redirect(page({ problem: ending.why }), 303);
    case 'half':
      halfCookie.write(request, reply, ending.secret, HALF_SECONDS);
      return reply.redirect(page({ step: 'code', back: ending.back }), 303);
    case 'in': {
      const replaced = cookie.read(request);
      if (replaced !== null) await endSession(database, replaced);
      cookie.write(request, reply, ending.secret);
      devices.write(request, reply, { id: ending.userId, passwordHash: ending.passwordHash });
      return reply.redirect(`${baseOf(request, publicBaseUrl)}/dashboard${safePath(ending.back)}`, 303);
    }
  }
}

/** A path of the dashboard, whatever the beginning named. */
const safePath = (back: string): string => (/^\/(?![/\\])[\x21-\x7e]*$/.test(back) ? back : '/');
