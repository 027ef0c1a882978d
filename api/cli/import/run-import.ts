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

/** Lines in one transaction: the memory of an import, times two. */
const LINES_PER_BATCH = 10_000;

/**
 * Parses one batch while Postgres writes the one before; never more than these two.
 * @returns the counts, in which each line is inserted, updated or refused.
 */
export async function runImport(
  pieces: AsyncIterable<ImportRecord[]>,
  deps: ImportDeps,
): Promise<ImportCounts> {
  const counts = { lines: 0, inserted: 0, updated: 0, refused: 0 };
  let batch = new Map<string, ImportRow>();
  let linesInBatch = 0;
  let writing: Promise<void> = Promise.resolve();

  // Of lines that are in: what is parsed ahead is no progress yet.
  const write = async (rows: readonly ImportRow[], lines: number, refused: number): Promise<void> => {
    const inserted = await deps.storeBatch(rows);
    counts.inserted += inserted;
    counts.updated += lines - inserted;
    deps.onProgress({ ...counts, lines: counts.inserted + counts.updated + refused, refused });
  };
  const flush = async (): Promise<void> => {
    await writing;
    if (linesInBatch === 0) return;
    writing = write([...batch.values()], linesInBatch, counts.refused);
    // Awaited by the next flush; until then a rejection is not unhandled.
    writing.catch(() => {});
    batch = new Map();
    linesInBatch = 0;
  };

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
  await writing;
  return counts;
}
