import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../client/scope.ts';
import type { ApiDeps } from '../deps.ts';
import { createOriginCheck, type OriginCheck, type PublicApp } from './origin.ts';
import { subscribeRoute } from './subscribe/route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on public routes before the body is read. */
    publicApp: PublicApp | null;
  }
}

/** How long a browser may remember the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;

/** What browsers call: no token, the page's origin decides. */
export async function publicRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const origins = createOriginCheck(deps.database, { allowLocalhost: deps.config.allowLocalhostOrigin });
  await app.register(
    async (plain) => {
      await registerCors(plain, origins);
      plain.decorateRequest('publicApp', null);
      plain.addHook('onRequest', createRefuseOrigin(origins));
      const scope: Scope = plain.withTypeProvider();
      subscribeRoute(scope, deps);
    },
    { prefix: '/api/v1/public' },
  );
}

async function registerCors(scope: FastifyInstance, origins: OriginCheck): Promise<void> {
  await scope.register(cors, {
    origin: async (origin: string | undefined) =>
      origin !== undefined && (await origins.isKnownOrigin(origin)),
    methods: ['POST'],
    allowedHeaders: ['Content-Type', 'Accept', 'X-App-Id'],
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
}

/** Runs before the body is read: a stranger's page is told nothing but that it is one. */
function createRefuseOrigin(origins: OriginCheck) {
  return async function refuseOrigin(request: FastifyRequest, reply: FastifyReply) {
    if (request.method === 'OPTIONS') return;
    const identifier = request.headers['x-app-id'];
    const { origin } = request.headers;
    const given = typeof identifier === 'string' && origin !== undefined;
    request.publicApp = given ? await origins.appOfOrigin(identifier, origin) : null;
    if (request.publicApp === null) return reply.code(403).send({ message: 'Invalid origin domain' });
  };
}
