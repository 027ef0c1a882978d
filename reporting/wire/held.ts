import { WireError } from './wire-error.ts';

/** What a connection keeps of a statement that it prepared. */
export interface Held {
  /** Of its text. */
  readonly bytes: number;
  /** Objects in its tree, of some hundred bytes each: a short text may have many. */
  readonly size: number;
}

const MAX_PREPARED = 256;
const MAX_BYTES = 1_048_576;
const MAX_SIZE = 60_000;

/** @throws WireError where a connection would keep too much. */
export function checkRoom(held: readonly Held[]): void {
  const sumOf = (what: keyof Held): number => held.reduce((sum, one) => sum + one[what], 0);
  if (held.length > MAX_PREPARED || sumOf('bytes') > MAX_BYTES || sumOf('size') > MAX_SIZE)
    throw new WireError('53200', 'too many prepared statements in this connection');
}
