import { inPieces, NEWLINE, replaceNewlines } from './pieces.ts';

const COMMA = 44;
const comma = Buffer.of(COMMA);
const head = Buffer.from('{"status":"success","data":[');

/**
 * The answer as the specification shows it. Rows go through as ClickHouse wrote them, one a line, so that no
 * number becomes a double and no answer is held: `\n` is only ever between rows, JSON escapes it inside.
 * @param rows their bytes are overwritten.
 * @param metaOf JSON, called when the rows are counted.
 * @throws where the rows do not come to their end: the part already sent is then invalid JSON, so no client
 * mistakes it for an answer.
 */
export async function* jsonAnswer(
  rows: AsyncIterable<unknown>,
  metaOf: (count: number) => string,
): AsyncGenerator<Buffer> {
  yield head;
  let count = 0;
  let endsRow = true;
  for await (const piece of inPieces(rows)) {
    // Without the comma of the row before, until another one comes.
    if (endsRow && count > 0) yield comma;
    endsRow = piece.at(-1) === NEWLINE;
    count += replaceNewlines(piece, COMMA);
    yield endsRow ? piece.subarray(0, -1) : piece;
  }
  if (!endsRow) throw new Error('the answer ends in the middle of a row');
  yield Buffer.from(`],"meta":${metaOf(count)}}`);
}
