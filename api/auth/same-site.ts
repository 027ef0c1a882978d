import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
export const isUnsafe = (request: FastifyRequest): boolean => !safeMethods.has(request.method);

/**
 * Whether a browser says that the request comes from another site's page. A client that is not a browser sends no
 * such header, and has no cookie that a stranger could use.
 */
export function isCrossSite({ headers, host }: FastifyRequest, publicBaseUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (headers.origin === undefined) return false;
  const origin = URL.parse(headers.origin);
  if (origin === null) return true;
  // Parsed alike: either may or may not write out the port that its scheme has anyway.
  const own = URL.parse(`${origin.protocol}//${host}`)?.origin;
  return origin.origin !== own && origin.origin !== URL.parse(publicBaseUrl ?? '')?.origin;
}
