import { heartbeatWord } from '../worker/protocol.ts';

/**
 * Finds threads whose event loop hangs: they hold their blocks forever, while the main thread, which is
 * healthy, renews the leases. Seen in the fault runs as an endless loop inside Node's HTTP/2
 * (`Http2Session::SendPendingData`; nodejs/node#46234 is similar).
 *
 * First the thread alone is terminated, which stops JavaScript and not native code; then the process has to
 * exit, so that its leases run out and another engine does its work.
 */
export interface ThreadHeartbeat {
  /** A thread that has not said where it beats is not watched. */
  watch(threadId: number, beats: Int32Array): void;
  forget(threadId: number): void;
  /** Requests that ended on all threads so far, those that are gone included; may wrap around. */
  answers(): number;
  stop(): void;
}

export interface ThreadHeartbeatOptions {
  /** How often the main thread looks; a thread beats at least once meanwhile. */
  readonly everyMs: number;
  readonly endThread: (threadId: number) => void;
  /** Called at each check at which the thread has not ended. */
  readonly onStuckForGood: (threadId: number) => void;
}

/**
 * Counted in checks of the main thread and not by a clock: in a process that was paused, or gets no CPU, both
 * hang together, and neither is at fault.
 */
const LOOKS_UNTIL_END = 30;
const LOOKS_UNTIL_STUCK_FOR_GOOD = 45;

interface Watched {
  readonly beats: Int32Array;
  seen: number;
  /** Looks in a row that found no further beat. */
  still: number;
}

export function createThreadHeartbeat(options: ThreadHeartbeatOptions): ThreadHeartbeat {
  const watched = new Map<number, Watched>();
  let ofGone = 0;
  const answersOf = ({ beats }: Watched): number => Atomics.load(beats, heartbeatWord.answers);

  function check(): void {
    for (const [threadId, thread] of watched) {
      const beats = Atomics.load(thread.beats, heartbeatWord.beats);
      thread.still = beats === thread.seen ? thread.still + 1 : 0;
      thread.seen = beats;
      if (thread.still === LOOKS_UNTIL_END) options.endThread(threadId);
      if (thread.still >= LOOKS_UNTIL_STUCK_FOR_GOOD) options.onStuckForGood(threadId);
    }
  }

  const timer = setInterval(check, options.everyMs);
  timer.unref();
  return {
    watch: (threadId, beats) => watched.set(threadId, { beats, seen: -1, still: 0 }),
    forget(threadId) {
      const thread = watched.get(threadId);
      if (thread !== undefined) ofGone += answersOf(thread);
      watched.delete(threadId);
    },
    answers: () => [...watched.values()].reduce((sum, thread) => sum + answersOf(thread), ofGone),
    stop: () => clearInterval(timer),
  };
}
