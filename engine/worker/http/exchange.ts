import type { Failure } from '../../contract/outcome.ts';

/** One request and its waiting caller. Each ends once: `onEnd`, `onRefused` or `onFailure`. */
export interface Exchange {
  readonly path: string;
  /** Names and values in turn, in lower case; the same array for all requests that share it. */
  readonly headers: string[];
  readonly body: Buffer;
  /** The final status came; interim ones are not reported. */
  onStatus(status: number, retryAfter: string | null): void;
  /** A piece of the body: a view of the socket's read buffer. */
  onBody(piece: Buffer): void;
  onEnd(): void;
  /** The peer never processed the request: it may be sent again. */
  onRefused(why: string): void;
  /** @param failure `refused`: it never left. `unknown`: the peer may have read it. */
  onFailure(failure: Failure, why: string): void;
}

/** The idle timeout of a connection: push services close theirs themselves. */
export const IDLE_MS = 300_000;

/** One connection, over either protocol. */
export interface HttpSession {
  /** How many more requests it takes now. */
  free(): number;
  /** Only while `free()` is above 0. */
  request(exchange: Exchange): void;
  /** Takes no more; ends when the last answer is in. */
  close(): void;
  /** Closes at once: requests that were sent are `unknown`. */
  destroy(): void;
}

export interface HttpSessionEvents {
  /** `free()` may have grown. */
  onFree(): void;
  /**
   * Takes no requests any more; answers may still come. Called once.
   * @param hasCarried false: it never took any.
   */
  onOver(why: string, hasCarried: boolean): void;
  /** The connection ends because the peer sent too many frames without progress; called before the requests end. */
  onFlood(): void;
}

export interface HttpSessionOptions {
  readonly authority: string;
  readonly maxStreams: number;
  /** How long the peer may take to send its SETTINGS. */
  readonly settingsTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly deadAfterTimeouts: number;
}
