import type { FastifyBaseLogger } from 'fastify';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { createMailer } from '../../engine/adapters/mail/mailer.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createSealer, readMasterKeys, type Sealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import { createPublicAddresses, type PublicAddresses } from '../../engine/network/public-addresses.ts';
import type { ReportReader } from '../answer/report-reader.ts';
import type { ReportingConfig } from '../config.ts';
import type { OpenJobs } from '../jobs/open.ts';
import { findConcerned } from './concerned.ts';
import { createBucketDelivery } from './deliver/bucket.ts';
import { createEmailDelivery } from './deliver/email.ts';
import { createWebhookDelivery } from './deliver/webhook.ts';
import { createFileAddresses, type FileAddresses } from './file-address.ts';
import { createFinalDaysOf } from './final-days.ts';
import { createFired, type FinalDaysOf } from './firings.ts';
import { startSchedules } from './run.ts';

export interface OpenSchedules {
  readonly sealer: Sealer;
  readonly addresses: FileAddresses;
  readonly hasMail: boolean;
  /** There may be a run to begin. */
  wake(): void;
  /** Gives what is on its way back. */
  close(): Promise<void>;
}

export interface SchedulesParts {
  readonly database: Database;
  readonly jobs: Pick<OpenJobs, 'store' | 'folder' | 'wake'>;
  /** For what sources say of their days, as far as a token sees them. */
  readonly reader: ReportReader;
  readonly clickhouse: Pick<ClickHouse, 'client'>;
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
  /** Left out: the public internet, the machine's time, and the real days. */
  readonly publicAddresses?: PublicAddresses;
  readonly nowMs?: () => number;
  readonly finalDaysOf?: FinalDaysOf;
}

type SchedulesConfig = Pick<
  ReportingConfig,
  | 'masterKey'
  | 'masterKeysOld'
  | 'reportingBaseUrl'
  | 'reportingHost'
  | 'reportingPort'
  | 'reportEmailMb'
  | 'smtpUrl'
  | 'mailFrom'
>;

/** @returns null where there is no master key, or no address at which people reach the files. */
export function openSchedules(config: SchedulesConfig, parts: SchedulesParts): OpenSchedules | null {
  const { masterKey, masterKeysOld } = config;
  const baseUrl = baseUrlOf(config);
  if (masterKey === null || baseUrl === null) return null;
  const { database, jobs, reader, logger, nowMs = Date.now } = parts;
  const keys = readMasterKeys({ masterKey, masterKeysOld });
  const sealer = createSealer(keys.current, keys.old);
  const addresses = createFileAddresses(keys.current, keys.old);
  const publicAddresses = parts.publicAddresses ?? createPublicAddresses();
  const sendMail = createMailer(config);
  const { store, folder } = jobs;
  const running = startSchedules({
    database,
    fired: createFired(nowMs, parts.finalDaysOf ?? createFinalDaysOf({ sql: database, reader, nowMs })),
    concerned: (sql, events, wanted) => findConcerned(sql, parts.clickhouse, events, wanted),
    deliver: {
      webhook: createWebhookDelivery({ addresses: publicAddresses, sealer, nowMs }),
      bucket: createBucketDelivery({ addresses: publicAddresses, sealer, store, folder }),
      email:
        sendMail === null
          ? null
          : createEmailDelivery({
              sql: database,
              sendMail,
              store,
              mostBytes: config.reportEmailMb * 1_048_576,
            }),
    },
    ...{ addresses, store },
    baseUrl: `${baseUrl}/api/v1`,
    nowMs,
    wakeJobs: () => jobs.wake(),
    logger,
  });
  return { sealer, addresses, hasMail: sendMail !== null, ...running };
}

/** On your own machine, that is where it listens. */
function baseUrlOf({ reportingBaseUrl, reportingHost, reportingPort }: SchedulesConfig): string | null {
  if (reportingBaseUrl !== null) return reportingBaseUrl;
  const isLoopback = reportingHost === '127.0.0.1' || reportingHost === 'localhost';
  return isLoopback && reportingPort !== 0 ? `http://${reportingHost}:${reportingPort}` : null;
}
