/** A field of a notification, with what it takes of the plaintext. */
export interface SizedField {
  /** JSON pointer. */
  readonly field: string;
  /** For the reader for whom it is the longest, in UTF-8, as it is escaped in JSON. */
  readonly bytes: number;
  /** What is left of it at least. */
  readonly leastBytes: number;
}

export interface Shortening {
  readonly field: string;
  readonly byBytes: number;
}

/** Which fields to shorten, and by how much: the longest one alone, if that is enough. */
export function shortenings(fields: readonly SizedField[], excessBytes: number): Shortening[] {
  const found: Shortening[] = [];
  let left = excessBytes;
  for (const { field, bytes, leastBytes } of fields.toSorted(
    (one, other) => sparedOf(other) - sparedOf(one),
  )) {
    const byBytes = Math.min(left, bytes - leastBytes);
    if (byBytes <= 0) break;
    found.push({ field, byBytes });
    left -= byBytes;
  }
  return found;
}

const sparedOf = ({ bytes, leastBytes }: SizedField): number => bytes - leastBytes;
