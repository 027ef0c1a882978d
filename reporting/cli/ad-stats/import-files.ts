import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { takeSessionLock } from '../../../engine/adapters/postgres/session-lock.ts';
import type { AdRows } from '../../../engine/contract/ad-stats.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { ImportEncoding, ImportRecords } from '../../../engine/kit/command-line/file/records.ts';
import { createProgress, createRejects } from '../../../engine/kit/command-line/file/report.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import type { StatisticsConfig } from '../../config.ts';
import {
  abandonLoad,
  activateLoad,
  isPending,
  type KnownFile,
  knownFiles,
  loadLockName,
  noteCompleteUntil,
  registerLoad,
} from '../../ingest/ad-loads.ts';
import { type Grain, HasHours, type Times } from '../../ingest/grain.ts';
import { type OpenStatistics, withScratchStatistics, withStatistics } from '../statistics.ts';
import type { ColumnRules } from './columns.ts';
import { openFile } from './import-file.ts';
import { type ImportLedger, importLoad, type LoadEnding } from './import-load.ts';
import { readingOf, refuseOtherReading } from './reading.ts';
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
  /** What its times are; null: found out. */
  readonly grain: Grain | null;
  readonly completeUntil: Date | null;
  readonly maxBad: number;
  readonly rejects: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The ledger as a whole import uses it. */
interface FilesLedger extends ImportLedger {
  known(source: string, contents: readonly string[]): Promise<readonly KnownFile[]>;
  noteCompleteUntil(source: string, completeUntil: Date): Promise<unknown>;
}

/**
 * The files as one load: all of them count, at one moment, or none does.
 * @returns how many rows were bad.
 * @throws CliError where they could not be imported.
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

/** A file on its way into a load. */
interface Part {
  readonly input: Input;
  readonly content: string;
  readonly reading: string;
  sent: number;
  lines: ImportRecords['counts'] | null;
}

async function importAll(
  ledger: FilesLedger,
  statistics: OpenStatistics,
  files: readonly string[],
  options: ImportOptions,
): Promise<number> {
  // Before anything is taken: the second file's name must not fail after the first one is in.
  for (const file of files) kindOf(file, options.format);
  if (files.filter((file) => file === STANDARD_INPUT).length > 1)
    throw new CliError('standard input can be read once');
  await using inputs = new AsyncDisposableStack();
  const parts: Part[] = [];
  for (const file of files) {
    const input = inputs.use(await openInput(file));
    const content = await contentOf(input.path);
    const twin = parts.find((part) => part.content === content);
    if (twin === undefined)
      parts.push({ input, content, reading: readingOf(input.name, options), sent: 0, lines: null });
    else printNote(`${input.name} has the bytes of ${twin.input.name}: they are taken once.`);
  }
  // Awaited here: the inputs go when this ends.
  return await importParts(ledger, statistics, await newParts(ledger, parts, options), options);
}

/** Those that are not in already: what was appended once is not appended again. A restatement replaces as a whole. */
async function newParts(
  ledger: FilesLedger,
  parts: readonly Part[],
  options: ImportOptions,
): Promise<readonly Part[]> {
  if (options.kind === 'restate') return parts;
  const contents = parts.map(({ content }) => content);
  const known = new Map((await ledger.known(options.source, contents)).map((file) => [file.content, file]));
  for (const { input, content, reading } of parts) {
    const file = known.get(content);
    if (file !== undefined) refuseOtherReading(input.name, file, reading);
  }
  for (const { input, content } of parts) {
    const file = known.get(content);
    if (file !== undefined)
      tell(input.name, { kind: 'known', load: file.load, since: file.since }, 0, null, options);
  }
  if (known.size === contents.length) await noteTime(ledger, options);
  return parts.filter(({ content }) => !known.has(content));
}

/** The rows are in, and what is said of them may be new. */
async function noteTime(ledger: FilesLedger, { source, completeUntil }: ImportOptions): Promise<void> {
  if (completeUntil === null) return;
  await ledger.noteCompleteUntil(source, completeUntil);
  printNote(`Data of ${source} is complete until ${completeUntil.toISOString()}.`);
}

async function importParts(
  ledger: FilesLedger,
  statistics: OpenStatistics,
  parts: readonly Part[],
  options: ImportOptions,
): Promise<number> {
  if (parts.length === 0) return 0;
  const startedAt = performance.now();
  const rejects = await createRejects(options.rejects, ({ file, line }) => `${file}:${line}`);
  try {
    const ending = await loadParts(ledger, statistics, parts, options);
    const refused = ending.kind === 'known' ? [] : await tellRefused(statistics, ending.load, parts, rejects);
    const elapsedMs = performance.now() - startedAt;
    for (const [index, part] of parts.entries()) {
      const bad = refused[index] ?? 0;
      const own = ending.kind === 'known' ? ending : { ...ending, rows: part.sent - bad, refused: bad };
      tell(part.input.name, own, elapsedMs, part.lines, options);
    }
    if (ending.kind === 'known') await noteTime(ledger, options);
    return ending.kind === 'known' ? 0 : ending.refused;
  } finally {
    await rejects.close();
  }
}

async function loadParts(
  ledger: ImportLedger,
  statistics: OpenStatistics,
  parts: readonly Part[],
  options: ImportOptions,
): Promise<LoadEnding> {
  const load = (midnightIs: Grain) =>
    loadAs(ledger, statistics, parts, options, { declared: options.grain, midnightIs });
  try {
    return await load(options.grain ?? 'day');
  } catch (error) {
    if (error instanceof HasHours) return load('hour');
    throw error;
  }
}

function loadAs(
  ledger: ImportLedger,
  statistics: OpenStatistics,
  parts: readonly Part[],
  options: ImportOptions,
  times: Times,
): Promise<LoadEnding> {
  const { source, kind, maxBad, completeUntil } = options;
  const files = parts.map(({ content, reading }) => ({ content, reading }));
  let show: Progress = () => {};
  return importLoad(
    { ledger, store: statistics.adStats, pause, onProgress: (counts) => show(counts) },
    {
      ...{ source, kind, maxBad, completeUntil, files },
      content: contentOfAll(files),
      rows: (load) =>
        rowsOf(parts, load, { options, times, engineFolder: statistics.engineFolder }, (next) => {
          show = next;
        }),
    },
  );
}

type Progress = ReturnType<typeof createProgress>['show'];

/** In any order: they are the same load. */
const contentOfAll = (files: readonly { readonly content: string; readonly reading: string }[]): string =>
  hash('sha256', JSON.stringify(files.map(({ content, reading }) => [content, reading]).toSorted()));

/** Numbers of rows in a load: those of the second file begin beyond those of the first. */
const ROWS_PER_FILE = 10 ** 12;

async function* rowsOf(
  parts: readonly Part[],
  load: number,
  {
    options,
    ...rules
  }: { readonly options: ImportOptions; readonly times: Times; readonly engineFolder: string | null },
  onProgress: (show: Progress) => void,
): AsyncGenerator<AdRows> {
  for (const [index, part] of parts.entries()) {
    const { path, name } = part.input;
    const file = await openFile(path, kindOf(name, options.format), { ...options, ...rules });
    const progress = createProgress(file.total, file.read);
    onProgress(progress.show);
    part.sent = 0;
    part.lines = file.lines;
    try {
      for await (const piece of file.rows(load, index * ROWS_PER_FILE)) {
        part.sent += piece.rows;
        yield piece;
      }
      if ((await file.contentRead()) !== part.content)
        throw new CliError(
          `${name} changed while it was read, and nothing was taken: import it when it is whole`,
        );
    } finally {
      progress.stop();
      await file.close();
    }
  }
}

const REFUSED_PER_READ = 1_000;

/**
 * In reads of this size, so that the memory does not grow with the number of bad rows.
 * @returns how many each file has.
 */
async function tellRefused(
  { adStats }: OpenStatistics,
  load: number,
  parts: readonly Part[],
  rejects: Awaited<ReturnType<typeof createRejects>>,
): Promise<number[]> {
  const counts = parts.map(() => 0);
  let after = 0;
  for (;;) {
    const rows = await adStats.refusedRows(load, after, REFUSED_PER_READ);
    for (const { row, reason, raw } of rows) {
      const index = Math.floor(row / ROWS_PER_FILE);
      counts[index] = (counts[index] ?? 0) + 1;
      await rejects.add({ file: parts[index]?.input.name ?? '', line: row % ROWS_PER_FILE, reason, raw });
    }
    after = rows.at(-1)?.row ?? after;
    if (rows.length < REFUSED_PER_READ) return counts;
  }
}

/** @throws CliError where nothing of the file was taken. */
function tell(
  file: string,
  ending: LoadEnding,
  elapsedMs: number,
  lines: ImportRecords['counts'] | null,
  options: ImportOptions,
): void {
  const counted = lines === null ? {} : { lines: lines.lines, passed_over: lines.passedOver };
  if (options.json) printJson({ file, ...ending, ...counted, elapsed_ms: Math.round(elapsedMs) });
  if (ending.kind === 'refused') throw new CliError(`nothing of ${file} was taken: ${ending.reason}`);
  if (!options.json) print(endingLine(file, ending, elapsedMs, { ...options, lines }));
}

const ledgerOn = (database: Database, url: string): FilesLedger => ({
  known: (source, contents) => knownFiles(database, source, contents),
  noteCompleteUntil: (source, completeUntil) => noteCompleteUntil(database, source, completeUntil),
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
    lock: async () => ({ release: async () => {} }),
    register: async () => ({ kind: 'registered', load: ++load }),
    isPending: async () => true,
    activate: async () => true,
    abandon: async () => {},
  };
}
