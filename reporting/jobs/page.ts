import type { Readable } from 'node:stream';
import type { ReportJob } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import { inPieces, NEWLINE } from '../answer/pieces.ts';
import { keyOf, type ResultStore } from './store/store.ts';

/** Where a page begins: at a byte of a part, at which a row begins. */
export interface Cursor {
  readonly part: number;
  readonly at: number;
}

export const cursorText = ({ part, at }: Cursor): string =>
  Buffer.from(`${part}:${at}`).toString('base64url');

/** @returns null where it is none. */
export function cursorOf(text: string): Cursor | null {
  const [, part, at] = /^(\d{1,9}):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return part === undefined || at === undefined ? null : { part: Number(part), at: Number(at) };
}

export interface Page {
  /** Lines of JSON. */
  readonly rows: readonly Buffer[];
  readonly next: Cursor | null;
}

/**
 * The result is never written again, so a byte of it stays where it is.
 * @returns `wrong` where no row begins at the cursor, null where an object is missing.
 */
export async function readPage(
  store: ResultStore,
  job: ReportJob,
  from: Cursor,
  limit: number,
  signal: AbortSignal,
): Promise<Page | 'wrong' | null> {
  const rows: Buffer[] = [];
  let { part, at } = from;
  for (; part < job.parts.length && rows.length < limit; part++, at = 0) {
    const { bytes = 0 } = job.parts[part] ?? {};
    if (at > bytes) return 'wrong';
    if (at === bytes) continue;
    // One byte more: a row begins after the end of another one.
    const stream = await store.read(keyOf(job, part), Math.max(0, at - 1), signal);
    if (stream === null) return null;
    const read = await takeRows(stream, at > 0, limit - rows.length);
    if (read === 'wrong') return 'wrong';
    rows.push(...read.rows);
    at += read.bytes;
    if (at < bytes) return { rows, next: { part, at } };
  }
  if (part >= job.parts.length && rows.length === 0 && from.part > job.parts.length) return 'wrong';
  return { rows, next: part < job.parts.length ? { part, at } : null };
}

async function takeRows(
  stream: Readable,
  hasByteBefore: boolean,
  most: number,
): Promise<'wrong' | { readonly rows: readonly Buffer[]; readonly bytes: number }> {
  const rows: Buffer[] = [];
  let bytes = 0;
  let open: Buffer[] = [];
  let mustCheck = hasByteBefore;
  for await (const piece of inPieces(stream)) {
    let at = 0;
    if (mustCheck) {
      if (piece[0] !== NEWLINE) return 'wrong';
      at = 1;
      mustCheck = false;
    }
    for (let end = piece.indexOf(NEWLINE, at); end !== -1; end = piece.indexOf(NEWLINE, at)) {
      const row = Buffer.concat([...open, piece.subarray(at, end)]);
      open = [];
      rows.push(row);
      bytes += row.length + 1;
      at = end + 1;
      // Leaving the loop closes the stream.
      if (rows.length === most) return { rows, bytes };
    }
    open.push(Buffer.from(piece.subarray(at)));
  }
  return { rows, bytes };
}
