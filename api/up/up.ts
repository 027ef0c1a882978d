import { join } from 'node:path';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import { createStatisticsChanges } from '../../engine/adapters/clickhouse/anonymize.ts';
import { createStatisticsCopy } from '../../engine/adapters/clickhouse/backup/copy.ts';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import { createEventStore } from '../../engine/adapters/clickhouse/event-store.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import { createReachedReads } from '../../engine/adapters/clickhouse/reached.ts';
import { readClickHouseState } from '../../engine/adapters/clickhouse/schema-state.ts';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { renewOwnAddresses } from '../../engine/adapters/postgres/own-addresses.ts';
import { createSealer, readMasterKeys } from '../../engine/adapters/postgres/sealed-secret.ts';
import { takeSessionLock } from '../../engine/adapters/postgres/session-lock.ts';
import { replaced } from '../../engine/adapters/settings/read-settings.ts';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { createMetrics } from '../../engine/adapters/telemetry/metrics.ts';
import { openTracing } from '../../engine/adapters/telemetry/open-tracing.ts';
import { startEngine } from '../../engine/compose/engine.ts';
import type { EngineConfig } from '../../engine/config.ts';
import { createSubjectOf } from '../../engine/contract/vapid-subject.ts';
import type { EngineControl } from '../../engine/control/control.ts';
import { createInternalLookup, createInternalStreams } from '../../engine/control/live-answers.ts';
import { step } from '../../engine/kit/command-line/steps.ts';
import { printPage, terminalWidth } from '../../engine/kit/command-line/terminal.ts';
import type { ControlSecret } from '../../engine/kit/roles/control-answer.ts';
import { startInternalServer } from '../../engine/kit/roles/internal-server.ts';
import {
  createPool,
  openLog,
  openStatistics,
  prepareDatabase,
  prepareStatistics,
} from '../../engine/kit/roles/open-parts.ts';
import { createReadiness } from '../../engine/kit/roles/readiness.ts';
import { runUntilStopped, type Start } from '../../engine/kit/roles/run-until-stopped.ts';
import { sampleService } from '../../engine/kit/roles/service-samples.ts';
import { createDeliveryProofs } from '../../engine/notification/delivery-proof.ts';
import { createAdStatsStore } from '../../reporting/ingest/ad-stats-store.ts';
import { createFxStore } from '../../reporting/ingest/fx-store.ts';
import { CLOSE_INGEST_MS, startIngest } from '../../reporting/ingest/start.ts';
import { startIntakeServer } from '../../reporting/loopback/server.ts';
import { startReporting } from '../../reporting/main.ts';
import { createAnalyticsPort } from '../serve/analytics-port.ts';
import { apiConnections, openApiPools, warnOfTooManyConnections } from '../serve/pools.ts';
import { startApi } from '../serve/server.ts';
import { type ApiConfig, readEnvironment, readUpConfig, type UpConfig } from '../settings/config.ts';
import { isLoopbackHost } from '../settings/loopback-host.ts';
import { type DataFolder, openDataFolder, readOldMasterKeys, readOrMakeMasterKey } from './data-folder.ts';
import { createFirstAdmin } from './first-admin.ts';
import { refuseMissingPackages } from './missing-packages.ts';
import { checkRoles, readRoles } from './read-roles.ts';
import { steps } from './steps.ts';
import { welcome } from './welcome.ts';

/** In the data folder: results of report jobs. */
const JOBS_FOLDER = 'report-jobs';
const CLOSE_MARGIN_MS = 15_000;
const CLOSE_PART_MS = 2_000;
/** Beside its own Postgres nobody else publishes but commands, and what it publishes itself wakes its readers. */
const POLL_ALONE_MS = 2_000;

/**
 * Every role in one process. Postgres and ClickHouse are embedded in the data folder unless `DATABASE_URL` and
 * `CLICKHOUSE_URL` name servers. Opened parts are closed again, in reverse, where a later part fails.
 */
export async function runUp(): Promise<void> {
  const up = readUpConfig();
  const { config } = checkRoles(up);
  refuseMissingPackages({ databaseUrl: up.databaseUrl, clickhouseUrl: config.clickhouseUrl });
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, role: 'up' });
  await runUntilStopped({
    logger,
    deadlineMs: config.drainDeadlineMs + CLOSE_MARGIN_MS,
    start: (start) => startRoles(up, logger, start),
  });
}

/** No other address was published, and no other machine could use it. */
const isForThisMachine = ({
  publicBaseUrl,
  apiHost,
}: Pick<ApiConfig, 'publicBaseUrl' | 'apiHost'>): boolean =>
  publicBaseUrl === null && isLoopbackHost(apiHost);

const controlSecretOf = ({
  internalSecret,
  internalHost,
}: Pick<EngineConfig, 'internalSecret' | 'internalHost'>): ControlSecret =>
  internalSecret !== null ? { text: internalSecret } : isLoopbackHost(internalHost) ? null : 'missing';

/**
 * The VAPID contact of a Broadside on a developer's machine, where neither VAPID_SUBJECT nor an app's site is
 * one: its first notification must arrive. The domain is reserved for examples (RFC 2606), so no one owns it.
 */
const DESK_SUBJECT = 'mailto:nobody@example.com';

/** Opens the parts in the order in which they need each other; closing reverses it. */
async function startRoles(
  up: UpConfig,
  logger: ReturnType<typeof createLogger>,
  { opened, signal }: Start,
): Promise<void> {
  const patience = { logger, signal };
  const folder = await openDataFolder(up.dataFolder);
  const databaseUrl =
    up.databaseUrl ?? (await step(steps.postgres, () => openEmbeddedPostgres(up, folder, opened)));
  const masterKey = up.masterKey ?? (await readOrMakeMasterKey(folder));
  const oldKeys = up.masterKey === null ? await readOldMasterKeys(folder.path) : [];
  const { config, reportingConfig } = readRoles(
    replaced(up.environment, {
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey,
      MASTER_KEYS_OLD: [...up.masterKeysOld, ...oldKeys].join(','),
    }),
  );
  const masterKeys = readMasterKeys(config);
  const sealer = createSealer(masterKeys.current, masterKeys.old);
  const metrics = createMetrics();
  const tracing = await openTracing(config, 'up', logger);
  opened.defer(() => tracing.close(CLOSE_PART_MS));

  const connections =
    config.databaseConnections + config.apiDatabaseConnections + reportingConfig.reportingDatabaseConnections;
  const database = createPool(databaseUrl, 'broadside', connections);
  opened.defer(() => database.close());
  await step(steps.migrate, () => prepareDatabase(databaseUrl, database, patience));
  if (config.publicBaseUrl !== null) await renewOwnAddresses(database, config.publicBaseUrl);
  const clickhouse = await step(steps.clickhouse, async () => {
    const server = await openStatistics(config, folder.clickhousePath);
    opened.defer(() => server.close());
    await prepareStatistics(server, config, patience, config.rawRowsDays);
    return server;
  });
  const pools = openApiPools((name, most) => createPool(databaseUrl, name, most), config, opened);
  const others = config.databaseConnections + reportingConfig.reportingDatabaseConnections;
  await warnOfTooManyConnections(database, others + apiConnections(config), logger);
  const pollMs = up.databaseUrl === null ? POLL_ALONE_MS : undefined;
  const log = await step(steps.log, () => openLog(config, databaseUrl, patience, pollMs));
  opened.defer(() => log.close(CLOSE_PART_MS));
  const analytics = createAnalytics(clickhouse);

  let serving = false;
  let isSending = (): boolean => true;
  const checks = createReadiness({
    postgres: () => database.ping(),
    log: () => log.ping(),
    sending: async () => isSending(),
  });
  const readiness = async () => ({ accepting: serving, ...(await checks()) });
  let control: EngineControl | null = null;
  const internal = await startInternalServer({
    host: config.internalHost,
    port: config.internalPort,
    hostNames: config.internalHostNames,
    secret: controlSecretOf(config),
    readiness,
    metrics: () => metrics.exposition(),
    lookUp: createInternalLookup(database, analytics),
    control: () => control,
    streams: createInternalStreams(database),
  });
  opened.defer(() => internal.close(CLOSE_PART_MS));
  sampleService(metrics.service, {
    ...{ database, clickhouse, pingLog: () => log.ping(), publicBaseUrl: config.publicBaseUrl },
    otherPools: Object.values(pools),
    folders: {
      'data-folder': folder.path,
      reports: reportingConfig.reportJobsFolder ?? join(folder.path, JOBS_FOLDER),
    },
    config,
  });
  const subjectOf = createSubjectOf(config.vapidSubject, isForThisMachine(config) ? DESK_SUBJECT : null);
  const engine = await step(steps.engine, () =>
    startEngine(config, {
      database,
      log,
      sealer,
      proofs: createDeliveryProofs(masterKeys.current),
      logger,
      metrics,
      tracing,
      subjectOf,
      outcomeStore: createOutcomeStore(clickhouse),
      eventStore: createEventStore(clickhouse),
      statisticsChanges: createStatisticsChanges(clickhouse),
      reached: createReachedReads(clickhouse),
    }),
  );
  opened.defer(() => engine.close(config.drainDeadlineMs));
  control = engine.control;
  isSending = engine.isSending;
  const reporting = await step(steps.reporting, () =>
    startReporting(reportingConfig, {
      ...{ database, clickhouse, metrics, logger, tracing },
      jobsFolder: join(folder.path, JOBS_FOLDER),
    }),
  );
  opened.defer(() => reporting.close());
  const onRates = reporting.forgetRates;
  const ingest = await startIngest({ database, log, clickhouse, logger, metrics, onRates });
  opened.defer(() => ingest.close(CLOSE_INGEST_MS));
  // The dashboard's reports go to the reporting role of this process unless a setting names another one.
  const apiConfig = {
    ...config,
    reportingUrl: config.reportingUrl ?? reporting.url,
    // As long as no reader can reach it, its own example page may subscribe to any app.
    allowLocalhostOrigin: config.allowLocalhostOrigin || isForThisMachine(config),
  };
  const api = await step(steps.api, () =>
    startApi(apiConfig, {
      database,
      ...pools,
      analytics: createAnalyticsPort(analytics, createEarnings(clickhouse)),
      log,
      readiness,
      subjectOf,
      wakeRelay: engine.wakeRelay,
      metrics: metrics.service,
      logger,
      tracing,
    }),
  );
  opened.defer(() => api.close());
  if (config.clickhouseUrl === null) {
    const intake = await startIntakeServer(
      {
        adStats: createAdStatsStore(clickhouse),
        rates: createFxStore(clickhouse),
        readState: () => readClickHouseState(clickhouse),
        copy: createStatisticsCopy(clickhouse),
      },
      folder.path,
    );
    opened.defer(() => intake.close());
  }

  const admin = await createFirstAdmin(database, config.publicBaseUrl ?? api.url);
  serving = true;
  opened.defer(() => {
    serving = false;
    internal.drain();
  });
  const script = readEnvironment().npm_lifecycle_event;
  const reach = { publicBaseUrl: config.publicBaseUrl, columns: terminalWidth(), script };
  const places = { api: api.url, reporting: reporting.url, internal: internal.url, folder: folder.path };
  printPage(welcome({ ...places, admin, reach }));
}

/** Starts or takes over the folder's Postgres, and holds the folder as long as this process lives. */
async function openEmbeddedPostgres(
  { postgresPort }: UpConfig,
  folder: DataFolder,
  opened: AsyncDisposableStack,
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ folder: folder.path, port: postgresPort, durable: true });
  const lock = await takeSessionLock(postgres.url, 'data folder').catch(async (error) => {
    await postgres.release();
    throw new Error(
      `the embedded Postgres has started, and ${new URL(postgres.url).host} does not answer (${error.message}): is the loopback interface up, and does no firewall close it?`,
    );
  });
  if (lock === null) {
    await postgres.release();
    throw new Error(
      `the data folder ${folder.path} is in use by another Broadside: stop that one, or set DATA_FOLDER to another folder`,
    );
  }
  opened.defer(() => postgres.stop());
  opened.defer(() => lock.release());
  return postgres.url;
}
