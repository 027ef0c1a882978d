import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';

/** A byte for each `seq` of the app: 1 where it is in the list. */
export interface Chosen {
  readonly map: Uint8Array;
  readonly total: number;
}

/** `{1,2,3}`, as Postgres writes an array of natural numbers. */
export function* parseIntegers(text: string): Generator<number> {
  let value = -1;
  for (let index = 1; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit >= 0 && digit <= 9) value = (value < 0 ? 0 : value * 10) + digit;
    else {
      if (value >= 0) yield value;
      value = -1;
    }
  }
}

/** As one text: an object a row takes ten times as long. */
export async function readSeqs(sql: Sql, statement: string, values: readonly unknown[]): Promise<string> {
  const [row] = await sql.query<{ seqs: string | null }>(
    `SELECT array_agg(seq)::text AS seqs FROM (${statement}) AS found`,
    values,
  );
  return row?.seqs ?? '{}';
}

/** Of the text at a time, so that a segment of millions keeps nobody else waiting: some milliseconds. */
const CHARACTERS_A_SLICE = 200_000;

/** @param within of those alone; null: of all. */
export async function chosenOf(seqs: string, within: Chosen | null): Promise<Chosen> {
  let map = new Uint8Array(within?.map.length ?? 1_024);
  let total = 0;
  for (const slice of slicesOf(seqs)) {
    for (const seq of parseIntegers(slice)) {
      if (within !== null && within.map[seq] !== 1) continue;
      if (seq >= map.length) map = longer(map, seq + 1);
      if (map[seq] === 1) continue;
      map[seq] = 1;
      total++;
    }
    if (slice.length < seqs.length) await setImmediate();
  }
  return { map, total };
}

/** Each ends as the whole text does: after a number and the sign that ends it. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const comma = text.indexOf(',', from + CHARACTERS_A_SLICE);
    const to = comma === -1 ? text.length : comma + 1;
    yield from === 0 ? text.slice(0, to) : `{${text.slice(from, to)}`;
    from = to;
  }
}

function longer(map: Uint8Array<ArrayBuffer>, atLeast: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(Math.max(atLeast, 2 * map.length));
  next.set(map);
  return next;
}
