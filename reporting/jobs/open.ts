import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Metrics } from '../../engine/adapters/telemetry/metrics.ts';
import { openStatistics } from '../../engine/kit/roles/open-parts.ts';
import { createReportReader, type ReportBounds, type ReportReader } from '../answer/report-reader.ts';
import type { ReportingConfig } from '../config.ts';
import type { GenerateReport } from '../generate/generate.ts';
import { PART_ROWS } from './make.ts';
import { type RunningJobs, startJobs } from './run.ts';
import { createBucketStore } from './store/bucket.ts';
import { createFolderStore } from './store/folder.ts';
import type { ResultStore } from './store/store.ts';

interface JobsParts {
  readonly database: Database;
  readonly clickhouse: ClickHouse;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
  /** Where no setting names one; null: there is none. */
  readonly jobsFolder: string | null;
}

export type OpenJobs = RunningJobs & {
  readonly store: ResultStore /** For what is being made. */;
  readonly folder: string;
};

const MB = 1_048_576;
/** Of all results: whoever else has some finds room, however many users an organization has. */
const SHARE_OF_USER = 1 / 4;
const SHARE_OF_ORGANIZATION = 3 / 4;
/** Beyond the time of a job: its query ends by itself first. */
const TIMEOUT_MARGIN_MS = 30_000;

export const jobBoundsOf = (config: ReportingConfig): ReportBounds => ({
  seconds: config.reportJobSeconds,
  memoryBytes: config.reportMemoryMb * MB,
  rows: config.reportJobRows,
  isJob: true,
});

/** @returns null where no place for results is set up. */
export async function openJobs(
  config: ReportingConfig,
  { database, clickhouse, metrics, logger, jobsFolder }: JobsParts,
  generateWith: (reader: ReportReader) => GenerateReport,
): Promise<OpenJobs | null> {
  const place = placeOf(config, jobsFolder);
  if (place === null) return null;
  const { store, folder } = place;
  // A client of their own: those of others end a request that is silent for as long as a job may be.
  const timeoutMs = config.reportJobSeconds * 1_000 + TIMEOUT_MARGIN_MS;
  const own = clickhouse.isEmbedded ? null : await openStatistics(config, null, timeoutMs);
  const jobs = startJobs({
    ...{ database, store, folder, generateWith, logger },
    reader: createReportReader(own ?? clickhouse, jobBoundsOf(config), folder),
    space: {
      totalBytes: config.reportJobsMb * MB,
      organizationBytes: config.reportJobsMb * MB * SHARE_OF_ORGANIZATION,
      userBytes: config.reportJobsMb * MB * SHARE_OF_USER,
    },
    mostBytes: config.reportJobMb * MB,
    partRows: PART_ROWS,
    atOnce: config.reportJobsAtOnce,
    metrics: metrics.reports,
  });
  return {
    ...jobs,
    store,
    folder,
    close: async () => {
      await jobs.close();
      await own?.close();
    },
  };
}

function placeOf(
  config: ReportingConfig,
  jobsFolder: string | null,
): { readonly store: ResultStore; readonly folder: string } | null {
  const folder = config.reportJobsFolder ?? jobsFolder;
  const {
    reportJobsBucketUrl: url,
    reportJobsBucketKeyId: keyId,
    reportJobsBucketSecret: secret,
    reportJobsBucketRegion: region,
  } = config;
  if (url !== null && keyId !== null && secret !== null)
    return {
      store: createBucketStore({ url, region, keyId, secret }),
      folder: folder ?? join(tmpdir(), 'broadside-report-jobs'),
    };
  return folder === null ? null : { store: createFolderStore(folder), folder };
}
