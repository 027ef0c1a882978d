import type { Socket } from 'node:net';
import { type Client, type Dispatcher, errors } from 'undici';
import type { Answer } from '../push-answer.ts';
import type { createByteBudget } from './byte-budget.ts';
import { codeOfError, nameOfError } from './protocol.ts';
import { reasonOf } from './reason.ts';

/** One undici Client: at most one socket at a time, opened when it is needed. */
export interface Connection {
  readonly client: Client;
  /** Messages that undici began to write, in that order, which is that of the deadlines. */
  readonly started: Set<Transfer>;
  /** Those that were handed to undici and have not ended, started or not. */
  inHand: number;
  /** `undici` would queue more: no more until it says `drain`. */
  isFull: boolean;
  isConnected: boolean;
  /** Out of use; its messages in flight may still be ending. */
  isRetired: boolean;
  /** Requests that were handed to it. */
  requests: number;
  /** The bytes that its sockets read before the one of now. */
  readBefore: number;
  socket: Socket | null;
  readonly isOverdrawn: ReturnType<typeof createByteBudget>;
  timeoutsInRow: number;
  /** By `performance.now()`; 0: nothing was answered since it was connected. */
  answeredAt: number;
}

/** One push service's connections, and the messages that wait for them; bounded by the callers' windows. */
export interface Pool {
  readonly origin: string;
  readonly connections: Connection[];
  readonly waiting: Answer[];
  /** Messages that wait here or in undici's queues. */
  unstarted: number;
  /** By `performance.now()`: when a message was last started, or began to wait where none did. */
  movedAt: number;
  /** By `performance.now()`: a further connection failed a moment ago. */
  openAfter: number;
  /** Connections in a row that ended without an answer. */
  silentInRow: number;
  /** By `performance.now()`: the peer flooded us, and nothing is sent to it before. */
  calmUntil: number;
  isClosed: boolean;
}

/** After this many, waiting messages are not sent to find out whether the next one is silent too. */
export const MAX_SILENT_IN_ROW = 2;

export const hasOpen = ({ connections }: Pool): boolean => connections.some(({ isConnected }) => isConnected);

/** One message in undici's hands: passes undici's callbacks on to its answer. */
export class Transfer implements Dispatcher.DispatchHandler {
  startedAt = 0;
  hasStatus = false;
  isLate = false;
  private hasEnded = false;
  private controller: Dispatcher.DispatchController | null = null;
  private readonly answer: Answer;
  private readonly pool: Pool;
  private readonly connection: Connection;

  constructor(answer: Answer, pool: Pool, connection: Connection) {
    this.answer = answer;
    this.pool = pool;
    this.connection = connection;
  }

  /** Again where undici itself sends it again: once, where the peer says that it never processed it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.startedAt === 0) this.pool.unstarted--;
    this.controller = controller;
    this.startedAt = performance.now();
    this.pool.movedAt = this.startedAt;
    this.connection.started.delete(this);
    this.connection.started.add(this);
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return; // Interim answers come this way too.
    this.hasStatus = true;
    this.pool.silentInRow = 0;
    this.connection.timeoutsInRow = 0;
    this.connection.answeredAt = performance.now();
    const retryAfter = headers['retry-after'];
    this.answer.onStatus(status, typeof retryAfter === 'string' ? retryAfter : null);
  }

  onResponseData(_: unknown, piece: Buffer): void {
    this.answer.onBody(piece);
  }

  onResponseEnd(): void {
    if (this.leave()) this.answer.onEnd();
  }

  onResponseError(_: unknown, error: Error): void {
    if (!this.leave()) return;
    const { answer, pool, connection } = this;
    const code = (error as { http2ErrorCode?: number }).http2ErrorCode;
    const why = code === undefined ? reasonOf(error) : nameOfError(code);
    if (this.startedAt > 0) {
      // Of refused streams, undici has sent each again once itself.
      if (code === codeOfError('REFUSED_STREAM') || wasNeverRead(error)) answer.onRefused(why);
      else answer.onFailure('unknown', why === 'UND_ERR_SOCKET' ? 'CONNECTION_CLOSED' : why);
    } else if (!connection.isRetired && !hasOpen(pool)) answer.onNotConnected(why);
    else if (pool.silentInRow >= MAX_SILENT_IN_ROW) answer.onFailure('refused', 'CONNECTION_CLOSED');
    else answer.onRefused('CONNECTION_CLOSED');
  }

  /** It was written, and its answer is no longer waited for. */
  abandon(why: string): void {
    if (!this.leave()) return;
    this.answer.onFailure('unknown', why);
    // With this code undici takes it for an error of this message alone.
    this.controller?.abort(new errors.InformationalError(why));
  }

  /** @returns false where it has ended before. */
  private leave(): boolean {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    if (this.startedAt === 0) this.pool.unstarted--;
    this.connection.inHand--;
    this.connection.started.delete(this);
    return true;
  }
}

/** `undici`'s words for a stream above GOAWAY's last one, and for one whose HEADERS (type 1) were never written. */
const wasNeverRead = (error: Error): boolean =>
  saidGoodbye(error) || error.message.startsWith('HTTP/2: "frameError" received - type 1,');

export const saidGoodbye = ({ message }: Error): boolean =>
  message.startsWith('HTTP/2: "GOAWAY" frame received');
