import type { Logger } from '../adapters/telemetry/logger.ts';
import type { DueBeside } from '../contract/due-work.ts';
import { logFailure } from '../kit/roles/log-failure.ts';
import { type Loop, startLoop } from '../kit/roles/loop.ts';

/** A loop of work that nobody waits for. */
export interface BackgroundWork {
  /** By this name the check of all that is due wakes it. */
  readonly due?: DueBeside;
  readonly step: () => Promise<number>;
  readonly idleMs: number;
  readonly maxBackoffMs: number;
  /** After the first failure in a row; left out: twice `idleMs`. */
  readonly firstBackoffMs?: number;
  /** What does not happen while a step fails, with why; it stands in the log. */
  readonly failure: string;
  /** Left out: a warning. */
  readonly level?: 'debug' | 'warn';
}

export interface Background {
  readonly loops: readonly Loop[];
  /** This may be due now: a step that failed keeps its pause. */
  nudge(due: DueBeside): void;
  /** Starts no further step and resolves when the running ones have ended. */
  close(): Promise<void>;
}

export function startBackground(logger: Logger, work: readonly BackgroundWork[]): Background {
  const loops = work.map(({ failure, level = 'warn', due: _, ...options }) =>
    startLoop({ ...options, onError: (error) => logFailure(logger, error, failure, { level }) }),
  );
  return {
    loops,
    nudge: (due) => {
      for (const [place, loop] of loops.entries()) if (work[place]?.due === due) loop.nudge();
    },
    close: async () => void (await Promise.all(loops.map((loop) => loop.close()))),
  };
}

const MAX_BACKOFF_MS = 120_000;
/** Of work that the check of all that is due wakes. */
const UNASKED_MS = 60_000;
const FIRST_BACKOFF_MS = 2_000;

/** Work on Postgres. @param what does not happen while Postgres does not answer. */
export const onPostgres = (step: () => Promise<number>, idleMs: number, what: string): BackgroundWork => ({
  step,
  idleMs,
  maxBackoffMs: MAX_BACKOFF_MS,
  failure: `${what}: Postgres does not answer`,
});

/** Work on Postgres that is woken when it is due. */
export const whenDue = (due: DueBeside, step: () => Promise<number>, what: string): BackgroundWork => ({
  ...onPostgres(step, UNASKED_MS, what),
  firstBackoffMs: FIRST_BACKOFF_MS,
  due,
});

/** A step that rests after each time. */
export const restAfter = (work: () => Promise<unknown>) => async (): Promise<number> => {
  await work();
  return 0;
};
