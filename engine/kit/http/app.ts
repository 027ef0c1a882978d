import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { noTracing, type Tracing } from '../../adapters/telemetry/tracing.ts';
import { createClientErrorAnswer } from './client-errors.ts';
import type { ErrorHandler } from './errors.ts';
import { registerLengths, shortAddress } from './lengths.ts';
import { registerNotFound } from './not-found.ts';
import { type PressureSignal, registerOverload } from './overload.ts';
import { registerReadJson } from './read-json.ts';
import { registerRequestId } from './request-id.ts';
import { OneLine, TroubleAlone, withoutAddresses } from './request-log.ts';
import { registerSecurityHeaders } from './security-headers.ts';
import { type ServerLimits, serverOptionsOf } from './server-limits.ts';
import { registerTracing } from './tracing.ts';
import { createIsTrusted } from './trusted-proxies.ts';
import { registerUnknownProxies } from './unknown-proxies.ts';
import { registerUtf8 } from './utf8.ts';
import { createValidatorCompiler } from './validation.ts';

export interface HttpAppOptions {
  readonly logger: FastifyBaseLogger | false;
  /** By default a line for each request, once it is answered. */
  readonly logRequests?: boolean;
  readonly bodyLimitBytes: number;
  /** Addresses or ranges (CIDR) whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly limits: ServerLimits;
  readonly isOverloaded?: PressureSignal;
  readonly tracing?: Tracing;
  readonly handleError: ErrorHandler;
  /** Fields of a refusal beside its message. */
  readonly refusalFields?: object;
}

const MAX_PARAM_LENGTH = 255;

/** A listener without routes: limits, headers, request ids, validation, and one shape for every refusal. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { logger, limits, handleError } = options;
  const isTrusted = createIsTrusted(options.trustedProxies);
  const app = fastify({
    ...(logger === false ? { logger: false } : { loggerInstance: withoutAddresses(logger) }),
    logController: options.logRequests === false ? new TroubleAlone() : new OneLine(),
    trustProxy: isTrusted,
    bodyLimit: options.bodyLimitBytes,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    rewriteUrl: shortAddress,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      // Of such a request no line is written when it is answered. Not the error's message: it repeats the path.
      if (options.logRequests !== false)
        request.log.info({ req: request, code: error.code }, 'request refused');
      return handleError(error, request, reply);
    },
    // Keep-alive connections that idle are closed at once when the server closes.
    forceCloseConnections: 'idle',
    clientErrorHandler: createClientErrorAnswer(options.refusalFields ?? {}),
    ...serverOptionsOf(limits),
  });
  app.setValidatorCompiler(createValidatorCompiler());
  // Resources are built field by field; a serializer that turned an unexpected null into 0 would hide a bug.
  app.setSerializerCompiler(() => JSON.stringify);
  app.removeContentTypeParser('text/plain');
  registerReadJson(app);
  app.setErrorHandler(handleError);
  registerRequestId(app);
  registerLengths(app, options.bodyLimitBytes);
  registerUtf8(app);
  registerUnknownProxies(app, isTrusted);
  registerTracing(app, options.tracing ?? noTracing);
  registerSecurityHeaders(app);
  registerOverload(app, limits, options.isOverloaded ?? (() => false));
  registerNotFound(app);
  return app;
}
