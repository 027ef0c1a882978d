import type { FastifyRequest } from 'fastify';

/**
 * Without a slash at its end. On loopback, as the request named it. Written out as providers compare it: without a port
 * that its scheme has anyway.
 */
export const baseOf = ({ protocol, host }: FastifyRequest, publicBaseUrl: string | null): string =>
  new URL(publicBaseUrl ?? `${protocol}://${host}`).href.replace(/\/$/, '');

/** To be registered at the provider: where it sends people back to. */
export const redirectUriOf = (request: FastifyRequest, publicBaseUrl: string | null): string =>
  redirectUriBelow(baseOf(request, publicBaseUrl));

export const redirectUriBelow = (base: string): string => `${base}/api/v1/account/log-in/callback`;

/** Where people come back to from the log-out at the provider, too. */
export const logInPageOf = (request: FastifyRequest, publicBaseUrl: string | null): string =>
  `${baseOf(request, publicBaseUrl)}/dashboard/log-in`;
