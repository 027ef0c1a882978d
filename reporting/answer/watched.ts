import { countNewlines } from './pieces.ts';

/** The same bytes, counted when they have all gone through. @param note gets bytes and lines. */
export async function* watched(
  rows: AsyncIterable<unknown>,
  note: (bytes: number, lines: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let lines = 0;
  for await (const chunk of rows) {
    const buffer = chunk as Buffer;
    bytes += buffer.length;
    lines += countNewlines(buffer);
    yield buffer;
  }
  note(bytes, lines);
}
