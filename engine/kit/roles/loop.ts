import { createBackOff } from '../../contract/concurrency/back-off.ts';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';

/**
 * Runs a step in a loop: again at once while it finds work, after `idleMs` or a `wake` when it found none, with
 * growing back-off while it fails. One step at a time. Where nothing happened for a while it rests `quietMs` instead: a
 * wake that is lost then costs as much, and no more.
 */
export interface Loop {
  /** There may be work now. Cheap; safe to call from anywhere, also in the middle of a step. */
  wake(): void;
  /** As `wake`, by somebody who looks again soon: a step that failed keeps its pause. */
  nudge(): void;
  /** Starts no further step and resolves when the running one has ended. */
  close(): Promise<void>;
}

export interface LoopOptions {
  /** @returns how much it did; 0: nothing to do; `rest`: there is something, and nothing more before `idleMs` is over. */
  readonly step: () => Promise<number | 'rest'>;
  readonly idleMs: number;
  /** Left out: as `idleMs`. */
  readonly quietMs?: number;
  readonly maxBackoffMs: number;
  /** After the first failure in a row; left out: twice `idleMs`. */
  readonly firstBackoffMs?: number;
  readonly onError: (error: unknown) => void;
  /** The machine's time, unless a simulation gives its own. */
  readonly clock?: Clock;
}

/** Without a wake and without work. */
const QUIET_AFTER_MS = 5_000;

export function startLoop(options: LoopOptions): Loop {
  const { clock = systemClock } = options;
  let closed = false;
  let woken = false;
  let failed = false;
  let interrupt: (() => void) | null = null;
  let stirredAt = clock.now();

  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        timer.clear();
        interrupt = null;
        resolve();
      };
      const timer = clock.setTimer(ms, end);
      interrupt = end;
    });

  const pauseMs = (): number =>
    clock.now() - stirredAt < QUIET_AFTER_MS ? options.idleMs : (options.quietMs ?? options.idleMs);

  async function run(): Promise<void> {
    const backOff = createBackOff(options.firstBackoffMs ?? options.idleMs * 2, options.maxBackoffMs);
    while (!closed) {
      woken = false;
      try {
        const done = await options.step();
        failed = false;
        backOff.reset();
        if (done !== 0) stirredAt = clock.now();
        if ((done === 0 || done === 'rest') && !woken && !closed) await rest(pauseMs());
      } catch (error) {
        failed = true;
        options.onError(error);
        if (!closed) await rest(backOff.next());
      }
    }
  }
  const running = run();

  function wake(): void {
    woken = true;
    stirredAt = clock.now();
    interrupt?.();
  }

  return {
    wake,
    nudge: () => {
      if (!failed) wake();
    },
    close: () => {
      closed = true;
      interrupt?.();
      return running;
    },
  };
}
