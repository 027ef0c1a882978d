/**
 * Ends a stream whose client takes nothing for so long, by an error, which breaks the connection: no client takes that
 * for a whole answer. While the next piece is read, no time runs.
 */
export async function* takenInTime(
  pieces: AsyncIterable<string>,
  mostMs: number,
  giveUp: (error: Error) => void,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const late = setTimeout(() => giveUp(new Error('a person’s export was not taken in time')), mostMs);
    try {
      yield piece;
    } finally {
      clearTimeout(late);
    }
  }
}
