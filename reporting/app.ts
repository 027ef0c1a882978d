import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify';
import type { Readiness } from '../engine/adapters/telemetry/readiness.ts';
import { endRequestSpan, startRequestSpan } from '../engine/adapters/telemetry/request-span.ts';
import type { Span, Tracing } from '../engine/adapters/telemetry/tracing.ts';

/** What the reporting API is made of; `reporting/main.ts` puts it together, tests put in their own. */
export interface ReportingDeps {
  readonly readiness: Readiness;
  readonly logger: FastifyBaseLogger | false;
  readonly tracing?: Tracing;
}

/** A report's filters are the largest body, a few KB. */
const BODY_LIMIT_BYTES = 1_048_576;

/** The reporting API. So far it only tells how it is; every other path is 404 in the shape of all errors. */
export function createReporting({ readiness, logger, tracing }: ReportingDeps): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    ...(logger === false ? { logger: false } : { loggerInstance: logger }),
  });
  if (tracing?.enabled) traceRequests(app, tracing);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found.' }));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode < 500) return reply.code(statusCode).send({ message: 'The request is malformed.' });
    request.log.error({ err: error }, 'request failed');
    return reply.code(500).send({ message: 'Something went wrong on our side.' });
  });
  healthRoutes(app, readiness);
  return app;
}

/** For load balancers and orchestrators: `live` tells of the process, `ready` of what it depends on. */
function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  // Asked every few seconds by machines: a line for each request would be most of the log.
  const quiet = { logLevel: 'warn' } as const;
  app.get('/internal/health/live', quiet, () => ({ status: 'live' }));
  app.get('/internal/health/ready', quiet, async (_request, reply) => {
    const checks = await readiness();
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });
}

/** Each request's span, from its arrival to its answer. */
function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<object, Span | null>();
  app.addHook('onRequest', async (request) => {
    const { traceparent } = request.headers;
    const route = request.routeOptions.url;
    spans.set(request, startRequestSpan(tracing, { method: request.method, route, traceparent }));
  });
  app.addHook('onResponse', async (request, reply) =>
    endRequestSpan(spans.get(request) ?? null, reply.statusCode),
  );
  app.addHook('onRequestAbort', async (request) => spans.get(request)?.end({}, 'aborted'));
}
