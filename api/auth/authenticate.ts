import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { comparableAddress } from '../../engine/kit/http/address-ranges.ts';
import { createRefuseUnknown, passRate } from '../../engine/kit/http/admit.ts';
import { parseBearer } from '../../engine/kit/http/token.ts';
import type { ApiDeps } from '../ports/deps.ts';
import type { Admission } from './admission.ts';
import { isCrossSite, isUnsafe } from './same-site.ts';
import { createSessionCookie, hasCsrfToken } from './session-cookie.ts';
import { admitSession, noteSessionUse } from './session-store.ts';
import { admitToken, noteTokenUse } from './token-store.ts';

export interface AuthenticatorDeps {
  readonly database: Database;
  readonly config: Pick<ApiDeps['config'], 'publicBaseUrl' | 'clientRatePerMinute' | 'sessionRatePerMinute'>;
}

/** Identifies the caller of a request, or answers the request. */
export interface Authenticator {
  /** By the token where the request has an `Authorization` header, otherwise by its session. */
  byTokenOrSession(request: FastifyRequest, reply: FastifyReply): Promise<Admission | null>;
  /** By its session alone: a token must not make tokens. */
  bySession(request: FastifyRequest, reply: FastifyReply): Promise<Admission | null>;
}

/** Each method resolves with the admission, or with null once it has sent the reply. */
export function createAuthenticator({ database, config }: AuthenticatorDeps): Authenticator {
  const cookie = createSessionCookie(config.publicBaseUrl);
  const refuseUnknown = createRefuseUnknown();

  const byToken = async (request: FastifyRequest, reply: FastifyReply): Promise<Admission | null> => {
    const token = parseBearer(request.headers.authorization);
    const from = comparableAddress(request.ip);
    const found = token === null ? null : await admitToken(database, token, from, config.clientRatePerMinute);
    if (token === null || found === null) return refuseUnknown(request, reply);
    if (!passRate(reply, found, config.clientRatePerMinute)) return null;
    if (found.useIsStale) await noteTokenUse(database, token.id);
    return found;
  };

  const bySession = async (request: FastifyRequest, reply: FastifyReply): Promise<Admission | null> => {
    const secret = request.headers.authorization === undefined ? cookie.read(request) : null;
    if (secret === null) return refuseUnknown(request, reply);
    if (isUnsafe(request) && isForged(request, secret, config.publicBaseUrl)) {
      sendForged(reply);
      return null;
    }
    const found = await admitSession(database, secret, config.sessionRatePerMinute);
    if (found === null) return refuseUnknown(request, reply);
    if (!passRate(reply, found, config.sessionRatePerMinute)) return null;
    if (found.useIsStale) await noteSessionUse(database, secret);
    if (found.lacksFactor && request.routeOptions.config.withoutFactor !== true) {
      sendLacksFactor(reply);
      return null;
    }
    return found;
  };

  return {
    byTokenOrSession: (request, reply) =>
      request.headers.authorization === undefined ? bySession(request, reply) : byToken(request, reply),
    bySession,
  };
}

const isForged = (request: FastifyRequest, secret: string, publicBaseUrl: string | null): boolean =>
  isCrossSite(request, publicBaseUrl) || !hasCsrfToken(request, secret);

const sendLacksFactor = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({
    message: 'Your organization requires a second factor: set one up on your account page.',
  });

export const sendForged = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({
    message: 'The request does not come from the page where you logged in: reload the page, then try again.',
  });
