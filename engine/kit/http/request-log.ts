import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** A delivery that the request made, for its line in the log; of others the path names it. */
    loggedDeliveryId?: number;
  }
}

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

/**
 * One line a request, when it is answered: its id (`reqId`, the answer's `X-Request-Id`), what it was, the status, the
 * time it took, and the delivery that it was about, by which the lines of a delivery are found.
 */
export class OneLine extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const deliveryId = deliveryOf(request);
    const fields = {
      req: request,
      res: reply,
      ...(deliveryId === null ? {} : { deliveryId }),
      responseTime: reply.elapsedTime,
    };
    if (error) reply.log.error({ ...fields, err: error }, 'request errored');
    else reply.log.info(fields, 'request completed');
  }
}

/** Of the path a number alone: the rest of it is any text of a stranger. */
function deliveryOf({ loggedDeliveryId, params }: FastifyRequest): number | null {
  if (loggedDeliveryId !== undefined) return loggedDeliveryId;
  const { delivery_id: named } = (params ?? {}) as { readonly delivery_id?: unknown };
  return typeof named === 'string' && /^[1-9]\d{0,9}$/.test(named) ? Number(named) : null;
}

/** Logs what went wrong with a request, and no line for one that was answered. */
export class TroubleAlone extends OneLine {
  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) super.requestCompleted(error, request, reply);
  }
}
