import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { isDatabaseAway } from '../../../engine/adapters/postgres/database-away.ts';
import { takeSessionLock } from '../../../engine/adapters/postgres/session-lock.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { StatisticsConfig } from '../../config.ts';
import {
  abandonLoad,
  activateLoad,
  daysWithRows,
  isPending,
  knownFiles,
  loadLockName,
  noteCompleteUntil,
  registerLoad,
} from '../../ingest/ad-loads.ts';
import { readSourceSettings, type SourceSettings } from '../../ingest/ad-source-settings.ts';
import { sayDaysOfLoads } from '../../ingest/days/ad-days.ts';
import { withScratchStatistics, withStatistics } from '../statistics.ts';
import { type FilesLedger, importAll } from './import-files.ts';
import type { ImportOptions } from './part.ts';
import { createPreview } from './preview.ts';

/** What the command says, once it is known what its source remembers. */
export type OptionsOf = (remembered: SourceSettings) => ImportOptions;

/**
 * @returns how many rows were bad.
 * @throws CliError where the files could not be imported.
 */
export function importFiles(
  config: StatisticsConfig,
  files: readonly string[],
  { source, dryRun, optionsOf }: { source: string; dryRun: boolean; optionsOf: OptionsOf },
): Promise<number> {
  if (dryRun) return previewFiles(config, files, source, optionsOf);
  return withDatabase(config, async (database, url) => {
    const options = optionsOf(await readSourceSettings(database, source));
    return withStatistics(config, (statistics) =>
      importAll(ledgerOn(database, url), statistics, files, options),
    );
  });
}

/** Writes nothing, and needs no database: it only cannot tell what is there already without one. */
async function previewFiles(
  config: StatisticsConfig,
  files: readonly string[],
  source: string,
  optionsOf: OptionsOf,
): Promise<number> {
  const preview = (options: ImportOptions, database: Database | null): Promise<number> =>
    withScratchStatistics((statistics, clickhouse) => {
      const hasRows =
        database === null ? null : (of: string, days: readonly string[]) => daysWithRows(database, of, days);
      return importAll(scratchLedger(), statistics, files, options, createPreview(clickhouse, hasRows));
    });
  let isThere = false;
  try {
    return await withDatabase(config, async (database) => {
      const remembered = await readSourceSettings(database, source);
      isThere = true;
      return preview(optionsOf(remembered), database);
    });
  } catch (error) {
    if (isThere || !(error instanceof CliError || isDatabaseAway(error))) throw error;
    return preview(optionsOf({}), null);
  }
}

const ledgerOn = (database: Database, url: string): FilesLedger => ({
  known: (source, contents) => knownFiles(database, source, contents),
  noteCompleteUntil: (source, completeUntil) => noteCompleteUntil(database, source, completeUntil),
  sayDays: (loads, said) => sayDaysOfLoads(database, loads, said),
  lock: (load) => takeSessionLock(url, loadLockName(load)),
  register: (load) => registerLoad(database, load),
  isPending: (load) => isPending(database, load),
  activate: (activation) => activateLoad(database, activation),
  abandon: (load) => abandonLoad(database, load),
});

/** For a dry run: each file is new, and nothing is kept. */
function scratchLedger(): FilesLedger {
  let load = 0;
  return {
    known: async () => [],
    noteCompleteUntil: async () => {},
    sayDays: async () => [],
    lock: async () => ({ release: async () => {} }),
    register: async () => ({ kind: 'registered', load: ++load }),
    isPending: async () => true,
    activate: async () => true,
    abandon: async () => {},
  };
}
