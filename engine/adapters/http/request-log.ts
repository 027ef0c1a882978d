import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/**
 * Of a request, the pattern of its path and nothing that it carries there: a query holds what somebody searches for,
 * and a path without a route whatever a stranger wrote. Nor the address it came from: addresses of subscribers are
 * kept nowhere.
 */
const describeRequest = ({ method, host, routeOptions }: FastifyRequest) => ({
  method,
  route: routeOptions.url ?? null,
  host,
});

/** Fastify's own serializer writes the path, the query and `remoteAddress` into a line of every request. */
export const withoutAddresses = (logger: FastifyBaseLogger): FastifyBaseLogger =>
  logger.child({}, { serializers: { req: describeRequest } });
