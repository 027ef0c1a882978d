/**
 * Finds threads whose event loop stands still: they hold their blocks for ever, while the leases of those are
 * renewed by the main thread, which is well. Seen in the fault runs as an endless loop inside Node's HTTP/2
 * (`Http2Session::SendPendingData`; nodejs/node#46234 is one of its kind).
 *
 * First the thread alone is ended, which stops JavaScript and not native code; then the process has to go, so
 * that its leases run out and another engine does its work.
 */
export interface ThreadPulse {
  /** A thread that has not said where it beats is not watched. */
  watch(threadId: number, beats: Int32Array): void;
  forget(threadId: number): void;
  stop(): void;
}

export interface ThreadPulseOptions {
  /** How often the main thread looks; a thread beats at least once meanwhile. */
  readonly everyMs: number;
  readonly endThread: (threadId: number) => void;
  /** Told each time it is seen that the thread did not end. */
  readonly onStuckForGood: (threadId: number) => void;
}

/**
 * In looks of the main thread and not by a clock: in a process that was paused, or that gets no CPU, both
 * stand still together, and nobody is to blame.
 */
const LOOKS_UNTIL_END = 30;
const LOOKS_UNTIL_STUCK_FOR_GOOD = 45;

interface Watched {
  readonly beats: Int32Array;
  seen: number;
  /** Looks in a row that found no further beat. */
  still: number;
}

export function createThreadPulse(options: ThreadPulseOptions): ThreadPulse {
  const watched = new Map<number, Watched>();

  function look(): void {
    for (const [threadId, thread] of watched) {
      const beats = Atomics.load(thread.beats, 0);
      thread.still = beats === thread.seen ? thread.still + 1 : 0;
      thread.seen = beats;
      if (thread.still === LOOKS_UNTIL_END) options.endThread(threadId);
      if (thread.still >= LOOKS_UNTIL_STUCK_FOR_GOOD) options.onStuckForGood(threadId);
    }
  }

  const timer = setInterval(look, options.everyMs);
  timer.unref();
  return {
    watch: (threadId, beats) => watched.set(threadId, { beats, seen: -1, still: 0 }),
    forget: (threadId) => watched.delete(threadId),
    stop: () => clearInterval(timer),
  };
}
