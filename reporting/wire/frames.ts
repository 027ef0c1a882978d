import { WireError } from './wire-error.ts';

/** Messages of one client, whole and one at a time. */

export interface Frame {
  /** One character; empty: a startup packet, which has no tag. */
  readonly tag: string;
  readonly body: Buffer;
}

/** No startup packet of a client has more: Postgres takes 10,000 bytes. */
const MAX_STARTUP_BYTES = 10_000;
const MAX_PASSWORD_BYTES = 1_024;

/** What is still to come may be as large as this. */
export type FrameKind = 'startup' | 'password' | 'message';

/** A statement has 32 KB at most, and its parameters a few lists of values. */
export const MAX_MESSAGE_BYTES = 262_144;

const bounds: Readonly<Record<FrameKind, number>> = {
  startup: MAX_STARTUP_BYTES,
  password: MAX_PASSWORD_BYTES,
  message: MAX_MESSAGE_BYTES,
};

/**
 * Takes the first whole message out of the bytes. The length is checked before its bytes are waited for, so that
 * nobody makes this process collect more than the bound.
 * @returns null: it is not whole yet. @throws WireError where its length cannot be right.
 */
export function takeFrame(
  bytes: Buffer,
  kind: FrameKind,
): { readonly frame: Frame; readonly rest: Buffer } | null {
  const head = kind === 'startup' ? 0 : 1;
  if (bytes.length < head + 4) return null;
  const length = bytes.readUInt32BE(head);
  const least = kind === 'startup' ? 8 : 4;
  if (length < least || length > bounds[kind])
    throw new WireError('08P01', `a message of ${length} bytes is not taken here: at most ${bounds[kind]}`);
  if (bytes.length < head + length) return null;
  const tag = head === 0 ? '' : bytes.toString('latin1', 0, 1);
  return {
    frame: { tag, body: bytes.subarray(head + 4, head + length) },
    rest: bytes.subarray(head + length),
  };
}

/** Reads the fields of a message in their order. @throws WireError where they end too early. */
export class FieldReader {
  readonly #body: Buffer;
  #at = 0;
  constructor(body: Buffer) {
    this.#body = body;
  }

  #advance(bytes: number): number {
    const from = this.#at;
    if (bytes < 0 || from + bytes > this.#body.length)
      throw new WireError('08P01', 'the message ends before its last field');
    this.#at += bytes;
    return from;
  }

  int16(): number {
    return this.#body.readInt16BE(this.#advance(2));
  }

  int32(): number {
    return this.#body.readInt32BE(this.#advance(4));
  }

  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    if (end === -1) throw new WireError('08P01', 'the message has a text without an end');
    const from = this.#advance(end + 1 - this.#at);
    return this.#body.toString('utf8', from, end);
  }

  bytes(length: number): Buffer {
    const from = this.#advance(length);
    return this.#body.subarray(from, from + length);
  }

  character(): string {
    return this.bytes(1).toString('latin1');
  }

  /** As many as a count before them says. */
  list<Item>(read: () => Item): Item[] {
    const count = this.int16();
    if (count < 0) throw new WireError('08P01', 'the message has a negative count');
    return Array.from({ length: count }, read);
  }
}
