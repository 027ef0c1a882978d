import { createECDH, type ECDH, randomBytes, randomInt } from 'node:crypto';
import ece from 'http_ece';
import { MAX_PLAINTEXT_BYTES } from '../../engine/worker/encrypt.ts';
import type { Backend } from '../../engine/worker/encryption/backends.ts';

export interface Browser {
  readonly pair: ECDH;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

export function makeBrowsers(count: number): Browser[] {
  return Array.from({ length: count }, () => {
    const pair = createECDH('prime256v1');
    return { pair, p256dh: pair.generateKeys(), auth: randomBytes(16) };
  });
}

/** Reads a body by code that shares nothing with ours. @throws where it cannot be read. */
export const decrypt = (body: Buffer, { pair, auth }: Browser): Buffer =>
  ece.decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth });

const BROWSERS = 256;
const MAX_BATCH = 48;
/** One message out of this many has invalid keys. */
const BROKEN_EVERY = 97;
/** One batch out of this many is decrypted completely. */
const READ_EVERY = 500;

export interface WorkDone {
  readonly messages: number;
  readonly refused: number;
  readonly read: number;
}

/**
 * Batches of every size, plaintexts of every length, some broken keys among them.
 * @throws Error where a body cannot be decrypted, or a broken key was not detected.
 */
export function encryptAllSorts({ encryptBatch }: Backend, messages: number): WorkDone {
  const browsers = makeBrowsers(BROWSERS);
  const done = { messages: 0, refused: 0, read: 0 };
  for (let batch = 0; done.messages < messages; batch++) {
    const plaintext = randomBytes(batch % 10 === 0 ? randomInt(MAX_PLAINTEXT_BYTES + 1) : 400);
    const asked = Array.from({ length: randomInt(1, MAX_BATCH + 1) }, (_, at) => {
      const browser = browsers[randomInt(BROWSERS)] as Browser;
      return { browser, broken: (done.messages + at) % BROKEN_EVERY === 0 };
    });
    const bodies = encryptBatch(
      plaintext,
      asked.map(({ browser, broken }) => (broken ? breakKey(browser) : browser)),
    );
    for (const [at, { browser, broken }] of asked.entries()) {
      const body = bodies[at] ?? null;
      if ((body === null) !== broken) throw new Error('a broken key was not told from the others');
      if (body === null) done.refused++;
      else if (batch % READ_EVERY === 0) {
        if (!decrypt(body, browser).equals(plaintext)) throw new Error('a body was read as another text');
        done.read++;
      }
    }
    done.messages += asked.length;
  }
  return done;
}

function breakKey({ p256dh, auth }: Browser) {
  const offCurve = Buffer.from(p256dh);
  offCurve[40] = (offCurve[40] as number) ^ 1;
  return { p256dh: offCurve, auth };
}
