import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ClickHouse } from '../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../engine/adapters/postgres/database.ts';
import type { ReportRates } from '../engine/adapters/postgres/report-tokens.ts';
import type { ReportMetrics } from '../engine/adapters/telemetry/report-metrics.ts';
import type { Tracing } from '../engine/adapters/telemetry/tracing.ts';
import { type Clock, systemClock } from '../engine/contract/concurrency/clock.ts';
import { createFairQueue, type FairQueue, shareOfOne } from '../engine/contract/concurrency/fair-queue.ts';
import { createHttpApp } from '../engine/kit/http/app.ts';
import { healthRoutes } from '../engine/kit/http/health.ts';
import { type ServerLimits, serverLimits } from '../engine/kit/http/server-limits.ts';
import { registerParameters } from '../engine/kit/http/validation.ts';
import type { Readiness } from '../engine/kit/roles/readiness.ts';
import { registerAuthentication } from './access/authenticate.ts';
import { createWaitForPermit, type WaitForPermit } from './access/wait-for-permit.ts';
import { createHeldAnswers, type HeldAnswers } from './answer/held-answers.ts';
import type { ReportingConfig } from './config.ts';
import { dayRoutes } from './days/routes.ts';
import type { Explain } from './explained/explain.ts';
import { explainNoteRoutes, explainRoutes } from './explained/routes.ts';
import type { GenerateReport } from './generate/generate.ts';
import { generateRoute } from './generate/route.ts';
import { jobRoutes } from './jobs/routes.ts';
import type { ResultStore } from './jobs/store/store.ts';
import { registerOpenapi } from './openapi.ts';
import { handleError, refusalFields, registerErrorStatus } from './problems.ts';
import { savedRoutes } from './saved/routes.ts';
import { fileRoute } from './schedules/file-route.ts';
import type { OpenSchedules } from './schedules/open.ts';
import { scheduleRoutes } from './schedules/routes.ts';

/** The reporting API's dependencies; `reporting/main.ts` builds them, tests pass their own. */
export interface ReportingDeps {
  readonly sql: Pick<Database, 'query' | 'transaction'>;
  readonly generateReport: GenerateReport;
  readonly explain: Explain;
  /** Where results of jobs lie; null: there are no jobs. */
  readonly jobs: { readonly store: ResultStore; wake(): void } | null;
  /** Null: the operator has not set up what they need. */
  readonly schedules: Pick<OpenSchedules, 'sealer' | 'addresses' | 'hasMail' | 'wake'> | null;
  /** Of the feed of restatements. */
  readonly clickhouse: Pick<ClickHouse, 'client'>;
  /** Those that others share; left out: its own. */
  readonly queue?: FairQueue;
  readonly answers?: HeldAnswers;
  readonly readiness: Readiness;
  readonly metrics: ReportMetrics;
  readonly logger: FastifyBaseLogger | false;
  /** Left out: they are logged. */
  readonly logRequests?: boolean;
  readonly tracing?: Tracing;
  /** Instead of the usual ones. */
  readonly limits?: Partial<ServerLimits>;
  readonly config: Pick<
    ReportingConfig,
    | 'reportingBaseUrl'
    | 'trustedProxies'
    | 'reportRatePerMinute'
    | 'reportPageRatePerMinute'
    | 'reportsAtOnce'
    | 'reportsPerUser'
    | 'reportWaitSeconds'
    | 'reportSeconds'
    | 'reportRows'
    | 'reportMb'
    | 'reportUnreadMb'
    | 'reportJobRatePerMinute'
  >;
  /** The clock of the queue and of slow clients; absent: the machine's. */
  readonly clock?: Clock;
}

/** A report's filters are the largest body: a few lists of values. */
const BODY_LIMIT_BYTES = 1_048_576;
/** Each that waits holds its body: 64 MB at most. */
const waitingReports = { waiting: 64, waitingPerOwner: 8 } as const;
/** No byte is sent while a report waits for its permit (60 s at most) and for its three queries (25 s each). */
const SILENCE_TIMEOUT_MS = 150_000;

/** The reporting API with everything registered; not listening yet. */
export function createReporting(deps: ReportingDeps): FastifyInstance {
  const { config, metrics } = deps;
  const app = createHttpApp({
    logger: deps.logger,
    logRequests: deps.logRequests ?? true,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    trustedProxies: config.trustedProxies,
    limits: { ...serverLimits, silenceTimeoutMs: SILENCE_TIMEOUT_MS, ...deps.limits },
    handleError,
    refusalFields,
    ...(deps.tracing === undefined ? {} : { tracing: deps.tracing }),
  });
  const clock = deps.clock ?? systemClock;
  const queue = deps.queue ?? createReportQueue(config, clock);
  const answers = deps.answers ?? createReportAnswers(config, clock);
  const waitForPermit = createWaitForPermit(deps.sql, queue);
  registerErrorStatus(app);
  app.register(async (scope) => {
    await registerOpenapi(scope, config.reportingBaseUrl);
    healthRoutes(scope, deps.readiness);
    await scope.register(
      async (reports) => {
        reports.addHook('onResponse', async (_request, reply) => {
          metrics.answered(reply.statusCode, reply.elapsedTime);
        });
        registerParameters(reports);
        registerAuthentication(reports, deps.sql, () => ({
          ofToken: config.reportRatePerMinute,
          onPage: config.reportPageRatePerMinute,
        }));
        const { generateReport, explain } = deps;
        generateRoute(reports, {
          ...{ generateReport, queue, waitForPermit, answers, metrics },
          answerMb: config.reportMb,
        });
        explainRoutes(reports, { sql: deps.sql, explain, waitForPermit });
      },
      { prefix: '/api/v1' },
    );
    await registerSmallRoutes(scope, deps, { clock, waitForPermit });
  });
  return app;
}

/** What is counted apart from reports. */
async function registerSmallRoutes(
  scope: FastifyInstance,
  { config, sql, jobs, schedules, explain, clickhouse }: ReportingDeps,
  { clock, waitForPermit }: { readonly clock: Clock; readonly waitForPermit: WaitForPermit },
): Promise<void> {
  const register = async (
    ratesOf: (method: string) => ReportRates,
    add: (own: FastifyInstance) => void,
  ): Promise<void> => {
    await scope.register(
      async (own) => {
        registerParameters(own);
        registerAuthentication(own, sql, ({ method }) => ratesOf(method));
        add(own);
      },
      { prefix: '/api/v1' },
    );
  };
  const { store = null, wake = () => {} } = jobs ?? {};
  const ratesOfJobs = (method: string): ReportRates => jobRates(config, method);
  await register(ratesOfJobs, (own) => dayRoutes(own, { sql, clickhouse }));
  // A scope of their own: without a place for results, all of it is 404.
  await register(ratesOfJobs, (own) => jobRoutes(own, { database: sql, store, clock, wake }));
  await register(
    () => lookRates(config),
    (own) => {
      explainNoteRoutes(own, { sql, explain, waitForPermit });
      savedRoutes(own, { database: sql, clock });
      scheduleRoutes(own, { database: sql, clock, schedules });
    },
  );
  await scope.register(
    async (own) => {
      registerParameters(own);
      fileRoute(own, { database: sql, clock, store, addresses: schedules?.addresses ?? null });
    },
    { prefix: '/api/v1' },
  );
}

export const createReportQueue = (config: ReportingDeps['config'], clock: Clock): FairQueue =>
  createFairQueue({
    ...waitingReports,
    permits: config.reportsAtOnce,
    perOwner: config.reportsPerUser,
    perGroup: shareOfOne(config.reportsAtOnce),
    waitingPerGroup: shareOfOne(waitingReports.waiting),
    waitMs: config.reportWaitSeconds * 1_000,
    clock,
  });

export const createReportAnswers = (config: ReportingDeps['config'], clock: Clock): HeldAnswers =>
  createHeldAnswers({
    answerBytes: config.reportMb * 1_048_576,
    answerRows: config.reportRows,
    totalBytes: config.reportUnreadMb * 1_048_576,
    waitMs: config.reportSeconds * 1_000,
    clock,
  });

/** Questions about jobs, pages and parts of results, for each job that may be made: 120 by default, two a second. */
const LOOKS_PER_JOB = 24;

/** Apart from reports: making jobs, and asking about them, leave the five a minute as they are. */
function jobRates(config: ReportingDeps['config'], method: string): ReportRates {
  if (method !== 'POST' && method !== 'PUT') return lookRates(config);
  const most = config.reportJobRatePerMinute;
  return { ofToken: most, onPage: most, via: ['report-job', 'report-job'] };
}

/** Small questions, and what people write about figures. */
function lookRates({ reportJobRatePerMinute: made }: ReportingDeps['config']): ReportRates {
  const most = made * LOOKS_PER_JOB;
  return { ofToken: most, onPage: most, via: ['report-job-look', 'report-job-look'] };
}
