import { createHmac, timingSafeEqual } from 'node:crypto';
import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_SECONDS } from './session-store.ts';

/**
 * The cookie that carries a session's secret. Over https its name has the prefix with which browsers refuse
 * a cookie that another host or a plain page has set.
 */
export interface SessionCookie {
  /** Null where the request has none. */
  read(request: FastifyRequest): string | null;
  write(request: FastifyRequest, reply: FastifyReply, secret: string): void;
  clear(request: FastifyRequest, reply: FastifyReply): void;
}

export const SESSION_COOKIE = 'broadside_session';
const SECURE_NAME = `__Host-${SESSION_COOKIE}`;
const secretShape = /^[A-Za-z0-9_-]{43}$/;

/** Scopes whose routes read or write the cookie register this before any hook that does. */
export const registerCookies = async (scope: FastifyInstance): Promise<void> => {
  await scope.register(cookies);
};

export function createSessionCookie(publicBaseUrl: string | null): SessionCookie {
  const send = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void => {
    const secure = isHttps(request, publicBaseUrl);
    const options = { httpOnly: true, sameSite: 'strict', path: '/', secure, maxAge } as const;
    reply.setCookie(secure ? SECURE_NAME : SESSION_COOKIE, value, options);
  };
  return {
    read: (request) => {
      const { [SECURE_NAME]: secure, [SESSION_COOKIE]: plain } = request.cookies;
      // Where the site is https for certain, the plain name is one that a stranger may have set.
      const secret = publicBaseUrl?.startsWith('https:') ? secure : (secure ?? plain);
      return secret !== undefined && secretShape.test(secret) ? secret : null;
    },
    write: (request, reply, secret) => send(request, reply, secret, SESSION_SECONDS),
    clear: (request, reply) => send(request, reply, '', 0),
  };
}

/**
 * Behind a proxy that ends TLS and is not named in the settings, the page's own origin tells. Only the log-in
 * asks, which browsers send with it.
 */
function isHttps(request: FastifyRequest, publicBaseUrl: string | null): boolean {
  if (publicBaseUrl !== null) return publicBaseUrl.startsWith('https:');
  return request.protocol === 'https' || request.headers.origin?.startsWith('https:') === true;
}

/**
 * The token that every unsafe request by session shows in `X-CSRF-Token`: made from the session's secret, so
 * it cannot outlive the session or be set by another site, as a second cookie could.
 */
export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('broadside csrf').digest('base64url');

export function hasCsrfToken(request: FastifyRequest, secret: string): boolean {
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfTokenOf(secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
