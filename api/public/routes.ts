import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyNeeds } from '../../engine/kit/http/lengths.ts';
import { sendTooMany } from '../../engine/kit/http/problem.ts';
import { createIsTrusted } from '../../engine/kit/http/trusted-proxies.ts';
import { createValidatorCompiler } from '../../engine/kit/http/validation.ts';
import type { Scope } from '../http/scope.ts';
import type { ApiDeps, Using } from '../ports/deps.ts';
import { createVisitorOf } from '../visitor/visitor.ts';
import { sendWrongOrigin } from './answers.ts';
import { beaconRoute } from './beacons/route.ts';
import { createOriginCheck, type OriginCheck, type PublicApp } from './origin.ts';
import { preferencePages } from './preferences/page-routes.ts';
import { preferencesRoute } from './preferences/route.ts';
import { promptRoutes } from './prompts/route.ts';
import { registerRateLimit } from './rate-limit.ts';
import { createSubscribe } from './subscribe/batches.ts';
import { createNoteRefusedHost } from './subscribe/note-refused-host.ts';
import { subscribeRoute } from './subscribe/route.ts';
import { createStoreBatch } from './subscribe/store-batch.ts';
import { tagsRoute } from './tags/route.ts';
import { testBrowserRoute } from './test-browser/route.ts';
import { updateRoute } from './update/route.ts';
import { appRoute } from './vapid-key/route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on public routes before the body is read. */
    publicApp: PublicApp | null;
  }
}

/** How long a browser may remember the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;

/** The routes for browsers: no token, the page's origin decides. */
export async function publicRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const origins = createOriginCheck(deps.database, { allowLocalhost: deps.config.allowLocalhostOrigin });
  await app.register(
    async (plain) => {
      // Without the limit of the others: 50 tags of 255 characters are more, however they are written.
      plain.addHook('onRoute', (route) => {
        route.bodyLimit = bodyNeeds(route);
      });
      // In this order: counting costs nothing, an answer needs its CORS headers, and the body comes last.
      await registerRateLimit(plain, deps.config.publicRatePerMinute);
      await registerCors(plain, origins);
      // Pages keep a client for years, of an earlier or a later version than this one.
      plain.setValidatorCompiler(createValidatorCompiler({ onlyMisspelt: true }));
      plain.decorateRequest('publicApp', null);
      plain.addHook('onRequest', createRefuse(origins, deps.config.publicBaseUrl));
      const scope: Scope = plain.withTypeProvider();
      const parts = partsOf(deps);
      subscribeRoute(scope, deps, parts);
      updateRoute(scope, deps, parts);
      tagsRoute(scope, deps);
      testBrowserRoute(scope, deps);
      preferencesRoute(scope, deps);
      beaconRoute(scope, deps);
      appRoute(scope);
      promptRoutes(scope, deps);
    },
    { prefix: '/api/v1/public' },
  );
  await preferencePages(app, deps);
}

function partsOf({ database, config, endpointPolicy }: Using<'database' | 'config' | 'endpointPolicy'>) {
  const isTrusted = createIsTrusted(config.trustedProxies);
  const header = config.countryHeader?.toLowerCase() ?? null;
  return {
    subscribe: createSubscribe(
      createStoreBatch(database, config.newSubscriptionsPerHour || config.publicRatePerMinute),
    ),
    visitorOf: createVisitorOf({ header, isTrusted }),
    noteRefusedHost: createNoteRefusedHost(endpointPolicy),
  };
}

async function registerCors(scope: FastifyInstance, origins: OriginCheck): Promise<void> {
  await scope.register(cors, {
    delegator: async ({ headers: { origin }, retryAfterSeconds }: FastifyRequest) => ({
      // Over the limit there is no lookup: any page may read the 429.
      origin: origin !== undefined && (retryAfterSeconds !== null || (await origins.isKnownOrigin(origin))),
      methods: ['GET', 'POST'],
      allowedHeaders: ['Content-Type', 'Accept', 'X-App-Id'],
      // Otherwise the page sees a 429 or 503, and not for how long.
      exposedHeaders: ['Retry-After'],
      maxAge: PREFLIGHT_SECONDS,
      strictPreflight: false,
    }),
  });
}

/** Runs before the body is read: a third-party page learns nothing but that it is one. */
function createRefuse(origins: OriginCheck, publicBaseUrl: string | null) {
  return async function refuse(request: FastifyRequest, reply: FastifyReply) {
    if (request.method === 'OPTIONS') return;
    if (request.retryAfterSeconds !== null) return sendTooMany(reply, request.retryAfterSeconds);
    const identifier = request.headers['x-app-id'];
    const origin = request.headers.origin ?? ownOrigin(request, publicBaseUrl);
    const given = typeof identifier === 'string' && origin !== undefined;
    request.publicApp = given ? await origins.appOfOrigin(identifier, origin) : null;
    if (request.publicApp === null) return sendWrongOrigin(reply);
  };
}

/**
 * For a page on this API's own address, such as the example page: browsers send no Origin with its reads, but a
 * header that no page can set.
 */
function ownOrigin(request: FastifyRequest, publicBaseUrl: string | null): string | undefined {
  if (request.headers['sec-fetch-site'] !== 'same-origin') return undefined;
  return publicBaseUrl === null ? `${request.protocol}://${request.host}` : URL.parse(publicBaseUrl)?.origin;
}
