import {
  createCipheriv,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { createHmac } from './hmac.ts';

/**
 * Message encryption for web push, RFC 8291, in the one-record form of aes128gcm, RFC 8188 section 2:
 * salt (16) | record size (4) | key id length (1) | sender's public key (65) | ciphertext and tag.
 */
const SALT_BYTES = 16;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const TAG_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + POINT_BYTES;
const RECORD_SIZE = 4_096;
/** RFC 8188 section 2: the last record's padding delimiter. */
const LAST_RECORD = 2;
export const MAX_PLAINTEXT_BYTES = RECORD_SIZE - HEADER_BYTES - 1 - TAG_BYTES;

/** What a subscription brings: an uncompressed P-256 point of 65 bytes, and 16 bytes of secret. */
export interface SubscriptionKeys {
  readonly p256dh: Uint8Array;
  readonly auth: Uint8Array;
}

/**
 * Encrypts one plaintext for N subscriptions, each with a key pair and a salt of its own.
 * @returns N bodies in order; null where the subscription's keys are no keys (wrong length, not on the
 * curve). The bodies of one call share memory.
 * @throws RangeError on a plaintext over 3,993 bytes: create refuses those beforehand.
 */
export type EncryptBatch = (plaintext: Uint8Array, keys: readonly SubscriptionKeys[]) => (Buffer | null)[];

/** A sender's key pair; fresh for every message (RFC 8291 section 3.1 forbids another use). */
export interface SenderKeys {
  readonly publicPoint: Uint8Array;
  readonly privateKey: KeyObject;
}

/** The portable backend: node:crypto alone. */
export function createEncryptBatch(): EncryptBatch {
  const encryptInto = createEncryptInto();
  const nextSalt = createSaltPool();
  return function encryptBatch(plaintext, keys) {
    const bodyBytes = bodyLength(plaintext);
    const slab = Buffer.allocUnsafeSlow(bodyBytes * keys.length);
    return keys.map((key, index) => {
      const body = slab.subarray(index * bodyBytes, (index + 1) * bodyBytes);
      return encryptInto(body, plaintext, key, generateSender(), nextSalt()) ? body : null;
    });
  };
}

/** Takes sender and salt from the caller, so that the example of RFC 8291 Appendix A can be reproduced. */
export function createEncryptInto() {
  const agree = createAgree();
  const deriveKeys = createDeriveKeys();
  let record = Buffer.alloc(0);
  let recordOf: Uint8Array | null = null;

  return function encryptInto(
    body: Buffer,
    plaintext: Uint8Array,
    keys: SubscriptionKeys,
    sender: SenderKeys,
    salt: Uint8Array,
  ): boolean {
    const secret = agree(keys, sender.privateKey);
    if (secret === null) return false;
    if (recordOf !== plaintext) {
      record = Buffer.concat([plaintext, Buffer.of(LAST_RECORD)]);
      recordOf = plaintext;
    }
    const { contentKey, nonce } = deriveKeys(secret, keys, sender.publicPoint, salt);
    body.set(salt, 0);
    body.writeUInt32BE(RECORD_SIZE, SALT_BYTES);
    body[SALT_BYTES + 4] = POINT_BYTES;
    body.set(sender.publicPoint, SALT_BYTES + 5);
    const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
    body.set(cipher.update(record), HEADER_BYTES);
    cipher.final();
    body.set(cipher.getAuthTag(), HEADER_BYTES + record.length);
    return true;
  };
}

export function bodyLength(plaintext: Uint8Array): number {
  if (plaintext.length > MAX_PLAINTEXT_BYTES)
    throw new RangeError(`a plaintext of ${plaintext.length} bytes`);
  return HEADER_BYTES + plaintext.length + 1 + TAG_BYTES;
}

// Measured per message, key generation and agreement together, native objects' collection included:
// `createECDH` and `computeSecret` 142 µs (it checks its own key pair at every use), one reused ECDH 137 µs,
// import as a KeyObject 131 µs, `diffieHellman` reading the point by itself 128 µs.
const senderOptions = { namedCurve: 'P-256', publicKeyEncoding: { format: 'raw-public' } } as const;

function generateSender(): SenderKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ec', senderOptions);
  return { publicPoint: publicKey, privateKey };
}

/** SubjectPublicKeyInfo of a P-256 point (RFC 5480): this, then the 65 bytes. */
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

function createAgree() {
  const key = Buffer.concat([spkiPrefix, Buffer.alloc(POINT_BYTES)]);
  const publicKey = { key, format: 'der', type: 'spki' } as const;

  /** @returns the shared secret, or null where the subscription's keys are none. */
  return function agree({ p256dh, auth }: SubscriptionKeys, privateKey: KeyObject): Buffer | null {
    // 4 names the uncompressed form; OpenSSL would take the hybrid forms (6, 7) of the same length too.
    if (p256dh.length !== POINT_BYTES || p256dh[0] !== 4 || auth.length !== AUTH_BYTES) return null;
    key.set(p256dh, spkiPrefix.length);
    try {
      return diffieHellman({ privateKey, publicKey });
    } catch {
      return null; // the point is not on the curve
    }
  };
}

/** RFC 8291 section 3.4: two HKDF runs, of one block each, over memory that is laid out once. */
function createDeriveKeys() {
  const keyInfoPrefix = Buffer.from('WebPush: info\0');
  const combine = createHmac(32);
  const inputKey = createHmac(keyInfoPrefix.length + 2 * POINT_BYTES + 1);
  const extract = createHmac(32);
  const content = createInfoHmac('Content-Encoding: aes128gcm\0');
  const nonce = createInfoHmac('Content-Encoding: nonce\0');
  inputKey.message.set(keyInfoPrefix);
  inputKey.message[inputKey.message.length - 1] = 1;
  const step = Buffer.alloc(32);
  const contentOut = Buffer.alloc(32);
  const nonceOut = Buffer.alloc(32);
  const derived = { contentKey: contentOut.subarray(0, 16), nonce: nonceOut.subarray(0, 12) };

  return function deriveKeys(
    secret: Uint8Array,
    keys: SubscriptionKeys,
    sender: Uint8Array,
    salt: Uint8Array,
  ): { readonly contentKey: Buffer; readonly nonce: Buffer } {
    combine.setKey(keys.auth);
    combine.message.set(secret);
    combine.digestInto(step);
    inputKey.setKey(step);
    inputKey.message.set(keys.p256dh, keyInfoPrefix.length);
    inputKey.message.set(sender, keyInfoPrefix.length + POINT_BYTES);
    inputKey.digestInto(extract.message);
    extract.setKey(salt);
    extract.digestInto(step);
    content.setKey(step);
    content.digestInto(contentOut);
    nonce.setKey(step);
    nonce.digestInto(nonceOut);
    return derived;
  };
}

/** HKDF-Expand's first and only block: HMAC(key, info | 1). */
function createInfoHmac(info: string) {
  const hmac = createHmac(info.length + 1);
  hmac.message.write(info, 'latin1');
  hmac.message[info.length] = 1;
  return hmac;
}

const SALTS_PER_FILL = 256;

/** One call to the random generator costs more than the 16 bytes it gives: take 256 salts at once. */
function createSaltPool(): () => Buffer {
  const pool = Buffer.alloc(SALTS_PER_FILL * SALT_BYTES);
  let next = pool.length;
  return function nextSalt() {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    next += SALT_BYTES;
    return pool.subarray(next - SALT_BYTES, next);
  };
}
