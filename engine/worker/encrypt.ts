import { randomFillSync } from 'node:crypto';

/**
 * Message encryption for web push, RFC 8291, in the one-record form of aes128gcm, RFC 8188 section 2: salt (16)
 * | record size (4) | key id length (1) | sender's public key (65) | ciphertext and tag.
 *
 * The parts that all backends share are here; `encryption/` has a file for each way of key agreement and
 * sealing.
 */
export const SALT_BYTES = 16;
/** An uncompressed P-256 point. */
export const POINT_BYTES = 65;
export const SECRET_BYTES = 32;
export const AUTH_BYTES = 16;
export const TAG_BYTES = 16;
export const HEADER_BYTES = SALT_BYTES + 4 + 1 + POINT_BYTES;
const RECORD_SIZE = 4_096;
/** RFC 8188 section 2: the last record's padding delimiter. */
export const LAST_RECORD = 2;
export const MAX_PLAINTEXT_BYTES = RECORD_SIZE - HEADER_BYTES - 1 - TAG_BYTES;
/** Key pairs that exist at the same time; whole groups of eight, which the multi-buffer library works on. */
const MESSAGES_PER_ROUND = 64;

/** A subscription's keys: an uncompressed P-256 point of 65 bytes, and a secret of 16 bytes. */
export interface SubscriptionKeys {
  readonly p256dh: Uint8Array;
  readonly auth: Uint8Array;
}

/** One for all messages, or one for each: the same object where it is the same text. */
export type Plaintexts = Uint8Array | readonly Uint8Array[];

/**
 * Encrypts for N subscriptions, with a fresh key pair and salt for each.
 * @returns N bodies in order; null where the subscription's keys are invalid (wrong length, not on the curve).
 * The bodies of one call share memory.
 * @throws RangeError on a plaintext over 3,993 bytes, which the API refuses beforehand.
 */
export type EncryptBatch = (plaintexts: Plaintexts, keys: readonly SubscriptionKeys[]) => (Buffer | null)[];

/** The results of an agreement, for message i at i × 65, i × 32 and i. Allocated once, wiped after each round. */
export interface Agreed {
  /** The senders' public points. */
  readonly points: Buffer;
  readonly secrets: Buffer;
  /** 0 where the subscription's point is not on the curve; its other entries mean nothing then. */
  readonly valid: Uint8Array;
}

/** Makes a key pair for each message, never used for another (RFC 8291 section 3.1), and keeps no part of it. */
export interface Agreement {
  /** @param keys at most as many as `agreed` has room for; points of 65 bytes that begin with a 4. */
  agree(keys: readonly SubscriptionKeys[], agreed: Agreed): void;
  /** Gives native memory back; further calls do nothing. */
  close(): void;
}

/** RFC 8291 section 3.4 and RFC 8188 section 2: from the secret to the keys, and the record sealed with them. */
export interface Sealer {
  /** The output of the next `seal`s. */
  start(slab: Buffer): void;
  /** Their input, until the next `write`. */
  write(plaintext: Uint8Array): void;
  /** Writes ciphertext and tag of the body that begins at `bodyAt` of the slab, behind its header. */
  seal(bodyAt: number, keys: SubscriptionKeys, point: Buffer, secret: Buffer, salt: Buffer): void;
  /** Forgets keys and slab. */
  finish(): void;
  close(): void;
}

/** One sender and salt instead of fresh ones: for known vectors, and nothing else. */
export interface KnownSender {
  /** The private number, 32 bytes, big-endian. */
  readonly scalar: Buffer;
  readonly salt: Buffer;
}

export function createEncryptBatch(
  agreement: Agreement,
  sealer: Sealer,
  known: KnownSender | null = null,
): EncryptBatch {
  const salts = Buffer.alloc(MESSAGES_PER_ROUND * SALT_BYTES);
  const agreed: Agreed = {
    points: Buffer.alloc(MESSAGES_PER_ROUND * POINT_BYTES),
    secrets: Buffer.alloc(MESSAGES_PER_ROUND * SECRET_BYTES),
    valid: new Uint8Array(MESSAGES_PER_ROUND),
  };

  function fillSalts(count: number): void {
    if (known === null) randomFillSync(salts, 0, count * SALT_BYTES);
    else for (let i = 0; i < count; i++) salts.set(known.salt, i * SALT_BYTES);
  }

  /** What the sealer has read last. */
  let written: Uint8Array | null = null;

  /** Seals the agreed messages at these indexes of the batch. */
  function sealRound(
    indexes: readonly number[],
    keys: readonly SubscriptionKeys[],
    { plaintexts, starts, slab }: Layout,
    bodies: (Buffer | null)[],
  ): void {
    for (const [i, index] of indexes.entries()) {
      if (agreed.valid[i] === 0) continue;
      const plaintext = plaintextAt(plaintexts, index);
      if (plaintext !== written) {
        sealer.write(plaintext);
        written = plaintext;
      }
      const bodyAt = starts[index] as number;
      const point = agreed.points.subarray(i * POINT_BYTES, (i + 1) * POINT_BYTES);
      const secret = agreed.secrets.subarray(i * SECRET_BYTES, (i + 1) * SECRET_BYTES);
      const salt = salts.subarray(i * SALT_BYTES, (i + 1) * SALT_BYTES);
      writeHeader(slab, bodyAt, point, salt);
      sealer.seal(bodyAt, keys[index] as SubscriptionKeys, point, secret, salt);
      bodies[index] = slab.subarray(bodyAt, starts[index + 1] as number);
    }
  }

  return function encryptBatch(plaintexts, keys) {
    const layout = layOut(plaintexts, keys.length);
    const bodies: (Buffer | null)[] = keys.map(() => null);
    const usable = [...keys.keys()].filter((index) => isWellFormed(keys[index] as SubscriptionKeys));
    sealer.start(layout.slab);
    try {
      for (let from = 0; from < usable.length; from += MESSAGES_PER_ROUND) {
        const indexes = usable.slice(from, from + MESSAGES_PER_ROUND);
        fillSalts(indexes.length);
        agreement.agree(
          indexes.map((index) => keys[index] as SubscriptionKeys),
          agreed,
        );
        sealRound(indexes, keys, layout, bodies);
      }
    } finally {
      agreed.secrets.fill(0);
      sealer.finish();
      written = null;
    }
    return bodies;
  };
}

interface Layout {
  readonly plaintexts: Plaintexts;
  /** Where each body begins in the slab, and where the last one ends. */
  readonly starts: readonly number[];
  readonly slab: Buffer;
}

const isOne = (plaintexts: Plaintexts): plaintexts is Uint8Array => ArrayBuffer.isView(plaintexts);
const plaintextAt = (plaintexts: Plaintexts, index: number): Uint8Array =>
  isOne(plaintexts) ? plaintexts : (plaintexts[index] as Uint8Array);

function layOut(plaintexts: Plaintexts, count: number): Layout {
  const starts = [0];
  let end = 0;
  for (let index = 0; index < count; index++) {
    end += bodyLength(plaintextAt(plaintexts, index));
    starts.push(end);
  }
  return { plaintexts, starts, slab: Buffer.allocUnsafeSlow(end) };
}

export function bodyLength(plaintext: Uint8Array): number {
  if (plaintext.length > MAX_PLAINTEXT_BYTES)
    throw new RangeError(`a plaintext of ${plaintext.length} bytes`);
  return HEADER_BYTES + plaintext.length + 1 + TAG_BYTES;
}

/** 4 names the uncompressed form; OpenSSL would take the hybrid forms (6, 7) of the same length too. */
const isWellFormed = ({ p256dh, auth }: SubscriptionKeys): boolean =>
  p256dh.length === POINT_BYTES && p256dh[0] === 4 && auth.length === AUTH_BYTES;

function writeHeader(slab: Buffer, at: number, point: Buffer, salt: Buffer): void {
  slab.set(salt, at);
  slab.writeUInt32BE(RECORD_SIZE, at + SALT_BYTES);
  slab[at + SALT_BYTES + 4] = POINT_BYTES;
  slab.set(point, at + SALT_BYTES + 5);
}
