import { type Failure, failureCode } from '../contract/outcome.ts';
import type { Exchange } from './http/exchange.ts';

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
  /** How a refusal's body begins, or why no answer came. */
  readonly text: string;
  /** How a request without an answer failed; `answered` for one with any. */
  readonly failure: number;
  /** From hand-over to answer. */
  readonly latencyMs: number;
  /** False: no connection to the origin came about. */
  readonly connected: boolean;
}

/** A refusal's body is read this far for its reason. */
export const MAX_REASON_BYTES = 200;

/** A peer that refuses streams, or says goodbye every few requests, still gets them all; not one that only does that. */
const MAX_REFUSALS = 10;

/** Takes a message that the peer never processed to another client. @returns false where it stays. */
export type HandOver = (answer: Answer, why: string) => boolean;

/**
 * One request in flight and its answer, reported once. A class, because there is one per message: methods on a
 * prototype cost nothing per object, five closures would.
 */
export class Answer implements PushAnswer, Exchange {
  readonly request: PushRequest;
  readonly listener: PushListener;
  status = 0;
  retryAfter: string | null = null;
  text = '';
  failure = failureCode.answered;
  latencyMs = 0;
  connected = true;
  private readonly sendAgain: (answer: Answer) => void;
  private readonly handOver: HandOver | null;
  private readonly startedAt = performance.now();
  private refusals = 0;
  private settled = false;

  /**
   * @param sendAgain called a bounded number of times: where the peer never processed the request.
   * @param handOver asked before it fails as refused. Absent: nobody else would send it.
   */
  constructor(
    request: PushRequest,
    listener: PushListener,
    sendAgain: (answer: Answer) => void,
    handOver: HandOver | null = null,
  ) {
    this.request = request;
    this.listener = listener;
    this.sendAgain = sendAgain;
    this.handOver = handOver;
  }

  get path(): string {
    return this.request.path;
  }

  get headers(): string[] {
    return this.request.headers;
  }

  get body(): Buffer {
    return this.request.body;
  }

  onStatus(status: number, retryAfter: string | null): void {
    this.status = status;
    this.retryAfter = retryAfter;
    if (status < 300) this.settle();
  }

  /** A refusal settles with the first piece of its body: one that trickles in must not hold up a block. */
  onBody(piece: Buffer): void {
    if (this.settled) return;
    this.text = piece.toString('utf8', 0, MAX_REASON_BYTES);
    this.settle();
  }

  onEnd(): void {
    this.settle();
  }

  onRefused(why: string): void {
    this.refusals++;
    if (this.status !== 0 || this.refusals > MAX_REFUSALS) this.onFailure('refused', why);
    else this.sendAgain(this);
  }

  /** Its name did not resolve, the connection was refused, or the certificate did not match. */
  onNotConnected(why: string): void {
    this.connected = false;
    this.onFailure('refused', why);
  }

  onFailure(failure: Failure, why: string): void {
    if (this.settled) return;
    // After the status: the answer came, its body did not.
    if (this.status === 0) {
      if (failure === 'refused' && this.handOver?.(this, why) === true) {
        this.settled = true;
        return;
      }
      this.failure = failureCode[failure];
      this.text = why;
    }
    this.settle();
  }

  private settle(): void {
    if (this.settled) return;
    this.settled = true;
    this.latencyMs = performance.now() - this.startedAt;
    this.listener.answered(this.request.index, this);
  }
}
