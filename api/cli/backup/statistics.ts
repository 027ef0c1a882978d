import { join, resolve } from 'node:path';
import {
  createStatisticsCopy,
  type StatisticsCopy,
} from '../../../engine/adapters/clickhouse/backup/copy.ts';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import type { BackupConfig } from '../../settings/config.ts';

/** What the reporting role owns, given by the composition root. */
export interface BackupParts {
  /** A copy of the ClickHouse of the `broadside up` that runs on this folder; null: none runs. */
  readonly reachCopy: (folder: string) => Promise<StatisticsCopy | null>;
}

const REQUEST_TIMEOUT_MS = 120_000;
const CONNECTIONS = 2;

/** The server of the settings, otherwise the embedded one of the data folder. */
export const openStatisticsOf = (config: BackupConfig): Promise<ClickHouse> =>
  openClickHouse(
    config.clickhouseUrl === null
      ? {
          kind: 'embedded',
          path: join(resolve(config.dataFolder), 'clickhouse'),
          database: config.clickhouseDatabase,
        }
      : {
          kind: 'http',
          url: config.clickhouseUrl,
          username: config.clickhouseUser,
          password: config.clickhousePassword ?? '',
          database: config.clickhouseDatabase,
          requestTimeoutMs: REQUEST_TIMEOUT_MS,
          maxConnections: CONNECTIONS,
        },
  );

export interface OpenCopy {
  readonly copy: StatisticsCopy;
  /** Whether a Broadside takes outcomes from the log now; null: not known from here. */
  readonly isServed: boolean | null;
  close(): Promise<void>;
}

/** An embedded ClickHouse is reached through the process that holds it, where one does. */
export async function openCopy(config: BackupConfig, { reachCopy }: BackupParts): Promise<OpenCopy> {
  if (config.clickhouseUrl === null) {
    const copy = await reachCopy(resolve(config.dataFolder));
    if (copy !== null) return { copy, isServed: true, close: async () => {} };
  }
  const clickhouse = await openStatisticsOf(config);
  return {
    copy: createStatisticsCopy(clickhouse),
    isServed: config.clickhouseUrl === null ? false : null,
    close: () => clickhouse.close(),
  };
}
