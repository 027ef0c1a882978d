import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { takeSessionLock } from '../../../engine/adapters/postgres/session-lock.ts';
import { withDatabase } from '../../../engine/command-line/database.ts';
import { CliError } from '../../../engine/command-line/endings.ts';
import type { ImportEncoding, ImportRecords } from '../../../engine/command-line/file/records.ts';
import { createProgress, createRejects } from '../../../engine/command-line/file/report.ts';
import { print, printJson } from '../../../engine/command-line/terminal.ts';
import type { StatisticsConfig } from '../../config.ts';
import { abandonLoad, activateLoad, isPending, loadLockName, registerLoad } from '../../ingest/ad-loads.ts';
import { type OpenStatistics, withScratchStatistics, withStatistics } from '../statistics.ts';
import type { ColumnRules } from './columns.ts';
import { openFile } from './import-file.ts';
import { type ImportLedger, importLoad, type LoadEnding } from './import-load.ts';
import { type AdStatsFormat, contentOf, kindOf } from './source.ts';
import { type Input, openInput, STANDARD_INPUT } from './spool.ts';
import { endingLine } from './summary.ts';

export interface ImportOptions {
  readonly source: string;
  readonly kind: 'append' | 'restate';
  readonly format: AdStatsFormat | undefined;
  readonly currency: string;
  readonly columns: ColumnRules;
  readonly encoding: ImportEncoding;
  readonly completeUntil: Date | null;
  readonly maxBad: number;
  readonly rejects: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * The files in their order, each as a load of its own; the first failure ends the run.
 * @returns how many rows were bad.
 * @throws CliError where a file could not be imported; earlier ones are imported.
 */
export function importFiles(
  config: StatisticsConfig,
  files: readonly string[],
  options: ImportOptions,
): Promise<number> {
  if (options.dryRun) {
    return withScratchStatistics((statistics) => importAll(scratchLedger(), statistics, files, options));
  }
  return withDatabase(config, (database, url) =>
    withStatistics(config, (statistics) => importAll(ledgerOn(database, url), statistics, files, options)),
  );
}

async function importAll(
  ledger: ImportLedger,
  statistics: OpenStatistics,
  files: readonly string[],
  options: ImportOptions,
): Promise<number> {
  // Before anything is taken: the second file's name must not fail after the first one is in.
  for (const file of files) kindOf(file, options.format);
  if (files.filter((file) => file === STANDARD_INPUT).length > 1)
    throw new CliError('standard input can be read once');
  const rejects = await createRejects(options.rejects, ({ file, line }) => `${file}:${line}`);
  let refused = 0;
  try {
    for (const file of files) {
      const startedAt = performance.now();
      await using input = await openInput(file);
      const { ending, lines } = await importOne(ledger, statistics, input, options);
      if (ending.kind !== 'known') {
        refused += ending.refused;
        await tellRefused(statistics, ending.load, input.name, rejects);
      }
      tell({ file: input.name, ending, lines, elapsedMs: performance.now() - startedAt }, options);
    }
  } finally {
    await rejects.close();
  }
  return refused;
}

interface Imported {
  readonly ending: LoadEnding;
  readonly lines: ImportRecords['counts'] | null;
}

async function importOne(
  ledger: ImportLedger,
  statistics: OpenStatistics,
  { path, name }: Input,
  options: ImportOptions,
): Promise<Imported> {
  const { source, kind, currency, columns, encoding, maxBad, completeUntil } = options;
  const file = await openFile(path, kindOf(name, options.format), {
    source,
    currency,
    columns,
    encoding,
    engineFolder: statistics.engineFolder,
  });
  const progress = createProgress(file.total, file.read);
  try {
    const content = await contentOf(path);
    const ending = await importLoad(
      { ledger, store: statistics.adStats, pause, onProgress: progress.show },
      { source, kind, content, maxBad, completeUntil, rows: file.rows },
    );
    return { ending, lines: file.lines };
  } finally {
    progress.stop();
    await file.close();
  }
}

const REFUSED_PER_READ = 1_000;

/** In reads of this size, so that the memory does not grow with the number of bad rows. */
async function tellRefused(
  { adStats }: OpenStatistics,
  load: number,
  file: string,
  rejects: Awaited<ReturnType<typeof createRejects>>,
): Promise<void> {
  let after = 0;
  for (;;) {
    const rows = await adStats.refusedRows(load, after, REFUSED_PER_READ);
    for (const { row, reason, raw } of rows) await rejects.add({ file, line: row, reason, raw });
    after = rows.at(-1)?.row ?? after;
    if (rows.length < REFUSED_PER_READ) return;
  }
}

/** @throws CliError where nothing of the file was taken. */
function tell(
  { file, ending, lines, elapsedMs }: Imported & { readonly file: string; readonly elapsedMs: number },
  options: ImportOptions,
): void {
  const counted = lines === null ? {} : { lines: lines.lines, passed_over: lines.passedOver };
  if (options.json) printJson({ file, ...ending, ...counted, elapsed_ms: Math.round(elapsedMs) });
  if (ending.kind === 'refused') throw new CliError(`nothing of ${file} was taken: ${ending.reason}`);
  if (!options.json) print(endingLine(file, ending, elapsedMs, { ...options, lines }));
}

const ledgerOn = (database: Database, url: string): ImportLedger => ({
  lock: (load) => takeSessionLock(url, loadLockName(load)),
  register: (load) => registerLoad(database, load),
  isPending: (load) => isPending(database, load),
  activate: (activation) => activateLoad(database, activation),
  abandon: (load) => abandonLoad(database, load),
});

/** For a dry run: each file is new, and nothing is kept. */
function scratchLedger(): ImportLedger {
  let load = 0;
  return {
    lock: async () => ({ release: async () => {} }),
    register: async () => ({ kind: 'registered', load: ++load }),
    isPending: async () => true,
    activate: async () => true,
    abandon: async () => {},
  };
}
