import { POINT_BYTES, SALT_BYTES, SECRET_BYTES, type SubscriptionKeys } from '../encrypt.ts';
import type { Arena, NativeBuffer } from './ffi.ts';
import type { Libcrypto } from './libcrypto.ts';
import { createKeyedHmac, createKeyPads, createPaddedMessage, type PaddedMessage } from './sha256-hmac.ts';

const keyInfoPrefix = Buffer.from('WebPush: info\0');

/** RFC 8291 section 3.4: two HKDF runs of one block each, into memory that OpenSSL's cipher reads. */
export interface DeriveKeys {
  /** The first 16 bytes are AES' key. */
  readonly contentKey: NativeBuffer;
  /** The first 12 bytes are GCM's. */
  readonly nonce: NativeBuffer;
  derive(keys: SubscriptionKeys, point: Uint8Array, secret: Uint8Array, salt: Uint8Array): void;
  wipe(): void;
}

export function createDeriveKeys(libcrypto: Libcrypto, arena: Arena): DeriveKeys {
  const hmac = createKeyedHmac(libcrypto, arena);
  const shortPads = createKeyPads(arena, SALT_BYTES);
  const longPads = createKeyPads(arena, SECRET_BYTES);
  const step = createPaddedMessage(arena, SECRET_BYTES);
  const inputInfo = createPaddedMessage(arena, keyInfoPrefix.length + 2 * POINT_BYTES + 1);
  const contentInfo = createInfo(arena, 'Content-Encoding: aes128gcm\0');
  const nonceInfo = createInfo(arena, 'Content-Encoding: nonce\0');
  const contentKey = arena.allocate(SECRET_BYTES);
  const nonce = arena.allocate(SECRET_BYTES);
  const key = Buffer.alloc(SECRET_BYTES);
  inputInfo.bytes.set(keyInfoPrefix);
  inputInfo.bytes[inputInfo.bytes.length - 1] = 1;

  return {
    contentKey,
    nonce,
    derive(keys, point, secret, salt) {
      hmac.setKey(shortPads, keys.auth);
      step.bytes.set(secret);
      hmac.digest(step, key);
      hmac.setKey(longPads, key);
      inputInfo.bytes.set(keys.p256dh, keyInfoPrefix.length);
      inputInfo.bytes.set(point, keyInfoPrefix.length + POINT_BYTES);
      hmac.digest(inputInfo, step.bytes);
      hmac.setKey(shortPads, salt);
      hmac.digest(step, key);
      hmac.setKey(longPads, key);
      hmac.digest(contentInfo, contentKey.bytes);
      hmac.digest(nonceInfo, nonce.bytes);
    },
    wipe() {
      hmac.wipe();
      for (const { inner, outer, length } of [shortPads, longPads]) {
        inner.bytes.fill(0, 0, length);
        outer.bytes.fill(0, 0, length);
      }
      for (const bytes of [step.bytes, key, contentKey.bytes, nonce.bytes]) bytes.fill(0);
    },
  };
}

/** HKDF-Expand's first and only block: HMAC(key, info | 1). */
function createInfo(arena: Arena, info: string): PaddedMessage {
  const message = createPaddedMessage(arena, info.length + 1);
  message.bytes.write(info, 'latin1');
  message.bytes[info.length] = 1;
  return message;
}
