import type { ImportRecord } from '../../../engine/kit/command-line/file/records.ts';
import type { Refusal } from '../../../engine/kit/command-line/file/report.ts';
import { merged } from './merged.ts';
import type { ImportRow } from './row.ts';

export interface ImportCounts {
  /** Lines that hold something; empty ones and a CSV's header are none. */
  readonly lines: number;
  readonly inserted: number;
  /** Lines with a known endpoint: from this app, or from an earlier line. */
  readonly updated: number;
  readonly refused: number;
}

export interface ImportDeps {
  /** Writes rows of distinct endpoints in one transaction. @returns how many were new. */
  readonly storeBatch: (rows: readonly ImportRow[]) => Promise<number>;
  /** @returns the row, or why the line is refused. */
  readonly parse: (value: unknown, line: number) => ImportRow | string;
  readonly onRefusal: (refusal: Refusal) => Promise<void> | void;
  /** Every line that could be read, refused or not. */
  readonly onLine?: (value: unknown) => void;
  /** After every batch that was written, with the lines of all that were; and how many lines were parsed so far. */
  readonly onProgress: (counts: ImportCounts, parsed: number) => void;
  /** Checked at every chunk of the file. Lines read until then are still written. */
  readonly isStopped?: () => boolean;
}

/** Lines in one transaction: the memory of an import, times three. */
const LINES_PER_BATCH = 10_000;
/** Batches that are written at once: Postgres has a process for each. More would leave deliveries nothing of it. */
const WRITERS = 2;

/**
 * Parses one batch while Postgres writes earlier ones.
 * @returns the counts, in which each line is inserted, updated or refused.
 */
export async function runImport(
  pieces: AsyncIterable<ImportRecord[]>,
  deps: ImportDeps,
): Promise<ImportCounts> {
  const counts = { lines: 0, inserted: 0, updated: 0, refused: 0 };
  const writers = createWriters(deps, counts);
  let batch: Batch = new Map();
  let linesInBatch = 0;
  let refusedBefore = 0;

  const flush = async (): Promise<void> => {
    if (linesInBatch === 0) return;
    await writers.write(batch, linesInBatch, counts.refused - refusedBefore);
    batch = new Map();
    linesInBatch = 0;
    refusedBefore = counts.refused;
  };

  try {
    for await (const records of pieces) {
      if (deps.isStopped?.() === true) break;
      for (const record of records) {
        counts.lines++;
        if ('value' in record) deps.onLine?.(record.value);
        const row = 'unreadable' in record ? record.unreadable : deps.parse(record.value, record.line);
        if (typeof row === 'string') {
          counts.refused++;
          await deps.onRefusal({ line: record.line, reason: row, raw: record.raw });
          continue;
        }
        const earlier = batch.get(row.endpoint);
        batch.set(row.endpoint, earlier === undefined ? row : merged(earlier, row));
        if (++linesInBatch === LINES_PER_BATCH) await flush();
      }
    }
    await flush();
  } finally {
    await writers.settle();
  }
  writers.throwIfFailed();
  deps.onProgress({ ...counts }, counts.lines);
  return counts;
}

/** Rows by their endpoint. */
type Batch = Map<string, ImportRow>;
type Counts = { -readonly [Name in keyof ImportCounts]: ImportCounts[Name] };

/** Some batches at once, except those that share an endpoint: there the later lines win. */
function createWriters(deps: ImportDeps, counts: Counts) {
  const underWay = new Map<Batch, Promise<void>>();
  let failed: { readonly error: unknown } | null = null;

  // Those among the lines of batches that are written: lines parsed ahead are not progress yet.
  let refused = 0;
  const writeOne = async (batch: Batch, lines: number, refusedAmong: number): Promise<void> => {
    try {
      const inserted = await deps.storeBatch([...batch.values()]);
      counts.inserted += inserted;
      counts.updated += lines - inserted;
      refused += refusedAmong;
      deps.onProgress(
        { ...counts, refused, lines: counts.inserted + counts.updated + refused },
        counts.lines,
      );
    } catch (error) {
      failed ??= { error };
    } finally {
      underWay.delete(batch);
    }
  };
  const throwIfFailed = (): void => {
    if (failed !== null) throw failed.error;
  };
  return {
    /** Returns once the batch may be written beside the running ones. @throws the error of an earlier batch. */
    async write(batch: Batch, lines: number, refusedAmong: number): Promise<void> {
      throwIfFailed();
      while (underWay.size >= WRITERS) await Promise.race(underWay.values());
      for (const [other, writing] of underWay) if (haveCommon(other, batch)) await writing;
      throwIfFailed();
      underWay.set(batch, writeOne(batch, lines, refusedAmong));
    },
    async settle(): Promise<void> {
      await Promise.all(underWay.values());
    },
    throwIfFailed,
  };
}

function haveCommon(one: Batch, other: Batch): boolean {
  for (const endpoint of one.keys()) if (other.has(endpoint)) return true;
  return false;
}
