import type { SubscriptionRow } from './tables.ts';

const HEADER_BYTES = 19;
const P256DH = Buffer.alloc(65, 4);
const AUTH = Buffer.alloc(16, 10);

/**
 * Targets as Postgres' binary COPY would give them: seq, endpoint, p256dh, auth.
 * Format: Postgres documentation, COPY, "Binary Format".
 */
export function copyOf(rows: readonly SubscriptionRow[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')], HEADER_BYTES)];
  for (const { seq, endpoint } of rows) {
    const number = Buffer.alloc(4);
    number.writeInt32BE(seq);
    parts.push(int16(4), ...[number, Buffer.from(endpoint), P256DH, AUTH].flatMap(field));
  }
  return Uint8Array.from(Buffer.concat([...parts, int16(-1)]));
}

function field(bytes: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return [length, bytes];
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
