import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createHttpApp } from '../engine/adapters/http/app.ts';
import { healthRoutes } from '../engine/adapters/http/health.ts';
import { type ServerLimits, serverLimits } from '../engine/adapters/http/server-limits.ts';
import type { Sql } from '../engine/adapters/postgres/database.ts';
import type { Readiness } from '../engine/adapters/telemetry/readiness.ts';
import type { ReportMetrics } from '../engine/adapters/telemetry/report-metrics.ts';
import type { Tracing } from '../engine/adapters/telemetry/tracing.ts';
import { createPlaces } from '../engine/contract/places.ts';
import { registerGate } from './access/gate.ts';
import type { ReportingConfig } from './config.ts';
import type { GenerateReport } from './generate/generate.ts';
import { generateRoute } from './generate/route.ts';
import { registerOpenapi } from './openapi.ts';
import { handleError, refusalFields, registerErrorStatus } from './problems.ts';

/** What the reporting API is made of; `reporting/main.ts` puts it together, tests put in their own. */
export interface ReportingDeps {
  readonly sql: Sql;
  readonly generateReport: GenerateReport;
  readonly readiness: Readiness;
  readonly metrics: ReportMetrics;
  readonly logger: FastifyBaseLogger | false;
  readonly tracing?: Tracing;
  /** Instead of the usual ones. */
  readonly limits?: Partial<ServerLimits>;
  readonly config: Pick<
    ReportingConfig,
    'reportingBaseUrl' | 'trustedProxies' | 'reportRatePerMinute' | 'reportsAtOnce' | 'reportsPerUser'
  >;
}

/** A report's filters are the largest body: a few lists of values. */
const BODY_LIMIT_BYTES = 1_048_576;

/** The reporting API with everything registered; not listening yet. */
export function createReporting(deps: ReportingDeps): FastifyInstance {
  const { config, metrics } = deps;
  const app = createHttpApp({
    logger: deps.logger,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    trustedProxies: config.trustedProxies,
    limits: { ...serverLimits, ...deps.limits },
    handleError,
    refusalFields,
    ...(deps.tracing === undefined ? {} : { tracing: deps.tracing }),
  });
  const places = createPlaces({ atOnce: config.reportsAtOnce, perOwner: config.reportsPerUser });
  registerErrorStatus(app);
  app.register(async (scope) => {
    await registerOpenapi(scope, config.reportingBaseUrl);
    healthRoutes(scope, deps.readiness);
    await scope.register(
      async (reports) => {
        reports.addHook('onResponse', async (_request, reply) => {
          metrics.answered(reply.statusCode, reply.elapsedTime);
        });
        registerGate(reports, deps.sql, config.reportRatePerMinute);
        generateRoute(reports, { generateReport: deps.generateReport, places, metrics });
      },
      { prefix: '/api/v1' },
    );
  });
  return app;
}
