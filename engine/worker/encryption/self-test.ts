import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { HEADER_BYTES, POINT_BYTES, SALT_BYTES, type SubscriptionKeys, TAG_BYTES } from '../encrypt.ts';
import type { Backend, BackendOptions } from './backends.ts';

/** The example of RFC 8291, Appendix A. */
export const rfcExample = {
  plaintext: Buffer.from('When I grow up, I want to be a watermelon'),
  known: {
    scalar: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  },
  keys: {
    p256dh: Buffer.from(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      'base64url',
    ),
    auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
  },
  body: Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w' +
      'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  ),
};

/** One whole group of eight lanes and a part of the next, so that every lane is tested. */
const MESSAGES = 11;
const BROKEN = 5;

/**
 * Checks that a backend's bodies can be decrypted before any is sent: the RFC's example on every lane, then
 * fresh ones, read by node:crypto's own key agreement, and with invalid keys among them. 20 ms of CPU when a
 * thread starts, because nothing is compiled yet.
 * @param open the backend, with a known sender or without.
 * @throws Error that names the fault.
 */
export function testBackend(open: (given: Pick<BackendOptions, 'known'>) => Backend): void {
  withBackend(open({ known: rfcExample.known }), ({ encryptBatch }) => {
    const bodies = encryptBatch(rfcExample.plaintext, Array(MESSAGES).fill(rfcExample.keys));
    if (!bodies.every((body) => body?.equals(rfcExample.body)))
      throw new Error('the example of RFC 8291 came out differently');
  });
  withBackend(open({}), ({ encryptBatch }) => {
    const browsers = Array.from({ length: MESSAGES }, makeBrowser);
    const bodies = encryptBatch(rfcExample.plaintext, browsers.map(breakOne));
    if (new Set(bodies.map((body) => body?.toString('hex', 0, HEADER_BYTES))).size !== MESSAGES)
      throw new Error('two messages had the same salt or the same sender');
    for (const [at, body] of bodies.entries()) {
      if ((body === null) !== (at === BROKEN)) throw new Error('invalid keys were not detected correctly');
      if (body !== null && !readBody(body, browsers[at] as Browser).equals(rfcExample.plaintext))
        throw new Error('a body could not be read');
    }
  });
}

function withBackend(backend: Backend, use: (backend: Backend) => void): void {
  try {
    use(backend);
  } finally {
    backend.close();
  }
}

interface Browser extends SubscriptionKeys {
  readonly pair: ECDH;
}

function makeBrowser(): Browser {
  const pair = createECDH('prime256v1');
  return { pair, p256dh: pair.generateKeys(), auth: randomBytes(16) };
}

function breakOne({ p256dh, auth }: Browser, at: number): SubscriptionKeys {
  if (at !== BROKEN) return { p256dh, auth };
  const offCurve = Buffer.from(p256dh);
  offCurve[POINT_BYTES - 1] = (offCurve[POINT_BYTES - 1] as number) ^ 1;
  return { p256dh: offCurve, auth };
}

/** A browser's side of RFC 8291, sharing no code with the sender's. @throws where the tag is another. */
function readBody(body: Buffer, { pair, p256dh, auth }: Browser): Buffer {
  const [salt, sender] = [
    body.subarray(0, SALT_BYTES),
    body.subarray(HEADER_BYTES - POINT_BYTES, HEADER_BYTES),
  ];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender]);
  const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
  const expand = (name: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, bytes));
  const cipher = createDecipheriv('aes-128-gcm', expand('aes128gcm', 16), expand('nonce', 12));
  cipher.setAuthTag(body.subarray(-TAG_BYTES));
  const record = Buffer.concat([cipher.update(body.subarray(HEADER_BYTES, -TAG_BYTES)), cipher.final()]);
  return record.subarray(0, -1);
}
