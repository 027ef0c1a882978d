import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * Logs the pattern of a request's path and none of its values: a query may hold a search term, and a path
 * without a route any text of a stranger. Not the address either: addresses of subscribers are stored nowhere.
 */
const describeRequest = ({ method, host, routeOptions }: FastifyRequest) => ({
  method,
  route: routeOptions.url ?? null,
  host,
});

/** Fastify's own serializer writes the path, the query and `remoteAddress` into a line of every request. */
export const withoutAddresses = (logger: FastifyBaseLogger): FastifyBaseLogger =>
  logger.child({}, { serializers: { req: describeRequest } });

/** Logs what went wrong with a request, and no line for one that was answered. */
export class TroubleAlone extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) super.requestCompleted(error, request, reply);
  }
}
