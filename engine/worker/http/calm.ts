import { Http2Error } from './protocol.ts';

/**
 * The budget of frames that bring nothing forward: a SETTINGS, a PING, a DATA without data, a frame of a stream that
 * is gone. RFC 9113 section 10.5 lets a client treat too many as an attack. Reading one costs the thread more than
 * sending it costs the peer, and every other push service of the thread waits meanwhile.
 */
export interface Calm {
  /**
   * Counts one. @param payloadBytes longer ones weigh more: a SETTINGS may repeat one setting 2,730 times.
   * @throws Http2Error ENHANCE_YOUR_CALM once the budget is spent.
   */
  fruitless(payloadBytes?: number): void;
  /** A request was sent: it pays for the frames of an honest peer beside its answer. */
  requested(): void;
}

/** Far more than an honest peer sends at once, including the resets and windows of a hundred streams. */
export const MAX_FRUITLESS = 1_000;
/** A peer may ask whether we are there, or change its settings, this often for as long as it likes. */
const PER_SECOND = 50;
/** Windows of stream and connection, a PING to measure the way, a late end. */
const PER_REQUEST = 16;
const BYTES_OF_ONE = 64;

/** @param now milliseconds of a monotonic clock. */
export function createCalm(now: () => number = () => performance.now()): Calm {
  let budget = MAX_FRUITLESS;
  let filledAt = now();

  /** Only when a frame is counted: a connection that behaves never reads the clock. */
  function refill(): void {
    const at = now();
    budget = Math.min(MAX_FRUITLESS, budget + ((at - filledAt) / 1_000) * PER_SECOND);
    filledAt = at;
  }

  return {
    fruitless(payloadBytes = 0) {
      budget -= 1 + Math.floor(payloadBytes / BYTES_OF_ONE);
      if (budget >= 0) return;
      refill();
      if (budget < 0) throw new Http2Error('ENHANCE_YOUR_CALM', 'frames that bring nothing forward');
    },
    requested() {
      budget = Math.min(MAX_FRUITLESS, budget + PER_REQUEST);
    },
  };
}
