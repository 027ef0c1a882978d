import { type Failure, failureCode } from '../contract/outcome.ts';

export interface PushRequest {
  /** As `URL.origin` gives it. */
  readonly origin: string;
  readonly path: string;
  /** Names and values in turn, in lower case; shared between requests. */
  readonly headers: string[];
  readonly body: Buffer;
  /** Given back to the listener. */
  readonly index: number;
}

export interface PushListener {
  answered(index: number, answer: PushAnswer): void;
}

export interface PushAnswer {
  /** 0 where no answer came. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** How a refusal's body begins, or the error's code where no answer came. */
  readonly text: string;
  /** What is known of a request without an answer; `answered` for one with any. */
  readonly failure: number;
  /** From hand-over to answer. */
  readonly latencyMs: number;
}

/** A refusal's body is read this far for its reason. */
export const MAX_REASON_BYTES = 200;
const NGHTTP2_REFUSED_STREAM = 7;

/** The connection that carries a request. */
export interface Carrier {
  inFlight: number;
  /** Answers that did not come in time, since the last one that did. */
  timeoutsInRow: number;
  /** When the last answer came, by `performance.now()`; 0: none yet. */
  answeredAt: number;
  /** Given up: its peer no longer answers. */
  discarded: boolean;
}

/** Whom an answer turns to when its connection fails it. */
export interface Carriers {
  onTimeout(carrier: Carrier): void;
  /** Only for a request that was never written. */
  sendElsewhere(answer: Answer): void;
}

/**
 * One request's handler and its answer. A class, because there is one a message: methods on a prototype
 * cost nothing per object, five closures would.
 */
export class Answer implements PushAnswer {
  readonly request: PushRequest;
  readonly listener: PushListener;
  readonly carriers: Carriers;
  carrier: Carrier | null = null;
  status = 0;
  retryAfter: string | null = null;
  text = '';
  failure = failureCode.answered;
  latencyMs = 0;
  private readonly startedAt = performance.now();
  /** The request was written, or is about to be: from here on the peer may have seen it. */
  private started = false;
  private moved = false;
  private settled = false;

  constructor(request: PushRequest, listener: PushListener, carriers: Carriers) {
    this.request = request;
    this.listener = listener;
    this.carriers = carriers;
  }

  onRequestStart(): void {
    this.started = true;
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return; // interim answers come this way too
    this.status = status;
    const retryAfter = headers['retry-after'];
    if (typeof retryAfter === 'string') this.retryAfter = retryAfter;
    if (this.carrier !== null) {
      this.carrier.timeoutsInRow = 0;
      this.carrier.answeredAt = performance.now();
    }
    if (status < 300) this.settle();
  }

  /** A refusal settles with the first piece of its body: one that trickles in must not hold up a block. */
  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.settled) return;
    this.text = chunk.toString('utf8', 0, MAX_REASON_BYTES);
    this.settle();
  }

  onResponseEnd(): void {
    this.settle();
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.settled) return;
    // An error after the status: the answer came, its body did not.
    if (this.status !== 0) this.settle();
    else this.fail(error);
  }

  private fail(error: Error): void {
    if (!this.started && !this.moved && this.carrier?.discarded === true) {
      this.moved = true;
      this.carrier.inFlight--;
      this.carriers.sendElsewhere(this);
      return;
    }
    this.failure = failureCode[failureOf(error, this.started)];
    this.text = codeOf(error);
    // Where others were answered meanwhile the session lives: to close it would cost them theirs.
    const isSilent = this.carrier !== null && this.carrier.answeredAt < this.startedAt;
    if (this.text === 'UND_ERR_HEADERS_TIMEOUT' && this.carrier !== null && isSilent) {
      this.carriers.onTimeout(this.carrier);
    }
    this.settle();
  }

  private settle(): void {
    if (this.settled) return;
    this.settled = true;
    if (this.carrier !== null) this.carrier.inFlight--;
    this.latencyMs = performance.now() - this.startedAt;
    this.listener.answered(this.request.index, this);
  }
}

/**
 * Whether a request without an answer may have reached the push service.
 * @param started whether undici began to write it. Connecting, look-up and TLS failures come before.
 */
export function failureOf(error: Error, started: boolean): Failure {
  if (!started) return 'refused';
  if ((error as { http2ErrorCode?: number }).http2ErrorCode === NGHTTP2_REFUSED_STREAM) return 'refused';
  // undici fails a request with these words only where its stream lies above GOAWAY's last one, or its
  // HEADERS frame (type 1) was never written.
  if (error.message.startsWith('HTTP/2: "GOAWAY" frame received')) return 'refused';
  if (error.message.startsWith('HTTP/2: "frameError" received - type 1,')) return 'refused';
  return 'unknown';
}

const codeOf = (error: Error): string => (error as { code?: string }).code ?? error.name;
