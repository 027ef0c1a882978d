import type { Failure } from '../../contract/outcome.ts';

/** One request and whoever waits for its answer. Each is told of one end: `onEnd`, `onRefused` or `onFailure`. */
export interface Exchange {
  readonly path: string;
  /** Names and values in turn, in lower case; the same array for all requests that share it. */
  readonly headers: string[];
  readonly body: Buffer;
  /** The final status came; interim ones are not told. */
  onStatus(status: number, retryAfter: string | null): void;
  /** A piece of the body: a view of what was read. */
  onBody(piece: Buffer): void;
  onEnd(): void;
  /** The peer says that it never looked at the request: it may be sent again. */
  onRefused(why: string): void;
  /** @param failure `refused`: it never left. `unknown`: the peer may have read it. */
  onFailure(failure: Failure, why: string): void;
}

/** How long an unused connection is kept: push services close theirs by themselves. */
export const IDLE_MS = 300_000;

/** One connection, whatever it speaks. */
export interface Session {
  /** How many more requests it takes now. */
  free(): number;
  /** Only while `free()` is above 0. */
  request(exchange: Exchange): void;
  /** Takes no more; ends when the last answer is in. */
  close(): void;
  /** Ends at once: what was sent is `unknown`. */
  destroy(): void;
}

export interface SessionEvents {
  /** `free()` may have grown. */
  onFree(): void;
  /**
   * Takes no requests any more; answers may still come. Called once.
   * @param hasCarried false: it never took any.
   */
  onOver(why: string, hasCarried: boolean): void;
  /** It ends because the peer sent too many frames that bring nothing forward; before the requests are told. */
  onFlood(): void;
}

export interface SessionOptions {
  readonly authority: string;
  readonly maxStreams: number;
  /** How long the peer may take until it says what it takes. */
  readonly settingsTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly deadAfterTimeouts: number;
}
