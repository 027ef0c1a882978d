import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import { createHttpApp } from '../../engine/kit/http/app.ts';
import { healthRoutes } from '../../engine/kit/http/health.ts';
import { serverLimits } from '../../engine/kit/http/server-limits.ts';
import { passwordResetPage } from '../account/log-in/password-reset/page.ts';
import { alertAddressPage } from '../account/organization/alerts/confirm-routes.ts';
import { invitationPage } from '../account/organization/invitations/page.ts';
import { accountRoutes } from '../account/routes.ts';
import { clientRoutes } from '../client/routes.ts';
import { dashboardRoutes } from '../dashboard/routes.ts';
import { countRequests } from '../http/plugins/count-requests.ts';
import { handleError } from '../http/plugins/error-handler.ts';
import { registerOpenapi } from '../http/plugins/openapi.ts';
import { imageRoutes } from '../images/routes.ts';
import type { ApiDeps, Using } from '../ports/deps.ts';
import { publicRoutes } from '../public/routes.ts';
import { createReads, type Reads } from '../reads/reads.ts';
import { reportForwarding } from '../report-forwarding/routes.ts';
import { sdkRoutes } from '../sdk/routes.ts';

/** Largest body: a delivery at its field limits is about 10 KB. */
const BODY_LIMIT_BYTES = 65_536;

/**
 * The HTTP API with everything registered; not listening yet. `ready()`, `inject()` or `listen()` it.
 * The specification's paths are under `/api/v1`, health under `/internal/health`.
 */
export function createApi(deps: ApiDeps): FastifyInstance {
  const app = createHttpApp({
    logger: deps.logger,
    logRequests: deps.logRequests ?? true,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    trustedProxies: deps.config.trustedProxies,
    limits: { ...serverLimits, ...deps.limits },
    ...(deps.isOverloaded === undefined ? {} : { isOverloaded: deps.isOverloaded }),
    ...(deps.tracing === undefined ? {} : { tracing: deps.tracing }),
    handleError,
  });
  if (deps.metrics !== undefined) countRequests(app, deps.metrics);
  app.register(async (scope) => {
    await registerOpenapi(scope, deps.config.publicBaseUrl);
    healthRoutes(scope, deps.readiness);
    const publicDatabase = deps.publicDatabase ?? deps.database;
    const clientDeps = { ...deps, reads: readsOf(deps) };
    imageRoutes(scope, publicDatabase);
    await clientRoutes(scope, clientDeps);
    await publicRoutes(scope, { ...deps, database: publicDatabase });
    await accountRoutes(scope, clientDeps);
    invitationPage(scope);
    passwordResetPage(scope);
    alertAddressPage(scope);
    sdkRoutes(scope);
    await reportForwarding(scope, deps);
    dashboardRoutes(scope, deps.dashboard ?? (() => ({ kind: 'absent' })), deps.config.publicBaseUrl);
  });
  return app;
}

const readsOf = ({
  database,
  readDatabase = database,
  config,
}: Using<'database' | 'readDatabase' | 'config'>): Reads =>
  createReads({
    database: readDatabase,
    atOnce: config.apiReadConnections,
    perOrganization: config.readsPerOrganization,
    secondsPerMinute: config.readSecondsPerMinute,
    clock: systemClock,
  });
