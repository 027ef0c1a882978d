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

/** @param within of those alone; null: of all. */
export function chosenOf(seqs: string, within: Chosen | null): Chosen {
  let size = 0;
  for (const seq of parseIntegers(seqs)) size = Math.max(size, seq + 1);
  const map = new Uint8Array(size);
  let total = 0;
  for (const seq of parseIntegers(seqs)) {
    if (map[seq] === 1 || (within !== null && within.map[seq] !== 1)) continue;
    map[seq] = 1;
    total++;
  }
  return { map, total };
}

/** What is in both. */
export function bothOf(one: Chosen, other: Chosen): Chosen {
  const map = one.map.map((is, seq) => is & (other.map[seq] ?? 0));
  return { map, total: map.reduce((sum, is) => sum + is, 0) };
}
