import type { Readable } from 'node:stream';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { inPieces } from './pieces.ts';

/** Answers of ClickHouse in memory, until their clients have read them. */
export interface HeldAnswers {
  /**
   * Takes all of an answer at ClickHouse's pace, so that its query is over before the first byte is sent.
   * @returns `large`: it exceeds its bound; `full`: there was no room in time.
   */
  hold(rows: Readable, reader: AnswerReader): Promise<HeldAnswer | 'large' | 'full'>;
  /** Bytes that no client has read yet. */
  used(): number;
}

export interface AnswerReader {
  readonly userId: number;
  /** The client is gone: its answer gives its memory back. */
  readonly signal: AbortSignal;
  /** The client must not get the rest. */
  drop(reason: string): void;
}

export interface HeldAnswer {
  readonly size: number;
  /** Once, and each piece is let go when the next one is asked for. */
  read(): AsyncGenerator<Buffer>;
}

export interface HoldOptions {
  readonly answerBytes: number;
  /** Over all answers. */
  readonly totalBytes: number;
  /** How long an answer waits for room. */
  readonly waitMs: number;
  readonly clock: Clock;
}

/** A client that took less than this since its answer was ready is slow, judged after `JUDGED_MS`. */
const SLOWEST_BYTES_PER_SECOND = 256 * 1_024;
const JUDGED_MS = 10_000;
const LOOK_MS = 100;

interface Held {
  readonly reader: AnswerReader;
  pieces: Buffer[];
  bytes: number;
  taken: number;
  /** When the client could begin to read; null: not yet. */
  readyAt: number | null;
}

/**
 * Where an answer finds no room, the slowest client is disconnected, if it is slow: so no number of clients that stopped
 * reading keeps memory from others, and none that reads loses its answer.
 */
export function createHeldAnswers({ answerBytes, totalBytes, waitMs, clock }: HoldOptions): HeldAnswers {
  const held = new Set<Held>();
  /** However many answers one user asks for, and however slowly they are read, others have half of the room. */
  const mostOfUser = Math.max(answerBytes, totalBytes / 2);
  let used = 0;

  function letGo(one: Held): void {
    if (!held.delete(one)) return;
    used -= one.bytes;
    one.bytes = 0;
    one.pieces = [];
  }

  const paceOf = ({ taken, readyAt }: Held): number =>
    readyAt === null || clock.now() - readyAt < JUDGED_MS
      ? Number.POSITIVE_INFINITY
      : (taken * 1_000) / (clock.now() - readyAt);

  function dropSlowest(among: readonly Held[]): boolean {
    const [slowest] = among.toSorted((one, other) => paceOf(one) - paceOf(other));
    if (slowest === undefined || paceOf(slowest) >= SLOWEST_BYTES_PER_SECOND) return false;
    letGo(slowest);
    slowest.reader.drop('it reads too slowly, and others need the room');
    return true;
  }

  /** The answers of which one must go for these bytes; null: there is room. */
  function inTheWay(bytes: number, userId: number): readonly Held[] | null {
    if (used + bytes > totalBytes) return [...held];
    const own = [...held].filter(({ reader }) => reader.userId === userId);
    return own.reduce((sum, one) => sum + one.bytes, bytes) > mostOfUser ? own : null;
  }

  async function hasRoom(bytes: number, { signal, userId }: AnswerReader, until: number): Promise<boolean> {
    for (;;) {
      const others = inTheWay(bytes, userId);
      if (others === null) return true;
      if (signal.aborted || clock.now() > until) return false;
      if (!dropSlowest(others)) await new Promise<void>((resolve) => clock.setTimer(LOOK_MS, resolve));
    }
  }

  async function* read(one: Held): AsyncGenerator<Buffer> {
    try {
      for (let piece = one.pieces.shift(); piece !== undefined; piece = one.pieces.shift()) {
        yield piece;
        one.taken += piece.length;
        one.bytes -= piece.length;
        if (held.has(one)) used -= piece.length;
        else throw new Error('the client was disconnected');
      }
    } finally {
      letGo(one);
    }
  }

  async function take(rows: Readable, one: Held): Promise<number | 'large' | 'full'> {
    const until = clock.now() + waitMs;
    let size = 0;
    for await (const piece of inPieces(rows)) {
      one.reader.signal.throwIfAborted();
      size += piece.length;
      if (size > answerBytes) return 'large';
      if (!(await hasRoom(piece.length, one.reader, until))) return 'full';
      one.pieces.push(piece);
      one.bytes += piece.length;
      used += piece.length;
    }
    return size;
  }

  return {
    used: () => used,
    hold: async (rows, reader) => {
      const one: Held = { reader, pieces: [], bytes: 0, taken: 0, readyAt: null };
      held.add(one);
      const onAbort = (): void => {
        rows.destroy();
        letGo(one);
      };
      reader.signal.addEventListener('abort', onAbort, { once: true });
      if (reader.signal.aborted) onAbort();
      const size = await take(rows, one).catch((error: unknown) => {
        letGo(one);
        throw error;
      });
      if (typeof size !== 'number') {
        rows.destroy();
        letGo(one);
        return size;
      }
      one.readyAt = clock.now();
      return { size, read: () => read(one) };
    },
  };
}
