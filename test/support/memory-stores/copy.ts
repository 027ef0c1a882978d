import type { SubscriptionRow } from './tables.ts';

const HEADER_BYTES = 19;
const P256DH = Buffer.alloc(65, 4);
const AUTH = Buffer.alloc(16, 10);

/**
 * Targets as Postgres' binary COPY would give them: seq, endpoint, p256dh, auth; for texts that differ by reader also the
 * key's number, a language and the tags, which most of these readers do not have.
 * Format: Postgres documentation, COPY, "Binary Format".
 */
export function copyOf(rows: readonly SubscriptionRow[], tags?: readonly string[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')], HEADER_BYTES)];
  for (const { seq, endpoint, reads } of rows) {
    const number = Buffer.alloc(4);
    number.writeInt32BE(seq);
    const { language, tagValues } = reads ?? {
      language: '',
      tagValues: JSON.stringify((tags ?? []).map(() => null)),
    };
    const reader = tags === undefined ? [] : [int16(1), Buffer.from(language), Buffer.from(tagValues)];
    const fields = [number, Buffer.from(endpoint), P256DH, AUTH, ...reader];
    parts.push(int16(fields.length), ...fields.flatMap(field));
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
