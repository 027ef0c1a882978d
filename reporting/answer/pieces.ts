/** The size of one step: the embedded engine gives the answer as one piece. */
const PIECE_BYTES = 65_536;

/** The same bytes in pieces of a bounded size. */
export async function* inPieces(bytes: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    const buffer = chunk as Buffer;
    for (let at = 0; at < buffer.length; at += PIECE_BYTES) yield buffer.subarray(at, at + PIECE_BYTES);
  }
}

export const NEWLINE = 10;

export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** In place: tens of megabytes go through here. @returns how many there were. */
export function replaceNewlines(bytes: Buffer, other: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    bytes[at] = other;
    count++;
  }
  return count;
}

/** A line longer than this is not a row of a report: 14 texts of 255 bytes, each byte escaped, and 8 numbers. */
const MAX_LINE_BYTES = 65_536;

/** Lines, those of one piece at a time. The last one must end too: a truncated answer is an error. */
export async function* linesOf(bytes: AsyncIterable<unknown>): AsyncGenerator<string[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of inPieces(bytes)) {
    const joined = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = joined.lastIndexOf(NEWLINE) + 1;
    if (joined.length - end > MAX_LINE_BYTES) throw new Error('a row of the report has no end');
    rest = joined.subarray(end);
    if (end > 0) yield joined.toString('utf8', 0, end - 1).split('\n');
  }
  if (rest.length > 0) throw new Error('the answer ends in the middle of a row');
}
