import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { within } from '../../engine/contract/concurrency/time-limit.ts';
import { inPieces } from '../answer/pieces.ts';
import { createBell } from './bell.ts';
import { createRoom, type RoomOptions, type Share } from './room.ts';
import { createSegments } from './segments.ts';
import { openSpoolFile, type SpoolFile } from './spool-file.ts';

/** Answers on their way from ClickHouse to their clients. */
export interface Spool {
  /** The same bytes, once. Aborting the signal lets go of everything. */
  through(rows: AsyncIterable<unknown>, answer: Answer): AsyncIterable<Buffer>;
  /** Bytes on the disk. */
  used(): number;
}

export interface Answer {
  readonly signal: AbortSignal;
  /** ClickHouse has delivered everything, and the rest here needs nothing of it. */
  onEnd(): void;
  /** The client must not get the rest. */
  drop(reason: string): void;
}

export interface SpoolOptions extends RoomOptions {
  /** Of the files. */
  readonly folder: string;
  /** A file that could not be made or written; the answer goes on at its client's pace. */
  readonly onFault: (error: unknown) => void;
}

/** Of each answer, before anything is written: a client that keeps up never meets a file. */
export const MEMORY_BYTES = 1024 ** 2;
/** A client that takes less than this, while its answer waits for it, is behind. */
export const KEEPS_UP_BYTES_PER_SECOND = 4 * 1024 ** 2;
/** How long an answer waits for its client before that is judged. */
const JUDGED_MS = 1_000;
/** How long it waits for its client in all, however much that takes: ClickHouse's rows must be read in the report's time. */
const MOST_WAITED_MS = 5_000;
const READ_BYTES = 256 * 1024;

/**
 * Takes the query's answer at ClickHouse's pace and gives it at the client's:
 *
 *   the client keeps up          bytes pass through memory; ClickHouse waits where the client is a little slower
 *   it is behind                 the excess over memory goes to a file, so the query ends and its permit is free
 *   there is no room for files   ClickHouse waits again; of the clients below the stated rate the slowest is dropped
 *   it disconnects, or all is read   the file is gone
 */
export function createSpool(options: SpoolOptions): Spool {
  const room = createRoom(options);
  return {
    used: room.used,
    through: (rows, answer) => passOn(rows, answer, options, (tenant) => room.enter(tenant)),
  };
}

/** The two ends of an answer, which wait for each other. */
function passOn(
  rows: AsyncIterable<unknown>,
  { signal, onEnd, drop }: Answer,
  { folder, clock, onFault }: SpoolOptions,
  enter: ReturnType<typeof createRoom>['enter'],
): AsyncIterable<Buffer> {
  const segments = createSegments();
  const filled = createBell();
  const hasRoom = createBell();
  const pace = createPace(clock);
  let share: Share | null = null;
  let file: SpoolFile | null = null;
  let isBroken = false;
  let isClosed = false;
  let taken = 0;
  let end: { readonly error?: unknown } | null = null;

  const shareOf = (): Share => (share ??= enter({ taken: () => taken, drop }));

  async function takeIn(): Promise<void> {
    for await (const piece of inPieces(rows)) {
      await put(piece);
      filled.ring();
      if (isClosed) return;
    }
  }

  async function put(piece: Buffer): Promise<void> {
    while (!isClosed) {
      if (segments.inMemory() + piece.length <= MEMORY_BYTES) return segments.keep(piece);
      if (pace.isBehind() && (await write(piece))) return;
      await pace.measure(() => taken, hasRoom.heard());
    }
  }

  async function write(piece: Buffer): Promise<boolean> {
    if (isBroken || !shareOf().claim(piece.length)) return false;
    try {
      file ??= await openSpoolFile(folder);
      // Closed while it was made: no other code would close it.
      if (isClosed) await file.close();
      segments.filed(await file.append(piece), piece.length);
      return true;
    } catch (error) {
      isBroken = true;
      if (!isClosed) onFault(error);
      return false;
    }
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    // Even where ClickHouse delivered everything: discarded bytes must not look like the end.
    end = { error: signal.reason ?? new Error('the client disconnected') };
    segments.clear();
    share?.leave();
    file?.close().catch(onFault);
    filled.ring();
    hasRoom.ring();
  }

  async function* give(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (end !== null && 'error' in end) throw end.error;
        if (!segments.isEmpty()) {
          const bytes = await segments.take(file, READ_BYTES);
          taken += bytes.length;
          hasRoom.ring();
          yield bytes;
        } else if (end !== null) return;
        else await filled.heard();
      }
    } finally {
      close();
    }
  }

  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  takeIn().then(
    () => {
      end ??= {};
      segments.detach();
      filled.ring();
      if (!isClosed && shareOf().linger()) onEnd();
    },
    (error: unknown) => {
      end ??= { error };
      filled.ring();
    },
  );
  return give();
}

/** Whether a client is slow, by the bytes it took while its answer had to wait for it. */
function createPace(clock: Clock) {
  let totalMs = 0;
  let waitedMs = 0;
  let takenMeanwhile = 0;
  let isBehind = false;
  return {
    isBehind: () => isBehind,
    /** Waits for room, or until the client can be judged. */
    measure: async (taken: () => number, room: Promise<void>): Promise<void> => {
      const before = { at: clock.now(), taken: taken() };
      await within(clock, JUDGED_MS - waitedMs, room);
      waitedMs += clock.now() - before.at;
      takenMeanwhile += taken() - before.taken;
      if (waitedMs < JUDGED_MS) return;
      totalMs += waitedMs;
      isBehind = totalMs >= MOST_WAITED_MS || takenMeanwhile * 1_000 < KEEPS_UP_BYTES_PER_SECOND * waitedMs;
      waitedMs = 0;
      takenMeanwhile = 0;
    },
  };
}
