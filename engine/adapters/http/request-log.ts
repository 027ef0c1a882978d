import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/** Of a request, without the address it came from: addresses of subscribers are kept nowhere. */
const describeRequest = ({ method, url, host }: FastifyRequest) => ({ method, url, host });

/** Fastify's own serializer writes `remoteAddress` into a line of every request. */
export const withoutAddresses = (logger: FastifyBaseLogger): FastifyBaseLogger =>
  logger.child({}, { serializers: { req: describeRequest } });
