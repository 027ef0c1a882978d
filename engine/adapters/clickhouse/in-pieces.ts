import { setImmediate } from 'node:timers/promises';

/** What the client's answers are here; their rows are parsed when they are read. */
interface Answer {
  stream<Row>(): AsyncIterable<readonly { json(): Row }[]>;
}

/** Some milliseconds of work. */
const ROWS_A_TURN = 2_000;

/**
 * The rows of an answer that may have hundreds of thousands, some at a time: `json()` of the client parses all that has
 * arrived in one turn of the event loop, and a process that answers others stands still for as long.
 */
export async function* inPieces<Row>(answer: Answer): AsyncGenerator<Row[]> {
  for await (const rows of answer.stream<Row>())
    for (let at = 0; at < rows.length; at += ROWS_A_TURN) {
      yield rows.slice(at, at + ROWS_A_TURN).map((row) => row.json());
      await setImmediate();
    }
}
