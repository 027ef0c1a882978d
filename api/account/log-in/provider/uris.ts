import type { FastifyRequest } from 'fastify';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';

/**
 * Without a slash at its end. On loopback, as the request named it. Written out as providers compare it: without a port
 * that its scheme has anyway.
 */
export const baseOf = ({ protocol, host }: FastifyRequest, publicBaseUrl: string | null): string =>
  new URL(publicBaseUrl ?? `${protocol}://${host}`).href.replace(/\/$/, '');

/** Whose provider it is; null: the installation's. */
type Whose = OrganizationId | null;

/** To be registered at the provider: where it sends people back to. */
export const redirectUriOf = (request: FastifyRequest, publicBaseUrl: string | null, whose: Whose): string =>
  redirectUriBelow(baseOf(request, publicBaseUrl), whose);

/**
 * Of each provider one of its own (RFC 9700, section 4.4.2): not all of them say who they are when they send somebody
 * back. None is the beginning of another, for providers that compare only that.
 */
export const redirectUriBelow = (base: string, whose: Whose): string =>
  `${base}/api/v1/account/log-in/${whose === null ? 'callback' : `organizations/${whose}/callback`}`;

/** Where people come back to from the log-out at the provider, too. */
export const logInPageOf = (request: FastifyRequest, publicBaseUrl: string | null): string =>
  `${baseOf(request, publicBaseUrl)}/dashboard/log-in`;
