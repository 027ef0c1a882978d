import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import {
  type ClickHouseState,
  readClickHouseState,
} from '../../../engine/adapters/clickhouse/schema-state.ts';
import { serverHome } from '../../../engine/adapters/clickhouse/server-home.ts';
import type { MasterKeys } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { readSettings } from '../../../engine/adapters/settings/read-settings.ts';
import type { Environment, Settings, Values } from '../../../engine/contract/settings/settings.ts';
import { clickhouseSettings } from '../../../engine/contract/settings/shared-settings.ts';
import { readMasterKeyConfig } from '../../settings/config.ts';
import { masterKeysOf } from '../master-key/keys.ts';
import type { DoctorParts } from './parts.ts';

/** The settings of one table, or null where some are wrong: the check of the settings says which. */
export function settingsOf<Table extends Settings>(
  table: Table,
  environment: Environment,
): Values<Table> | null {
  try {
    return readSettings(table, environment);
  } catch {
    return null;
  }
}

/** The same, with the defaults in place of settings that are wrong. Of a table where each has one, or may be left out. */
export const settingsOrDefaults = <Table extends Settings>(
  table: Table,
  environment: Environment,
): Values<Table> => settingsOf(table, environment) ?? readSettings(table, {});

/** As the roles have them; null where none can be read. */
export async function keysOf(environment: Environment): Promise<MasterKeys | null> {
  try {
    return await masterKeysOf(readMasterKeyConfig(undefined, environment));
  } catch {
    return null;
  }
}

/** How ClickHouse was checked. */
export type Statistics =
  | {
      readonly kind: 'state';
      readonly state: ClickHouseState;
      readonly isServer: boolean;
      readonly where: string;
    }
  | { readonly kind: 'away'; readonly error: unknown }
  /** There is nothing to check, or it may not be checked. */
  | { readonly kind: 'unseen'; readonly why: string; readonly mend: string | null };

const REQUEST_TIMEOUT_MS = 5_000;

/** The server of the settings, otherwise the embedded one: through the process that holds its folder, where one does. */
export async function checkStatistics(
  environment: Environment,
  dataFolder: string,
  { reachStatistics }: Pick<DoctorParts, 'reachStatistics'>,
): Promise<Statistics> {
  const config = settingsOf(clickhouseSettings, environment);
  if (config === null)
    return { kind: 'unseen', why: 'its settings are wrong', mend: 'Fix the settings first.' };
  const database = config.clickhouseDatabase;
  if (config.clickhouseUrl !== null) {
    const bounds = { requestTimeoutMs: REQUEST_TIMEOUT_MS, maxConnections: 1 };
    const home = serverHome({ ...config, clickhouseUrl: config.clickhouseUrl }, bounds);
    return readFrom(() => openClickHouse(home), true, '');
  }
  const folder = resolve(dataFolder);
  const running = await reachStatistics(folder);
  if (running !== null)
    return {
      kind: 'state',
      state: running,
      isServer: false,
      where: ', in the Broadside that runs on the data folder',
    };
  const path = join(folder, 'clickhouse');
  if (!(await exists(path))) return { kind: 'unseen', why: `there is none in ${folder} yet`, mend: null };
  return readFrom(() => openClickHouse({ kind: 'embedded', path, database }), false, ', embedded');
}

async function readFrom(
  open: () => Promise<ClickHouse>,
  isServer: boolean,
  where: string,
): Promise<Statistics> {
  let clickhouse: ClickHouse;
  try {
    clickhouse = await open();
  } catch (error) {
    if (isServer) return { kind: 'away', error };
    const mend = 'If a Broadside is just starting there, run this again when it serves.';
    return { kind: 'unseen', why: (error as Error).message, mend };
  }
  try {
    return { kind: 'state', state: await readClickHouseState(clickhouse), isServer, where };
  } catch (error) {
    return { kind: 'away', error };
  } finally {
    await clickhouse.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
