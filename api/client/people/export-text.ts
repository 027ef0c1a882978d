/** Read and sent at once. */
const SUBSCRIPTIONS_PER_PIECE = 100;
const ROWS_PER_PIECE = 1_000;

export interface PersonParts<Attempt, Event> {
  readonly seqs: readonly number[];
  /** Of these, in the same order; one that went meanwhile is missing. */
  readonly readStored: (seqs: readonly number[]) => Promise<readonly object[]>;
  readonly attempts: readonly Attempt[];
  readonly events: readonly Event[];
}

/** The answer's text, piece by piece: one piece is in memory, and the next is read once the client took it. */
export async function* personText<Attempt, Event>({
  seqs,
  readStored,
  attempts,
  events,
}: PersonParts<Attempt, Event>): AsyncGenerator<string> {
  yield '{"data":{"subscriptions":[';
  let isFirst = true;
  for (const part of piecesOf(seqs, SUBSCRIPTIONS_PER_PIECE)) {
    const stored = await readStored(part);
    if (stored.length === 0) continue;
    yield `${isFirst ? '' : ','}${joined(stored)}`;
    isFirst = false;
  }
  for (const [name, rows] of Object.entries({ attempts, events })) {
    yield `],"${name}":[`;
    for (const [at, part] of piecesOf(rows as readonly unknown[], ROWS_PER_PIECE).entries())
      yield `${at === 0 ? '' : ','}${joined(part)}`;
  }
  yield ']}}';
}

const joined = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join(',');

const piecesOf = <Row>(rows: readonly Row[], size: number): (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
