/** An error that a client gets, with its SQLSTATE (Postgres' appendix A). */
export class WireError extends Error {
  readonly state: string;
  readonly hint: string | null;
  /** Where in the statement, in bytes from its start; null: not known yet. */
  at: number | null = null;
  constructor(state: string, message: string, hint: string | null = null) {
    super(message);
    this.name = 'WireError';
    this.state = state;
    this.hint = hint;
  }
}

/** A statement outside the grammar. */
export const unsupported = (message: string, hint: string | null = null): WireError =>
  new WireError('0A000', message, hint);

/** The work's result; an error of it that has no place yet is one of this node. */
export function placed<Result>(node: unknown, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError) error.at ??= placeOf(node);
    throw error;
  }
}

/** The place of a tree, or of the first in it that has one. */
function placeOf(tree: unknown): number | null {
  if (typeof tree !== 'object' || tree === null) return null;
  if ('location' in tree && typeof tree.location === 'number') return tree.location;
  for (const value of Object.values(tree)) {
    const place = placeOf(value);
    if (place !== null) return place;
  }
  return null;
}

/** The place of an error as clients count it, in characters from 1. Without one, the grammar refuses the whole statement. */
export function positionIn(text: string, { at, state }: WireError): number | null {
  if (at !== null) return [...Buffer.from(text).subarray(0, at).toString('utf8')].length + 1;
  return /^(0A|25|42)/.test(state) ? 1 : null;
}
