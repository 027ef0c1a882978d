import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '../engine/adapters/clickhouse/clickhouse.ts';
import { createLogger } from '../engine/adapters/telemetry/logger.ts';
import { openTracing } from '../engine/adapters/telemetry/open-tracing.ts';
import { createReadiness } from '../engine/adapters/telemetry/readiness.ts';
import { noTracing, type Tracing } from '../engine/adapters/telemetry/tracing.ts';
import { openStatistics } from '../engine/open-parts.ts';
import { runUntilStopped } from '../engine/run-until-stopped.ts';
import { createReporting } from './app.ts';
import { type ReportingConfig, readReportingConfig } from './config.ts';

/** What the reporting API stands on; whoever starts it opens and closes these. */
export interface ReportingParts {
  readonly clickhouse: Pick<ClickHouse, 'ping'>;
  readonly logger: FastifyBaseLogger | false;
  readonly tracing?: Tracing;
}

export interface RunningReporting {
  /** Where it listens: `http://127.0.0.1:8082`. */
  readonly url: string;
  /** Takes no more requests and answers those in hand. */
  close(): Promise<void>;
}

/** @throws Error where the address is taken. */
export async function startReporting(
  config: ReportingConfig,
  { clickhouse, logger, tracing = noTracing }: ReportingParts,
): Promise<RunningReporting> {
  const readiness = createReadiness({ clickhouse: () => clickhouse.ping() });
  const app = createReporting({ readiness, logger, tracing });
  const url = await app.listen({ host: config.reportingHost, port: config.reportingPort });
  return { url, close: () => app.close() };
}

const CLOSE_DEADLINE_MS = 15_000;
const CLOSE_TRACING_MS = 2_000;

/**
 * The role in a process of its own, until it is told to stop.
 * @throws SettingsError where settings are wrong, Error where ClickHouse does not answer or the address is taken.
 */
export async function runReporting(): Promise<void> {
  const config = readReportingConfig();
  const logger = createLogger({ level: config.logLevel, role: 'reporting' });
  const tracing = await openTracing(config, 'reporting', logger);
  const clickhouse = await openStatistics(config, null);
  const reporting = await startReporting(config, { clickhouse, logger, tracing });
  await runUntilStopped({
    logger,
    deadlineMs: CLOSE_DEADLINE_MS,
    close: async () => {
      await reporting.close();
      await clickhouse.close();
      await tracing.close(CLOSE_TRACING_MS);
    },
  });
}
