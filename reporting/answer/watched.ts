/** The same bytes, counted when they have all gone through. */
export async function* watched(
  rows: AsyncIterable<Buffer>,
  note: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of rows) {
    bytes += piece.length;
    yield piece;
  }
  note(bytes);
}
