import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Seals secrets that rest in Postgres: nonce (12) | tag (16) | ciphertext, AES-256-GCM under the master key.
 * The context (an app's identifier) is associated data: a sealed value copied to another row does not open.
 */
export interface Sealer {
  seal(plain: Uint8Array | string, context: string): Buffer;
  /** @throws Error where the key, the context or the bytes are not those it was sealed with. */
  open(sealed: Uint8Array, context: string): Buffer;
}

export const MASTER_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const cipherName = 'aes-256-gcm';

/** Reads `MASTER_KEY`: 32 bytes as base64 or base64url. Null where it is anything else. */
export function parseMasterKey(text: string): Buffer | null {
  const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
  return key?.length === MASTER_KEY_BYTES ? key : null;
}

export function createSealer(masterKey: Uint8Array): Sealer {
  if (masterKey.length !== MASTER_KEY_BYTES)
    throw new RangeError(`the master key has ${masterKey.length} bytes, not 32`);
  return {
    seal: (plain, context) => {
      // Random nonces are safe for 2^32 seals under one key; there is one seal an app.
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(cipherName, masterKey, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: (sealed, context) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('not a sealed secret: too short');
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(cipherName, masterKey, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}
