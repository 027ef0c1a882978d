import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { noTracing } from '../engine/adapters/telemetry/tracing.ts';
import { invitationPage } from './account/invitations/page.ts';
import { accountRoutes } from './account/routes.ts';
import { clientRoutes } from './client/routes.ts';
import type { ApiDeps } from './deps.ts';
import { imageRoutes } from './images/routes.ts';
import { healthRoutes } from './internal/health.ts';
import { answerClientError } from './plugins/client-errors.ts';
import { handleError } from './plugins/errors.ts';
import { registerNotFound } from './plugins/not-found.ts';
import { registerOpenapi } from './plugins/openapi.ts';
import { registerOverload } from './plugins/overload.ts';
import { registerRequestId } from './plugins/request-id.ts';
import { withoutAddresses } from './plugins/request-log.ts';
import { registerSecurityHeaders } from './plugins/security-headers.ts';
import { serverLimits, serverOptionsOf } from './plugins/server-limits.ts';
import { registerTracing } from './plugins/tracing.ts';
import { createIsTrusted } from './plugins/trusted-proxies.ts';
import { createValidatorCompiler } from './plugins/validation.ts';
import { publicRoutes } from './public/routes.ts';

/** Largest body: a delivery at its field limits is about 10 KB. */
const BODY_LIMIT_BYTES = 65_536;
const MAX_PARAM_LENGTH = 255;

/**
 * The HTTP API with everything registered; not listening yet. `ready()`, `inject()` or `listen()` it.
 * The specification's paths are under `/api/v1`, health under `/internal/health`.
 */
export function createApi(deps: ApiDeps): FastifyInstance {
  const limits = { ...serverLimits, ...deps.limits };
  const app = fastify({
    ...(deps.logger === false ? { logger: false } : { loggerInstance: withoutAddresses(deps.logger) }),
    trustProxy: createIsTrusted(deps.config.trustedProxies),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: handleError,
    // Keep-alive connections that idle are closed at once when the server closes.
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    ...serverOptionsOf(limits),
  });
  app.setValidatorCompiler(createValidatorCompiler());
  // Resources are built field by field; a serializer that turned an unexpected null into 0 would hide a bug.
  app.setSerializerCompiler(() => JSON.stringify);
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(handleError);
  registerRequestId(app);
  registerTracing(app, deps.tracing ?? noTracing);
  registerSecurityHeaders(app);
  registerOverload(app, limits, deps.isOverloaded ?? (() => false));
  registerNotFound(app);
  app.register(async (scope) => {
    await registerOpenapi(scope, deps.config.publicBaseUrl);
    healthRoutes(scope, deps.readiness);
    imageRoutes(scope, deps.database);
    await clientRoutes(scope, deps);
    await publicRoutes(scope, deps);
    await accountRoutes(scope, deps);
    invitationPage(scope);
  });
  return app;
}
