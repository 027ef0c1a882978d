import type { FastifyInstance } from 'fastify';
import { endRequestSpan, startRequestSpan } from '../../adapters/telemetry/request-span.ts';
import type { Span, Tracing } from '../../adapters/telemetry/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where this request is not traced. */
    span: Span | null;
  }
}

/** A span per request, from its arrival to its answer. */
export function registerTracing(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', null);
  if (!tracing.enabled) return;
  app.addHook('onRequest', async (request) => {
    const { traceparent } = request.headers;
    request.span = startRequestSpan(tracing, {
      method: request.method,
      route: request.routeOptions.url,
      traceparent,
    });
  });
  app.addHook('onResponse', async (request, reply) => endRequestSpan(request.span, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => request.span?.end({}, 'aborted'));
}
