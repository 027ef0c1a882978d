import { type MasterKeys, readMasterKeys } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { MasterKeyConfig } from '../../settings/config.ts';
import { readFolderKeys } from '../../up/data-folder.ts';

/** The keys that the roles have: of the environment, otherwise of the data folder. */
export async function masterKeysOf(config: MasterKeyConfig): Promise<MasterKeys> {
  if (config.masterKey !== null) return readMasterKeys({ ...config, masterKey: config.masterKey });
  const ofFolder = await readFolderKeys(config.dataFolder);
  if (ofFolder === null) {
    throw new CliError(`there is no master key in ${config.dataFolder}: set MASTER_KEY as the roles have it`);
  }
  return readMasterKeys({
    masterKey: ofFolder.current,
    masterKeysOld: [...config.masterKeysOld, ...ofFolder.old],
  });
}
