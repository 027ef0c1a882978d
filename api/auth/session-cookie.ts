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
const secretShape = /^[A-Za-z0-9_-]{43}$/;

/** Scopes whose routes read or write the cookie register this before their other hooks. */
export const registerCookies = async (scope: FastifyInstance): Promise<void> => {
  await scope.register(cookies);
};

export function createSessionCookie(publicBaseUrl: string | null): SessionCookie {
  const jar = createCookieJar(SESSION_COOKIE, publicBaseUrl);
  return {
    read: (request) => {
      const secret = jar.read(request);
      return secret !== null && secretShape.test(secret) ? secret : null;
    },
    write: (request, reply, secret) => jar.write(request, reply, secret, SESSION_SECONDS),
    clear: (request, reply) => jar.write(request, reply, '', 0),
  };
}

/** One cookie that pages cannot read and other sites cannot send. */
export interface CookieJar {
  read(request: FastifyRequest): string | null;
  /** @param maxAge in seconds; 0 removes it. */
  write(request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void;
}

export function createCookieJar(
  name: string,
  publicBaseUrl: string | null,
  /** `lax`: also when another site's page leads here, as a provider's does after the log-in. */
  sameSite: 'strict' | 'lax' = 'strict',
): CookieJar {
  const secureName = `__Host-${name}`;
  return {
    read: (request) => {
      const { [secureName]: secure, [name]: plain } = request.cookies;
      // Where the site is https for certain, the plain name is one that a stranger may have set.
      return (publicBaseUrl?.startsWith('https:') ? secure : (secure ?? plain)) ?? null;
    },
    write: (request, reply, value, maxAge) => {
      const secure = isHttps(request, publicBaseUrl);
      const options = { httpOnly: true, sameSite, path: '/', secure, maxAge } as const;
      reply.setCookie(secure ? secureName : name, value, options);
    },
  };
}

/**
 * Behind a proxy that terminates TLS and is not in the settings, the page's own origin decides. Only the log-in
 * needs this, and browsers send the origin with it.
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
