/** Read and sent at once. */
const SUBSCRIPTIONS_PER_PIECE = 100;
/** Of which ClickHouse is asked at once: each question reads a column of the whole app. */
const SUBSCRIPTIONS_PER_QUESTION = 1_000;
export const ROWS_PER_PIECE = 5_000;

interface From {
  readonly limit: number;
  readonly offset: number;
}
type ReadRows = (seqs: readonly number[], from: From) => Promise<readonly object[]>;

export interface PersonParts {
  /** Ascending. */
  readonly seqs: Int32Array;
  /** Of these, in the same order; one that went meanwhile is missing. */
  readonly readStored: (seqs: readonly number[]) => Promise<readonly object[]>;
  /** Of these, in an order that stays; fewer than the limit are the last. */
  readonly readAttempts: ReadRows;
  readonly readEvents: ReadRows;
}

/**
 * The answer's text, piece by piece: one piece is in memory, and the next is read once the client took it. Nothing in
 * it has a limit: others can subscribe under a person's id, and would push what is theirs out of it.
 */
export async function* personText(parts: PersonParts): AsyncGenerator<string> {
  yield* listOf('{"data":{"subscriptions":[', stored(parts));
  yield* listOf('],"attempts":[', rowsOf(parts.seqs, parts.readAttempts));
  yield* listOf('],"events":[', rowsOf(parts.seqs, parts.readEvents));
  yield ']}}';
}

async function* listOf(opening: string, pieces: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield opening;
  let separator = '';
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    yield separator + piece.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
}

async function* stored({ seqs, readStored }: PersonParts): AsyncGenerator<readonly object[]> {
  for (const part of piecesOf(seqs, SUBSCRIPTIONS_PER_PIECE)) yield readStored(part);
}

async function* rowsOf(seqs: Int32Array, read: ReadRows): AsyncGenerator<readonly object[]> {
  for (const part of piecesOf(seqs, SUBSCRIPTIONS_PER_QUESTION)) {
    for (let offset = 0; ; offset += ROWS_PER_PIECE) {
      const rows = await read(part, { limit: ROWS_PER_PIECE, offset });
      yield rows;
      if (rows.length < ROWS_PER_PIECE) break;
    }
  }
}

function* piecesOf(seqs: Int32Array, size: number): Generator<number[]> {
  for (let at = 0; at < seqs.length; at += size) yield [...seqs.subarray(at, at + size)];
}
