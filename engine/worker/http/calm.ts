import { Http2Error } from './protocol.ts';

/**
 * The budget of frames that bring nothing forward: a SETTINGS, a PING, a DATA without data, a frame of a stream that
 * is gone. RFC 9113 section 10.5 lets a client treat too many as an attack. Reading one costs the thread more than
 * sending it costs the peer, and every other push service of the thread waits meanwhile.
 *
 * What brings a request forward pays for the frames beside it. All of that is finite for each request: it is sent
 * once, ends once, and its body has as many bytes as it has. So a peer may be slow, chatty, or give way byte by byte,
 * and the work it makes is still bounded by the messages it takes.
 */
export interface Calm {
  /**
   * Counts one. @param payloadBytes longer ones weigh more: a SETTINGS may repeat one setting 2,730 times.
   * @throws Http2Error ENHANCE_YOUR_CALM once the budget is spent.
   */
  fruitless(payloadBytes?: number): void;
  /** A request was sent. */
  requested(): void;
  /** The peer let more of a body out. */
  letOut(): void;
  /** A request was answered, or its stream ended: the budget is full again. */
  ended(): void;
}

/** Far more than an honest peer sends at once, including the resets and windows of a hundred streams. */
export const MAX_FRUITLESS = 1_000;
/** A peer may ask whether we are there, or change its settings, this often for as long as it likes. */
const PER_SECOND = 50;
/** Of a request that waits for its answer: a peer may ask something at each of its bytes, or answer in tiny pieces. */
export const PER_REQUEST = 250;
/** Requests without an answer that pay: as many as a connection usually carries. */
const MAX_PAYING = 100;
const MAX_BUDGET = MAX_FRUITLESS + MAX_PAYING * PER_REQUEST;
/** The connection’s window beside the stream’s, a PING to measure the way, changed SETTINGS. */
const PER_LET_OUT = 4;
const BYTES_OF_ONE = 64;

/** @param now milliseconds of a monotonic clock. */
export function createCalm(now: () => number = () => performance.now()): Calm {
  let budget = MAX_FRUITLESS;
  let filledAt = now();

  const pay = (frames: number): void => {
    budget = Math.min(MAX_BUDGET, budget + frames);
  };

  /** Only when a frame is counted: a connection that behaves never reads the clock. */
  function refill(): void {
    const at = now();
    const earned = ((at - filledAt) / 1_000) * PER_SECOND;
    filledAt = at;
    if (budget < MAX_FRUITLESS) budget = Math.min(MAX_FRUITLESS, budget + earned);
  }

  return {
    fruitless(payloadBytes = 0) {
      budget -= 1 + Math.floor(payloadBytes / BYTES_OF_ONE);
      if (budget >= 0) return;
      refill();
      if (budget < 0) throw new Http2Error('ENHANCE_YOUR_CALM', 'frames that bring nothing forward');
    },
    requested: () => pay(PER_REQUEST),
    letOut: () => pay(PER_LET_OUT),
    ended() {
      if (budget < MAX_FRUITLESS) budget = MAX_FRUITLESS;
    },
  };
}
