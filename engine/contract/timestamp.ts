import type { Wording } from './wording.ts';

/**
 * When a notification was sent, as browsers show it: a device that was offline gets an old one late. What a delivery says is
 * built when it is created, which may be days before: whoever leases its shards writes the time of their start in place of
 * that, of as many digits, so that nothing that was measured changes.
 */
const START = '{"web_push":8030,"notification":{"timestamp":';
const start = Buffer.from(START);
const DIGITS = 13;
const END = START.length + DIGITS;

/** Of milliseconds that have 13 digits: from 2001 to 2286. The first field of the notification. */
export const timestampOf = (ms: number): { readonly timestamp?: number } =>
  hasDigits(ms) ? { timestamp: ms } : {};

const hasDigits = (ms: number): boolean => /^\d{13}$/.test(String(ms));

/** @param plaintext written over where it has a time. One of a release that had none stays as it is. */
export function startAt(plaintext: Uint8Array, ms: number): Uint8Array {
  const bytes = Buffer.from(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength);
  if (hasDigits(ms) && bytes.subarray(0, start.length).equals(start))
    bytes.write(String(ms), start.length, 'latin1');
  return plaintext;
}

export const wordingStartedAt = (wording: Wording | null, ms: number): Wording | null =>
  wording === null || !hasDigits(ms)
    ? wording
    : { ...wording, texts: wording.texts.map((text) => ({ ...text, parts: partsAt(text.parts, ms) })) };

type Parts = Wording['texts'][number]['parts'];
const partsAt = ([first, ...rest]: Parts, ms: number): Parts => {
  const isTimed = typeof first === 'string' && first.startsWith(START);
  return first === undefined ? [] : [isTimed ? `${START}${ms}${first.slice(END)}` : first, ...rest];
};
