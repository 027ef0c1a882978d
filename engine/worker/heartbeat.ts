import { heartbeatWord } from './protocol.ts';

export const HEARTBEAT_MS = 1_000;

/**
 * A count that goes up at least once in HEARTBEAT_MS while this thread's event loop turns, in memory that the main thread
 * reads: a message would have to wait for the very loop that it is to vouch for.
 */
export function startHeartbeat(): Int32Array<SharedArrayBuffer> {
  const words = Object.keys(heartbeatWord).length;
  const beats = new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, heartbeatWord.beats, 1), HEARTBEAT_MS / 2).unref();
  return beats;
}
