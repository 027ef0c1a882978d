import type { EndpointPolicy } from '../../../engine/contract/push-service.ts';
import type { ImportRecord } from './records.ts';
import { type ImportRow, type KeyNumbers, parseRow } from './row.ts';

export interface ImportCounts {
  /** Lines that hold something; empty ones and a CSV's header are none. */
  readonly lines: number;
  readonly inserted: number;
  /** Lines whose endpoint was known: of this app before, or from a line above. */
  readonly updated: number;
  readonly refused: number;
}

export interface Refusal {
  /** Where several are read. */
  readonly file?: string;
  readonly line: number;
  readonly reason: string;
  readonly raw: unknown;
}

export interface ImportDeps {
  /** Writes rows of distinct endpoints in one transaction. @returns how many were new. */
  readonly storeBatch: (rows: readonly ImportRow[]) => Promise<number>;
  readonly policy: EndpointPolicy;
  readonly keyNumbers?: KeyNumbers;
  readonly onRefusal: (refusal: Refusal) => Promise<void> | void;
  /** Every line that could be read, refused or not. */
  readonly onLine?: (value: unknown) => void;
  /** After every batch that was written, with all lines up to its end. */
  readonly onProgress: (counts: ImportCounts) => void;
  /** Asked at every piece of the file. What was read until then is still written. */
  readonly isStopped?: () => boolean;
}

/** Lines in one transaction: the memory of an import, times three. */
const LINES_PER_BATCH = 10_000;
/** Batches that are written at once: Postgres has a process for each. More would leave deliveries nothing of it. */
const WRITERS = 2;

/**
 * Parses one batch while Postgres writes those before.
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

  const flush = async (): Promise<void> => {
    if (linesInBatch === 0) return;
    await writers.write(batch, linesInBatch);
    batch = new Map();
    linesInBatch = 0;
  };

  try {
    for await (const records of pieces) {
      if (deps.isStopped?.() === true) break;
      for (const record of records) {
        counts.lines++;
        if ('value' in record) deps.onLine?.(record.value);
        const row =
          'unreadable' in record ? record.unreadable : parseRow(record.value, deps.policy, deps.keyNumbers);
        if (typeof row === 'string') {
          counts.refused++;
          await deps.onRefusal({ line: record.line, reason: row, raw: record.raw });
          continue;
        }
        // The last line of an endpoint is the one that holds.
        batch.set(row.endpoint, row);
        if (++linesInBatch === LINES_PER_BATCH) await flush();
      }
    }
    await flush();
  } finally {
    await writers.settle();
  }
  writers.throwIfFailed();
  return counts;
}

/** Rows by their endpoint. */
type Batch = Map<string, ImportRow>;
type Counts = { -readonly [Name in keyof ImportCounts]: ImportCounts[Name] };

/** Some batches at once, but for those that have an endpoint in common: of such the later lines hold. */
function createWriters(deps: ImportDeps, counts: Counts) {
  const underWay = new Map<Batch, Promise<void>>();
  let failed: { readonly error: unknown } | null = null;

  // Of lines that are in: what is parsed ahead is no progress yet.
  const writeOne = async (batch: Batch, lines: number): Promise<void> => {
    try {
      const inserted = await deps.storeBatch([...batch.values()]);
      counts.inserted += inserted;
      counts.updated += lines - inserted;
      deps.onProgress({ ...counts, lines: counts.inserted + counts.updated + counts.refused });
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
    /** Returns once the batch may be written beside those under way. @throws what a batch before failed with. */
    async write(batch: Batch, lines: number): Promise<void> {
      throwIfFailed();
      while (underWay.size >= WRITERS) await Promise.race(underWay.values());
      for (const [other, writing] of underWay) if (haveCommon(other, batch)) await writing;
      throwIfFailed();
      underWay.set(batch, writeOne(batch, lines));
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
