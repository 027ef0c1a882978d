import { hash } from 'node:crypto';
import ece from 'http_ece';
import type { CompiledOptions } from './options.ts';
import type { SubscriberFactory } from './subscriber.ts';

/** What a browser would make of a message. */
export type Reading =
  | { readonly kind: 'unread' }
  | { readonly kind: 'failed'; readonly error: string }
  | {
      readonly kind: 'read';
      readonly plaintext: string;
      /** What duplicates are counted by: the delivery's identifier, or the plaintext's digest. */
      readonly identity: string;
      /** The sender used this key pair for an earlier message: RFC 8291 wants a fresh one for each. */
      readonly keyReused: boolean;
    };

export interface ReadMessage {
  /** Whether the index is in the sample. Always the same answer for an index. */
  samples(index: number): boolean;
  read(index: number, body: Buffer): Reading;
}

const KEY_ID_AT = 21;
const X_AT = KEY_ID_AT + 1;
const MAX_REMEMBERED_KEYS = 65_536;

export function createReadMessage(options: CompiledOptions, subscribers: SubscriberFactory): ReadMessage {
  const path = options.deliveryIdPath.split('.');
  const isReused = createKeyMemory();

  function open(index: number, body: Buffer): string {
    const privateKey = subscribers.agreement(index);
    const authSecret = subscribers.auth(index);
    return ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret }).toString('utf8');
  }

  function read(index: number, body: Buffer): Reading {
    try {
      const plaintext = open(index, body);
      const named = valueAt(JSON.parse(plaintext), path);
      const identity = named ?? hash('sha256', plaintext, 'hex').slice(0, 16);
      return { kind: 'read', plaintext, identity, keyReused: isReused(body.readUIntBE(X_AT, 6)) };
    } catch (error) {
      return { kind: 'failed', error: `index ${index}: ${String(error)}` };
    }
  }

  return { samples: createSampler(options.verify), read };
}

/** Scattered, so that a sample of 1 in N is not a pattern that origins or blocks follow too. */
/** Which indexes are read: the same ones every time, spread over all origins. */
export function createSampler(verify: CompiledOptions['verify']): (index: number) => boolean {
  if (verify === 'none') return () => false;
  if (verify === 'all' || verify === 1) return () => true;
  return (index) => (Math.imul(index ^ (index >>> 16), 0x45d9f3b) >>> 0) % verify === 0;
}

/** The first 48 bits name a key well enough: 65,536 of them collide once in 130,000 runs. */
function createKeyMemory(): (keyBits: number) => boolean {
  const seen = new Set<number>();
  return (keyBits) => {
    if (seen.has(keyBits)) return true;
    if (seen.size >= MAX_REMEMBERED_KEYS) seen.clear();
    seen.add(keyBits);
    return false;
  };
}

function valueAt(json: unknown, path: readonly string[]): string | null {
  let value = json;
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
