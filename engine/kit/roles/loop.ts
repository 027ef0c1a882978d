import { createBackOff } from '../../contract/concurrency/back-off.ts';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';

/**
 * Runs a step in a loop: again at once while it finds work, after `idleMs` or a `wake` when it found none, with
 * growing back-off while it fails. One step at a time.
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
  /** @returns how much it did; 0 means: nothing to do. */
  readonly step: () => Promise<number>;
  readonly idleMs: number;
  readonly maxBackoffMs: number;
  /** After the first failure in a row; left out: twice `idleMs`. */
  readonly firstBackoffMs?: number;
  readonly onError: (error: unknown) => void;
  /** The machine's time, unless a simulation gives its own. */
  readonly clock?: Clock;
}

export function startLoop(options: LoopOptions): Loop {
  const { clock = systemClock } = options;
  let closed = false;
  let woken = false;
  let failed = false;
  let interrupt: (() => void) | null = null;

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

  async function run(): Promise<void> {
    const backOff = createBackOff(options.firstBackoffMs ?? options.idleMs * 2, options.maxBackoffMs);
    while (!closed) {
      woken = false;
      try {
        const done = await options.step();
        failed = false;
        backOff.reset();
        if (done === 0 && !woken && !closed) await rest(options.idleMs);
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
