import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '../engine/adapters/clickhouse/clickhouse.ts';
import { createEarnings } from '../engine/adapters/clickhouse/earnings.ts';
import type { Database } from '../engine/adapters/postgres/database.ts';
import { logsRequests } from '../engine/adapters/telemetry/log-format.ts';
import { createLogger } from '../engine/adapters/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../engine/adapters/telemetry/metrics.ts';
import { openTracing } from '../engine/adapters/telemetry/open-tracing.ts';
import type { Tracing } from '../engine/adapters/telemetry/tracing.ts';
import { systemClock } from '../engine/contract/concurrency/clock.ts';
import type { Log } from '../engine/contract/log.ts';
import { startInternalServer } from '../engine/kit/roles/internal-server.ts';
import {
  createPool,
  openLog,
  openStatistics,
  prepareDatabase,
  prepareStatistics,
} from '../engine/kit/roles/open-parts.ts';
import { createReadiness } from '../engine/kit/roles/readiness.ts';
import { runUntilStopped } from '../engine/kit/roles/run-until-stopped.ts';
import { sampleService } from '../engine/kit/roles/service-samples.ts';
import { createReportReader, type ReportBounds } from './answer/report-reader.ts';
import { createReportAnswers, createReporting, createReportQueue } from './app.ts';
import { type ReportingConfig, readReportingConfig } from './config.ts';
import { createExplain } from './explained/explain.ts';
import { createGenerateReport } from './generate/generate.ts';
import { CLOSE_INGEST_MS, startIngest } from './ingest/start.ts';
import { jobBoundsOf, openJobs } from './jobs/open.ts';
import { readCurrencies } from './report/ad-currencies.ts';
import { idnNamesOf } from './report/domain-names.ts';
import { readIdnNames } from './report/idn-names.ts';
import { createKnown } from './report/known.ts';
import { createRecentRates } from './report/recent-rates.ts';
import { openSchedules } from './schedules/open.ts';
import { openWire } from './wire/open.ts';

/** The reporting role's dependencies; the caller opens and closes these. */
export interface ReportingParts {
  readonly database: Database;
  readonly clickhouse: ClickHouse;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
  readonly tracing?: Tracing;
  /** For results of jobs, where no setting names one; left out: none. */
  readonly jobsFolder?: string;
}

export interface RunningReporting {
  /** Where it listens: `http://127.0.0.1:8082`. */
  readonly url: string;
  /** Where clients of Postgres read reports; null: nowhere. */
  readonly wirePort: number | null;
  /** Rates have changed: the next report reads them again. */
  forgetRates(): void;
  /** Takes no more requests, and answers those in flight. */
  close(): Promise<void>;
}

const CLOSE_PART_MS = 2_000;

const boundsOf = (config: ReportingConfig): ReportBounds => ({
  seconds: config.reportSeconds,
  memoryBytes: config.reportMemoryMb * 1_048_576,
  rows: config.reportRows,
});

/** Reports, from what is stored; `startIngest` brings more. @throws Error where the address is taken. */
export async function startReporting(
  config: ReportingConfig,
  { database, clickhouse, metrics, logger, tracing, jobsFolder }: ReportingParts,
): Promise<RunningReporting> {
  const bounds = boundsOf(config);
  const reader = createReportReader(clickhouse, bounds);
  const clock = systemClock;
  const { rates } = createEarnings(clickhouse);
  const recentRates = createRecentRates((first, last) => rates('all', first, last), clock);
  const { ratesOf } = recentRates;
  const namesOf = createKnown(() => readIdnNames(clickhouse).then(idnNamesOf));
  const currenciesOf = createKnown(() => readCurrencies(clickhouse));
  const known = { sql: database, ratesOf, namesOf, currenciesOf, clock };
  const jobs = await openJobs(
    config,
    { database, clickhouse, metrics, logger, jobsFolder: jobsFolder ?? null },
    (jobReader) => createGenerateReport({ ...known, reader: jobReader, bounds: jobBoundsOf(config) }),
  );
  const schedules =
    jobs === null ? null : openSchedules(config, { database, jobs, reader, clickhouse, logger });
  const generateReport = createGenerateReport({ ...known, reader, bounds });
  const [queue, answers] = [createReportQueue(config, clock), createReportAnswers(config, clock)];
  const app = createReporting({
    sql: database,
    generateReport,
    explain: createExplain({ ...known, reader, bounds }),
    ...{ queue, answers },
    jobs,
    schedules,
    clickhouse,
    readiness: readinessOf(database, clickhouse),
    metrics: metrics.reports,
    logger,
    logRequests: logsRequests(config),
    config,
    ...(tracing === undefined ? {} : { tracing }),
  });
  const url = await app
    .listen({ host: config.reportingHost, port: config.reportingPort })
    .catch(async (error: unknown) => {
      await schedules?.close();
      await jobs?.close();
      throw error;
    });
  const closeOthers = async (): Promise<void> => {
    await app.close();
    await schedules?.close();
    await jobs?.close();
  };
  const wireDeps = { sql: database, generateReport, queue, answers, logger, metrics: metrics.reports };
  const wire = await openWire(config, wireDeps).catch(async (error: unknown) => {
    await closeOthers();
    throw error;
  });
  return {
    url,
    wirePort: wire?.port ?? null,
    forgetRates: recentRates.forget,
    close: async () => {
      await wire?.close();
      await closeOthers();
    },
  };
}

const readinessOf = (database: Database, clickhouse: ClickHouse) =>
  createReadiness({ postgres: () => database.ping(), clickhouse: () => clickhouse.ping() });

const CLOSE_DEADLINE_MS = 20_000;
const CLOSE_TRACING_MS = 2_000;

/**
 * The role in a process of its own, until it is stopped.
 * @throws SettingsError where settings are wrong, Error where ClickHouse refuses us or the address is taken.
 */
export async function runReporting(): Promise<void> {
  const config = readReportingConfig();
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, role: 'reporting' });
  await runUntilStopped({
    logger,
    deadlineMs: CLOSE_DEADLINE_MS,
    start: async ({ opened, signal }) => {
      const patience = { logger, signal };
      const metrics = createMetrics();
      const tracing = await openTracing(config, 'reporting', logger);
      opened.defer(() => tracing.close(CLOSE_TRACING_MS));
      const clickhouse = await openStatistics(config, null);
      opened.defer(() => clickhouse.close());
      const connections = config.reportingDatabaseConnections;
      const database = createPool(config.databaseUrl, 'broadside-reporting', connections);
      opened.defer(() => database.close());
      let serving = false;
      const checks = readinessOf(database, clickhouse);
      const internal = await startInternalServer({
        host: config.reportingInternalHost,
        port: config.reportingInternalPort,
        hostNames: config.internalHostNames,
        readiness: async () => ({ accepting: serving, ...(await checks()) }),
        metrics: () => metrics.exposition(),
      });
      opened.defer(() => internal.close(CLOSE_PART_MS));
      let log: Log | null = null;
      sampleService(metrics.service, {
        ...{ database, clickhouse, pingLog: async () => (await log?.ping()) ?? false },
        folders: config.reportJobsFolder === null ? {} : { reports: config.reportJobsFolder },
        config,
      });
      await prepareDatabase(config.databaseUrl, database, patience);
      await prepareStatistics(clickhouse, config, patience);
      const reporting = await startReporting(config, { database, clickhouse, metrics, logger, tracing });
      opened.defer(() => reporting.close());
      serving = true;
      // Only then: reports of what is stored need no log.
      const openedLog = await openLog(config, config.databaseUrl, patience);
      opened.defer(() => openedLog.close(CLOSE_PART_MS));
      log = openedLog;
      const onRates = reporting.forgetRates;
      const ingest = await startIngest({ database, log: openedLog, clickhouse, logger, metrics, onRates });
      opened.defer(() => ingest.close(CLOSE_INGEST_MS));
      opened.defer(() => internal.drain());
    },
  });
}
