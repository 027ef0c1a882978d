/** A field of a table: its strings hold an octet in each character (latin1). */
export interface Entry {
  readonly name: string;
  readonly value: string;
  /** As RFC 7541 section 4.1 counts it. */
  readonly bytes: number;
}

const OVERHEAD_BYTES = 32;

export const entryBytes = (name: string, value: string): number =>
  OVERHEAD_BYTES + name.length + value.length;

export const createEntry = (name: string, value: string): Entry => ({
  name,
  value,
  bytes: entryBytes(name, value),
});
