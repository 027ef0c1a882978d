import type { Arena, NativeBuffer, Pointer } from './ffi.ts';
import type { Libcrypto } from './libcrypto.ts';

/**
 * HMAC-SHA-256 (RFC 2104) by SHA-256's compression function (FIPS 180-4) through node:ffi, over blocks that
 * are padded once. A call costs 0.06 µs where a whole hash costs 0.4, and RFC 8291 needs 20 of them a message.
 */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const WORDS = 8;
const initialState = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
/** OpenSSL's SHA256_CTX is 112 bytes, of which the compression function touches the first 32. */
const CONTEXT_BYTES = 112;

/** A message of a fixed length, with SHA-256's padding behind it. */
export interface PaddedMessage {
  /** Write here before `digest`. */
  readonly bytes: Buffer;
  /** Addresses of its blocks. */
  readonly blocks: readonly Pointer[];
}

/** Where a key of a fixed length is mixed with RFC 2104's inner and outer pad. */
export interface KeyPads {
  readonly length: number;
  readonly inner: NativeBuffer;
  readonly outer: NativeBuffer;
}

export interface KeyedHmac {
  /** @param key as long as the pads were made for. */
  setKey(pads: KeyPads, key: Uint8Array): void;
  /** Writes the 32 bytes to the start of `target`. */
  digest(message: PaddedMessage, target: Buffer): void;
  /** Forgets the key. */
  wipe(): void;
}

/** @param bytes the bytes that follow the key's block in the hash. */
export function createPaddedMessage(arena: Arena, bytes: number): PaddedMessage {
  const count = Math.ceil((bytes + 1 + 8) / BLOCK_BYTES);
  const buffer = arena.allocate(count * BLOCK_BYTES);
  buffer.bytes[bytes] = 0x80;
  buffer.bytes.writeUInt32BE(8 * (BLOCK_BYTES + bytes), buffer.bytes.length - 4);
  const blocks = Array.from({ length: count }, (_, block) => buffer.at + BigInt(block * BLOCK_BYTES));
  return { bytes: buffer.bytes.subarray(0, bytes), blocks };
}

export function createKeyPads(arena: Arena, length: number): KeyPads {
  const [inner, outer] = [arena.allocate(BLOCK_BYTES), arena.allocate(BLOCK_BYTES)];
  inner.bytes.fill(0x36);
  outer.bytes.fill(0x5c);
  return { length, inner, outer };
}

export function createKeyedHmac(libcrypto: Libcrypto, arena: Arena): KeyedHmac {
  const compress = libcrypto.SHA256_Transform;
  const context = arena.allocate(CONTEXT_BYTES);
  const state = wordsOf(context);
  const [innerState, outerState] = [new Uint32Array(WORDS), new Uint32Array(WORDS)];
  const innerDigest = createPaddedMessage(arena, DIGEST_BYTES);
  const outerBlock = innerDigest.blocks[0] as Pointer;

  function compressPad(pad: NativeBuffer, into: Uint32Array): void {
    state.set(initialState);
    compress(context.at, pad.at);
    into.set(state);
  }

  function writeDigest(target: Buffer): void {
    for (let word = 0; word < WORDS; word++) target.writeUInt32BE(state[word] as number, 4 * word);
  }

  return {
    setKey({ length, inner, outer }, key) {
      if (key.length !== length) throw new RangeError(`an HMAC key of ${key.length} bytes`);
      for (let i = 0; i < length; i++) {
        inner.bytes[i] = (key[i] as number) ^ 0x36;
        outer.bytes[i] = (key[i] as number) ^ 0x5c;
      }
      compressPad(inner, innerState);
      compressPad(outer, outerState);
    },
    digest({ blocks }, target) {
      state.set(innerState);
      for (const block of blocks) compress(context.at, block);
      writeDigest(innerDigest.bytes);
      state.set(outerState);
      compress(context.at, outerBlock);
      writeDigest(target);
    },
    wipe() {
      for (const words of [state, innerState, outerState]) words.fill(0);
      innerDigest.bytes.fill(0);
    },
  };
}

/** As native code sees them: in the machine's own byte order. */
const wordsOf = ({ bytes }: NativeBuffer): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, WORDS);
