import { pulseWord } from './protocol.ts';

export const PULSE_MS = 1_000;

/**
 * A count that goes up at least once in PULSE_MS while this thread's event loop turns, in memory that the main thread
 * reads: a message would have to wait for the very loop that it is to vouch for.
 */
export function startPulse(): Int32Array<SharedArrayBuffer> {
  const words = Object.keys(pulseWord).length;
  const beats = new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, pulseWord.beats, 1), PULSE_MS / 2).unref();
  return beats;
}
