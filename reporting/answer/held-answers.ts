import type { Readable } from 'node:stream';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { shareOfOne } from '../../engine/contract/concurrency/fair-queue.ts';
import { countNewlines, inPieces } from './pieces.ts';
import { ReportFailed } from './report-reader.ts';

/** Answers of ClickHouse in memory, until their clients have read them. */
export interface HeldAnswers {
  /**
   * Takes an answer at ClickHouse's pace. Resolves when it is whole, so that its query is over before the first byte is
   * sent; an answer in parts may begin as soon as those that are there say that the rest fits.
   * @returns `large`: it exceeds its bound; `full`: there was no room in time.
   * @throws ReportFailed where a part is not made, or all of them have too many rows; and what the rows throw.
   */
  hold(answer: AnswerParts, reader: AnswerReader): Promise<HeldAnswer | Refusal>;
  /** Bytes that no client has read yet. */
  used(): number;
}

type Refusal = 'large' | 'full';

export interface AnswerParts {
  /** The first part, usually all of it. */
  readonly rows: Readable;
  /** Those after it, each asked for when the one before was taken. */
  readonly later?: readonly AnswerPart[];
  /** Which part of the report the first one is, in 0 to 1. */
  readonly share?: number;
}

export interface AnswerPart {
  readonly share: number;
  /** @throws as the reading of a report does. */
  open(): Promise<Readable>;
}

export interface AnswerReader {
  readonly userId: number;
  readonly organizationId: number;
  /** The client is gone: its answer gives its memory back. */
  readonly signal: AbortSignal;
  /** The client must not get the rest. */
  drop(reason: string): void;
}

export interface HeldAnswer {
  /** In bytes; of one that began before it was whole, about. */
  readonly size: number;
  /** Settles when ClickHouse is no longer needed; rejects with the error that `read` throws. */
  readonly whole: Promise<void>;
  /** Once, and each piece is let go when the next one is asked for. @throws where the rest does not come. */
  read(): AsyncGenerator<Buffer>;
  /** Ends of lines in what was taken. */
  lines(): number;
}

export interface HoldOptions {
  readonly answerBytes: number;
  /** Of an answer in parts; of one statement ClickHouse counts them. */
  readonly answerRows: number;
  /** Over all answers. */
  readonly totalBytes: number;
  /** How long an answer waits for room; an answer that is expected to take longer than half of it does not begin early. */
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
  /** Of these pieces. */
  bytes: number;
  /** Room that is kept for what is still to come. */
  kept: number;
  size: number;
  lines: number;
  taken: number;
  /** When the client could begin to read; null: not yet. */
  readyAt: number | null;
  isWhole: boolean;
  /** Wakes the client that has read all there is. */
  wake(): void;
}

/**
 * Where an answer finds no room, the slowest client is disconnected, if it is slow: so no number of clients that stopped
 * reading keeps memory from others, and none that reads loses its answer.
 *
 * An answer that began is not refused any more. If it grows beyond its bound after all, the rest waits until the client
 * has read: it takes no more memory, and the time of a report bounds the wait.
 */
export function createHeldAnswers(options: HoldOptions): HeldAnswers {
  const { answerBytes, answerRows, waitMs, clock } = options;
  const room = createRoom(options);

  async function take(rows: Readable, one: Held, until: number): Promise<Refusal | null> {
    for await (const piece of inPieces(rows)) {
      one.reader.signal.throwIfAborted();
      if (one.readyAt === null && one.size + piece.length > answerBytes) return 'large';
      while (one.readyAt !== null && one.bytes + piece.length > answerBytes) {
        one.reader.signal.throwIfAborted();
        await new Promise<void>((resolve) => clock.setTimer(LOOK_MS, resolve));
      }
      if (!(await room.has(piece.length, one, until))) return 'full';
      room.add(one, piece);
      one.wake();
    }
    return null;
  }

  /** What is there says that all of it fits, and when it will be there. */
  function mayBegin(one: Held, share: number, startedAt: number): boolean {
    if (one.size === 0) return false;
    const fits = one.size / share <= answerBytes && one.lines / share <= answerRows;
    return (
      fits &&
      (clock.now() - startedAt) / share <= waitMs / 2 &&
      room.keep(one, Math.ceil(one.size / share) - one.size)
    );
  }

  /** The rest of an answer that began. */
  async function finish(one: Held, later: readonly AnswerPart[], until: number): Promise<void> {
    try {
      for (const part of later) {
        const refused = await take(await part.open(), one, until);
        if (refused !== null) throw new Error('the rest of the answer found no room');
      }
      one.isWhole = true;
    } finally {
      room.keep(one, 0);
      one.wake();
    }
  }

  async function hold(
    { rows, later = [], share = 1 }: AnswerParts,
    one: Held,
  ): Promise<HeldAnswer | Refusal> {
    const startedAt = clock.now();
    const until = startedAt + waitMs;
    const rest = [...later];
    let [part, had]: [Readable, number] = [rows, share];
    for (;;) {
      const refused = await take(part, one, until);
      if (refused !== null) {
        part.destroy();
        return refused;
      }
      const next = rest[0];
      const begins = next !== undefined && mayBegin(one, had, startedAt);
      if (next === undefined || begins) {
        if (later.length > 0 && next === undefined && one.lines > answerRows)
          throw new ReportFailed('rows', new Error('all parts of the report have too many rows'));
        one.isWhole = next === undefined;
        one.readyAt = clock.now();
        const whole = begins ? finish(one, rest, until) : Promise.resolve();
        // A client that reads is given the error; one that does not has left.
        whole.catch(() => {});
        const size = begins ? Math.ceil(one.size / had) : one.size;
        return { size, whole, read: () => room.read(one, whole), lines: () => one.lines };
      }
      rest.shift();
      had += next.share;
      part = await next.open();
    }
  }

  return {
    used: room.used,
    hold: async (answer, reader) => {
      const one = room.enter(reader);
      const onAbort = (): void => {
        answer.rows.destroy();
        room.letGo(one);
        one.wake();
      };
      reader.signal.addEventListener('abort', onAbort, { once: true });
      if (reader.signal.aborted) onAbort();
      try {
        const held = await hold(answer, one);
        if (typeof held === 'string') room.letGo(one);
        return held;
      } catch (error) {
        room.letGo(one);
        throw error;
      }
    },
  };
}

/** The memory of all answers. */
function createRoom({ answerBytes, totalBytes, clock }: HoldOptions) {
  const held = new Set<Held>();
  /** However many answers one user or organization asks for, and however slowly they are read, others have the rest. */
  const shares = [
    { whose: 'userId', most: Math.max(answerBytes, totalBytes / 2) },
    { whose: 'organizationId', most: Math.max(answerBytes, shareOfOne(totalBytes)) },
  ] as const;
  let [used, kept] = [0, 0];

  function letGo(one: Held): void {
    if (!held.delete(one)) return;
    used -= one.bytes;
    kept -= one.kept;
    one.bytes = 0;
    one.kept = 0;
    one.pieces = [];
  }

  /** A client that has read all there is waits for ClickHouse. */
  const paceOf = ({ taken, readyAt, pieces }: Held): number =>
    readyAt === null || pieces.length === 0 || clock.now() - readyAt < JUDGED_MS
      ? Number.POSITIVE_INFINITY
      : (taken * 1_000) / (clock.now() - readyAt);

  function dropSlowest(among: readonly Held[]): boolean {
    const [slowest] = among.toSorted((one, other) => paceOf(one) - paceOf(other));
    if (slowest === undefined || paceOf(slowest) >= SLOWEST_BYTES_PER_SECOND) return false;
    letGo(slowest);
    slowest.wake();
    slowest.reader.drop('it reads too slowly, and others need the room');
    return true;
  }

  /** The answers of which one must go for these bytes; null: there is room. */
  function inTheWay(bytes: number, asker: AnswerReader): readonly Held[] | null {
    if (used + kept + bytes > totalBytes) return [...held];
    for (const { whose, most } of shares) {
      const own = [...held].filter(({ reader }) => reader[whose] === asker[whose]);
      if (own.reduce((sum, one) => sum + one.bytes + one.kept, bytes) > most) return own;
    }
    return null;
  }

  /** @throws where the answer was let go: nobody would give these bytes back. */
  async function has(bytes: number, one: Held, until: number): Promise<boolean> {
    const { signal } = one.reader;
    for (;;) {
      if (!held.has(one)) throw new Error('the client was disconnected');
      const others = inTheWay(Math.max(0, bytes - one.kept), one.reader);
      if (others === null) return true;
      if (signal.aborted || clock.now() > until) return false;
      if (!dropSlowest(others)) await new Promise<void>((resolve) => clock.setTimer(LOOK_MS, resolve));
    }
  }

  async function* read(one: Held, whole: Promise<void>): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const piece = one.pieces.shift();
        if (piece !== undefined) {
          yield piece;
          one.taken += piece.length;
          if (!held.has(one)) throw new Error('the client was disconnected');
          one.bytes -= piece.length;
          used -= piece.length;
          continue;
        }
        if (one.isWhole) return;
        const more = new Promise<void>((resolve) => {
          one.wake = resolve;
        });
        // Also where the rest does not come.
        await Promise.race([more, whole]);
        if (!held.has(one)) throw new Error('the client was disconnected');
      }
    } finally {
      letGo(one);
    }
  }

  return {
    used: () => used,
    letGo,
    has,
    read,
    enter: (reader: AnswerReader): Held => {
      const figures = { bytes: 0, kept: 0, size: 0, lines: 0, taken: 0 };
      const one: Held = { reader, pieces: [], ...figures, readyAt: null, isWhole: false, wake: () => {} };
      held.add(one);
      return one;
    },
    add: (one: Held, piece: Buffer): void => {
      if (!held.has(one)) return;
      one.pieces.push(piece);
      one.size += piece.length;
      one.lines += countNewlines(piece);
      one.bytes += piece.length;
      used += piece.length;
      const less = Math.min(one.kept, piece.length);
      one.kept -= less;
      kept -= less;
    },
    /** @returns whether there is room for what is still to come; it is then this answer's. */
    keep: (one: Held, bytes: number): boolean => {
      if (bytes > 0 && inTheWay(bytes - one.kept, one.reader) !== null) return false;
      if (!held.has(one)) return false;
      kept += bytes - one.kept;
      one.kept = bytes;
      return true;
    },
  };
}
