import { inPieces, NEWLINE } from '../answer/pieces.ts';

const QUOTE = 34;

/** A stream of rows, one a line, that is given away in parts. */
export interface Cutter {
  /** Whether another byte follows. */
  hasMore(): Promise<boolean>;
  /** At most this number of the next rows, to the end of the last one. It must be read to its end before the next. */
  part(most: number): AsyncGenerator<Buffer>;
  /** Rows given so far. */
  rows(): number;
}

/**
 * @param quoted a line ends within no quotes, as in CSV, where a text may hold line ends.
 * @throws where the stream ends in the middle of a row: the answer was not whole.
 */
export function createCutter(bytes: AsyncIterable<unknown>, quoted: boolean): Cutter {
  const pieces = inPieces(bytes)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let given = 0;
  let isWithin = false;
  let endsRow = true;

  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await pieces.next();
      if (next.done === true) {
        if (!endsRow) throw new Error('the report ends in the middle of a row');
        return false;
      }
      rest = next.value;
    }
    return true;
  }

  /** How much of the rest belongs to the next `most` rows, and how many of them end in it. */
  function measure(most: number): { readonly end: number; readonly rows: number } {
    let rows = 0;
    for (let at = 0; at < rest.length; at++) {
      const byte = rest[at];
      if (quoted && byte === QUOTE) isWithin = !isWithin;
      else if (byte === NEWLINE && !isWithin && ++rows === most) return { end: at + 1, rows };
    }
    return { end: rest.length, rows };
  }

  return {
    hasMore: fill,
    rows: () => given,
    part: async function* (most) {
      for (let left = most; left > 0 && (await fill()); ) {
        const { end, rows } = measure(left);
        const piece = rest.subarray(0, end);
        rest = rest.subarray(end);
        left -= rows;
        given += rows;
        endsRow = !isWithin && piece.at(-1) === NEWLINE;
        yield piece;
      }
    },
  };
}
