import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Seals secrets that rest in Postgres, with AES-256-GCM under the master key:
 *
 *     mark (4) | id of the key (4) | nonce (12) | tag (16) | ciphertext
 *
 * The context (an app's identifier) and the first 8 bytes are associated data: a sealed value copied to another
 * row does not open. Values of before keys had ids begin with the nonce, and open as well.
 */
export interface Sealer {
  seal(plain: Uint8Array | string, context: string): Buffer;
  /** @throws Error when no known key, or not this context, sealed these bytes. */
  open(sealed: Uint8Array, context: string): Buffer;
  /** The first bytes of every value sealed under the current key. */
  readonly currentHeader: Buffer;
}

/** The current key seals; the others open values sealed under them before. */
export interface MasterKeys {
  readonly current: Uint8Array;
  readonly old: readonly Uint8Array[];
}

export const MASTER_KEY_BYTES = 32;
const MARK = Buffer.from('BSK1', 'latin1');
const KEY_ID_BYTES = 4;
const HEADER_BYTES = MARK.length + KEY_ID_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const cipherName = 'aes-256-gcm';

/** Reads `MASTER_KEY`: 32 bytes as base64 or base64url. Null where it is anything else. */
export function parseMasterKey(text: string): Buffer | null {
  const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
  return key?.length === MASTER_KEY_BYTES ? key : null;
}

/** @throws Error in one line where one of them is not a key. */
export function readMasterKeys(config: {
  readonly masterKey: string;
  readonly masterKeysOld: readonly string[];
}): MasterKeys {
  const current = parseMasterKey(config.masterKey);
  if (current === null) throw new Error('MASTER_KEY must be 32 bytes in base64');
  const old = config.masterKeysOld.map((text) => {
    const key = parseMasterKey(text);
    if (key === null) throw new Error('MASTER_KEYS_OLD must hold keys of 32 bytes in base64');
    return key;
  });
  return { current, old: old.filter((key) => !key.equals(current)) };
}

/** Names a key without revealing it. */
export const masterKeyId = (key: Uint8Array): Buffer =>
  createHash('sha256').update('broadside master key').update(key).digest().subarray(0, KEY_ID_BYTES);

const headerOf = (key: Uint8Array): Buffer => Buffer.concat([MARK, masterKeyId(key)]);

export function createSealer(current: Uint8Array, old: readonly Uint8Array[] = []): Sealer {
  const keys = [current, ...old];
  for (const key of keys) {
    if (key.length !== MASTER_KEY_BYTES)
      throw new RangeError(`the master key has ${key.length} bytes, not ${MASTER_KEY_BYTES}`);
  }
  const byHeader = new Map(keys.map((key) => [headerOf(key).toString('hex'), key]));
  const currentHeader = headerOf(current);

  return {
    currentHeader,
    seal: (plain, context) => {
      // Random nonces are safe for 2^32 seals under one key; there are a few an app.
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(cipherName, current, nonce).setAAD(aadOf(currentHeader, context));
      const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([currentHeader, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: (sealed, context) => {
      const header = Buffer.from(sealed.subarray(0, HEADER_BYTES));
      const named = byHeader.get(header.toString('hex'));
      const opened = named && open(named, sealed.subarray(HEADER_BYTES), aadOf(header, context));
      if (opened) return opened;
      for (const key of keys) {
        const unnamed = open(key, sealed, Buffer.from(context));
        if (unnamed !== null) return unnamed;
      }
      throw new Error('a sealed secret does not open: its master key is not known, or it was changed');
    },
  };
}

const aadOf = (header: Buffer, context: string): Buffer => Buffer.concat([header, Buffer.from(context)]);

/** Nonce | tag | ciphertext; null where it does not open. */
function open(key: Uint8Array, sealed: Uint8Array, aad: Buffer): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(cipherName, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(aad).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
