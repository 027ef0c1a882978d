import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import {
  type Agreement,
  HEADER_BYTES,
  LAST_RECORD,
  POINT_BYTES,
  SECRET_BYTES,
  type Sealer,
  type SubscriptionKeys,
} from '../encrypt.ts';
import { createHmac } from './hmac.ts';

/** The portable backend: node:crypto alone. */

interface Sender {
  readonly publicPoint: Uint8Array;
  readonly privateKey: KeyObject;
}

// Measured in alternating rounds, CPU µs for a key pair and an agreement, native objects' collection included:
// the subscriber's point read from DER as here 143, from its raw bytes 141 to 147, imported as a KeyObject 155,
// `createECDH` and `computeSecret` 147 (it checks its own key pair at every use). Two thirds of it are
// OpenSSL's two multiplications; the rest is KeyObjects, and their points taken apart again.
const senderOptions = { namedCurve: 'P-256', publicKeyEncoding: { format: 'raw-public' } } as const;

function generateSender(): Sender {
  const { publicKey, privateKey } = generateKeyPairSync('ec', senderOptions);
  return { publicPoint: publicKey, privateKey };
}

/** @param scalar a known sender's private number, for vectors; null: a fresh key pair for each message. */
export function createNodeAgreement(scalar: Buffer | null): Agreement {
  const agreeOne = createAgreeOne();
  const newSender = scalar === null ? generateSender : () => importSender(scalar);
  return {
    agree(keys, { points, secrets, valid }) {
      for (const [i, { p256dh }] of keys.entries()) {
        const { publicPoint, privateKey } = newSender();
        const secret = agreeOne(p256dh, privateKey);
        valid[i] = secret === null ? 0 : 1;
        if (secret === null) continue;
        points.set(publicPoint, i * POINT_BYTES);
        secrets.set(secret, i * SECRET_BYTES);
        secret.fill(0);
      }
    },
    close: () => {},
  };
}

function importSender(scalar: Buffer): Sender {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(scalar);
  const point = pair.getPublicKey();
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const key = { kty: 'EC', crv: 'P-256', x, y, d: scalar.toString('base64url') };
  return { publicPoint: point, privateKey: createPrivateKey({ key, format: 'jwk' }) };
}

/** SubjectPublicKeyInfo of a P-256 point (RFC 5480): this, then the 65 bytes. */
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

function createAgreeOne() {
  const key = Buffer.concat([spkiPrefix, Buffer.alloc(POINT_BYTES)]);
  const publicKey = { key, format: 'der', type: 'spki' } as const;

  /** @returns the shared secret, or null where the point is not on the curve. */
  return function agreeOne(p256dh: Uint8Array, privateKey: KeyObject): Buffer | null {
    key.set(p256dh, spkiPrefix.length);
    try {
      return diffieHellman({ privateKey, publicKey });
    } catch {
      return null;
    }
  };
}

export function createNodeSealer(): Sealer {
  const deriveKeys = createDeriveKeys();
  let record: Buffer = Buffer.alloc(0);
  let slab: Buffer = Buffer.alloc(0);
  return {
    start(into) {
      slab = into;
    },
    write(plaintext) {
      record = Buffer.concat([plaintext, Buffer.of(LAST_RECORD)]);
    },
    seal(bodyAt, keys, point, secret, salt) {
      const { contentKey, nonce } = deriveKeys(secret, keys, point, salt);
      const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
      const at = bodyAt + HEADER_BYTES;
      slab.set(cipher.update(record), at);
      cipher.final();
      slab.set(cipher.getAuthTag(), at + record.length);
    },
    finish() {
      slab = Buffer.alloc(0);
    },
    close: () => {},
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
