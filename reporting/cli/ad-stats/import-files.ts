import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AdRows } from '../../../engine/contract/ad-stats.ts';
import { counted, pluralOf } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { createProgress, createRejects } from '../../../engine/kit/command-line/file/report.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import type { KnownFile } from '../../ingest/ad-loads.ts';
import { DaysNotOver, type DaysSaid } from '../../ingest/days/ad-days.ts';
import { type Grain, HasHours, type Times } from '../../ingest/grain.ts';
import type { OpenStatistics } from '../statistics.ts';
import { openFile } from './import-file.ts';
import { type ImportLedger, importLoad, type LoadEnding } from './import-load.ts';
import { type ImportOptions, type Part, ROWS_SHOWN, type ShownRow } from './part.ts';
import type { Preview } from './preview.ts';
import { readingOf, refuseOtherReading } from './reading.ts';
import { contentOf, kindOf } from './source.ts';
import { isArchive, openInputs, STANDARD_INPUT } from './spool.ts';
import { endingLine } from './summary.ts';
import type { StoredTexts } from './values/clean.ts';
import { NeedsSurvey, type Style } from './values/survey.ts';

/** The ledger as a whole import uses it. */
export interface FilesLedger extends ImportLedger {
  known(source: string, contents: readonly string[]): Promise<readonly KnownFile[]>;
  noteCompleteUntil(source: string, completeUntil: Date): Promise<unknown>;
  /** Of loads that are in already. @returns the days that changed. */
  sayDays(loads: readonly number[], said: Omit<DaysSaid, 'days'>): Promise<readonly string[]>;
}

/**
 * The files as one load: all of them count, at one moment, or none does.
 * @returns how many rows were bad.
 * @throws CliError where they could not be imported.
 */
export async function importAll(
  ledger: FilesLedger,
  statistics: OpenStatistics,
  files: readonly string[],
  options: ImportOptions,
  preview: Preview | null = null,
): Promise<number> {
  // Before anything is taken: the second file's name must not fail after the first one is in.
  for (const file of files) if (!isArchive(file)) kindOf(file, options.format);
  if (files.filter((file) => file === STANDARD_INPUT).length > 1)
    throw new CliError('standard input can be read once');
  await using inputs = new AsyncDisposableStack();
  const parts: Part[] = [];
  for (const file of files) {
    for (const input of await openInputs(file)) {
      inputs.use(input);
      const content = await contentOf(input.path);
      const twin = parts.find((part) => part.content === content);
      if (twin !== undefined)
        printNote(`${input.name} has the bytes of ${twin.input.name}: they are taken once.`);
      else
        parts.push({
          ...{ input, content, reading: readingOf(input.name, options), sent: 0, lines: null, said: null },
          ...{ style: null, needsSurvey: false, first: [] },
        });
    }
  }
  // Awaited here: the inputs go when this ends.
  const wanted = await newParts(ledger, parts, options);
  return await importParts(ledger, statistics, wanted, { ...options, files }, preview);
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
    if (file === undefined) continue;
    tell(input.name, { kind: 'known', load: file.load, since: file.since }, 0, null, options);
    if (file.replacedDays > 0)
      printNote(
        `${counted(file.replacedDays, 'day')} of it ${pluralOf(file.replacedDays, 'was', 'were')} replaced since: --restate makes this file count there again.`,
      );
  }
  const loads = [...known.values()].map(({ load }) => load);
  if (known.size === contents.length) await noteTime(ledger, loads, options);
  return parts.filter(({ content }) => !known.has(content));
}

/** The rows are in, and what is said of them may be new. */
async function noteTime(
  ledger: FilesLedger,
  loads: readonly number[],
  { source, completeUntil, says }: ImportOptions,
): Promise<void> {
  if (completeUntil !== null) {
    await ledger.noteCompleteUntil(source, completeUntil);
    printNote(`Data of ${source} is complete until ${completeUntil.toISOString()}.`);
  }
  if (says === null) return;
  const days = await ledger.sayDays(loads, { source, state: says, by: 'import' }).catch((error: unknown) => {
    throw error instanceof DaysNotOver ? new CliError(error.message) : error;
  });
  printNote(`${counted(days.length, 'day')} of ${source} became ${says}.`);
}

async function importParts(
  ledger: FilesLedger,
  statistics: OpenStatistics,
  parts: readonly Part[],
  options: ImportOptions & { readonly files: readonly string[] },
  preview: Preview | null,
): Promise<number> {
  if (parts.length === 0) return 0;
  const startedAt = performance.now();
  const rejects = await createRejects(options.rejects, options.files, ({ file, line }) => `${file}:${line}`);
  try {
    const ending = await loadParts(ledger, statistics, parts, options);
    const refused =
      'rows' in ending ? await tellRefused(statistics, ending.load, parts, rejects, preview !== null) : [];
    const elapsedMs = performance.now() - startedAt;
    for (const [index, part] of parts.entries()) {
      const bad = refused[index] ?? 0;
      const isEmptied = ending.kind === 'imported' && ending.rows === 0;
      const own = 'rows' in ending ? { ...ending, rows: part.sent - bad, refused: bad } : ending;
      tell(part.input.name, own, elapsedMs, { ...part, isEmptied }, options);
    }
    if (ending.kind === 'imported') await preview?.(ending, parts, options);
    if (ending.kind === 'known' || ending.kind === 'empty') await noteTime(ledger, [ending.load], options);
    return 'rows' in ending ? ending.refused : 0;
  } finally {
    await rejects.close();
  }
}

/** What a file shows late may change how all of it is read: then the load begins again. */
async function loadParts(
  ledger: ImportLedger,
  statistics: OpenStatistics,
  parts: readonly Part[],
  options: ImportOptions,
): Promise<LoadEnding> {
  let midnightIs: Grain = options.grain ?? 'day';
  for (;;) {
    try {
      return await loadAs(ledger, statistics, parts, options, { declared: options.grain, midnightIs });
    } catch (error) {
      const open = parts.find(({ needsSurvey, style }) => needsSurvey && style === null);
      if (error instanceof HasHours && midnightIs === 'day') midnightIs = 'hour';
      else if (error instanceof NeedsSurvey && open !== undefined)
        open.style = await surveyPart(open, options);
      else throw error;
    }
  }
}

/** Reads the file once more, for how it writes its values. */
async function surveyPart(part: Part, options: ImportOptions): Promise<Style> {
  const { path, name } = part.input;
  const times: Times = { declared: options.grain, midnightIs: 'hour' };
  const file = await openFile(path, kindOf(name, options.format), {
    ...{ ...options, times, engineFolder: null, style: null },
  });
  const progress = createProgress(file.total, file.read, 'Looking');
  try {
    return await file.survey((lines) => progress.show({ lines, refused: 0 }));
  } finally {
    progress.stop();
    await file.close();
  }
}

function loadAs(
  ledger: ImportLedger,
  statistics: OpenStatistics,
  parts: readonly Part[],
  options: ImportOptions,
  times: Times,
): Promise<LoadEnding> {
  const { source, kind, maxBad, completeUntil, onlyDays, says, mayChangeFinal, madeBy } = options;
  const files = parts.map(({ content, reading, input }) => ({
    content,
    reading,
    name: basename(input.name),
  }));
  let show: Progress = () => {};
  return importLoad(
    { ledger, store: statistics.adStats, pause, onProgress: (counts) => show(counts) },
    {
      ...{ source, kind, maxBad, completeUntil, onlyDays, says, mayChangeFinal, madeBy, files },
      content: contentOfAll(files, kind, onlyDays),
      rows: (load) =>
        rowsOf(parts, load, { options, times, engineFolder: statistics.engineFolder }, (next) => {
          show = next;
        }),
    },
  );
}

type Progress = ReturnType<typeof createProgress>['show'];

/** In any order: they are the same load. */
function contentOfAll(
  files: readonly { readonly content: string; readonly reading: string }[],
  kind: ImportOptions['kind'],
  onlyDays: readonly string[] | null,
): string {
  const all: unknown[] = files.map(({ content, reading }) => [content, reading]).toSorted();
  // Countries and devices were once kept as they are written: to restate the same bytes corrects such a day.
  if (kind === 'restate') all.push('codes');
  // The same bytes that empty another day are another load.
  return hash('sha256', JSON.stringify(onlyDays === null ? all : [...all, onlyDays]));
}

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
    const onRow = options.dryRun ? keepFirst(part.first) : undefined;
    const file = await openFile(path, kindOf(name, options.format), {
      ...{ ...options, ...rules, style: part.style, onRow },
    });
    const progress = createProgress(file.total, file.read);
    onProgress(progress.show);
    part.sent = 0;
    part.lines = file.lines;
    try {
      for await (const piece of file.rows(load, index * ROWS_PER_FILE)) {
        part.sent += piece.rows;
        yield piece;
      }
      part.said = file.said();
      if (!part.said.isAnswer)
        throw new CliError(
          `nothing of ${name} was taken: it holds no rows, and not even a header: fetch it again`,
        );
      refuseTotalsAlone(part);
      if ((await file.contentRead()) !== part.content)
        throw new CliError(
          `${name} changed while it was read, and nothing was taken: import it when it is whole`,
        );
    } catch (error) {
      if (error instanceof NeedsSurvey) part.needsSurvey = true;
      throw error;
    } finally {
      progress.stop();
      await file.close();
    }
  }
}

/** An answer without rows has totals of 0: with others, its rows are missing, and a restatement would empty their day. */
function refuseTotalsAlone({ input, sent, said }: Part): void {
  const total = sent > 0 ? undefined : said?.totals.find((row) => /[1-9]/.test(row));
  if (total === undefined) return;
  throw new CliError(
    `nothing of ${input.name} was taken: its totals are not 0 (${total.slice(0, 200)}), and it has no rows that add up to them: ` +
      'export it again with its rows',
  );
}

/** The first rows of a file, as they will count. */
function keepFirst(first: ShownRow[]) {
  first.length = 0;
  return (line: number, stored: StoredTexts): void => {
    if (first.length < ROWS_SHOWN) first.push({ line, stored });
  };
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
  isPreview: boolean,
): Promise<number[]> {
  const counts = parts.map(() => 0);
  let after = 0;
  for (;;) {
    const rows = await adStats.refusedRows(load, after, REFUSED_PER_READ);
    for (const { row, reason, raw } of rows) {
      const index = Math.floor(row / ROWS_PER_FILE);
      counts[index] = (counts[index] ?? 0) + 1;
      // What is set aside is not shown as what counts.
      const first = isPreview ? (parts[index]?.first ?? []) : [];
      const shown = first.findIndex(({ line }) => line === row % ROWS_PER_FILE);
      if (shown !== -1) first.splice(shown, 1);
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
  part: (Pick<Part, 'lines' | 'said'> & { readonly isEmptied: boolean }) | null,
  options: ImportOptions,
): void {
  const { lines = null, said = null, isEmptied = false } = part ?? {};
  const sums = lines === null ? {} : { lines: lines.lines, passed_over: lines.passedOver };
  const beside =
    said === null
      ? {}
      : {
          totals: said.totals.length,
          left_out_columns: said.leftOut,
          strange_values: said.strange,
          unread_sheets: said.unread,
        };
  if (options.json) printJson({ file, ...ending, ...sums, ...beside, elapsed_ms: Math.round(elapsedMs) });
  if (ending.kind === 'refused') throw new CliError(`nothing of ${file} was taken: ${ending.reason}`);
  if (!options.json) print(endingLine(file, ending, elapsedMs, { ...options, lines, said, isEmptied }));
}
