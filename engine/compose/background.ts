import type { Logger } from '../adapters/telemetry/logger.ts';
import { logFailure } from '../kit/roles/log-failure.ts';
import { type Loop, startLoop } from '../kit/roles/loop.ts';

/** A loop of work that nobody waits for. */
export interface BackgroundWork {
  readonly step: () => Promise<number>;
  readonly idleMs: number;
  readonly maxBackoffMs: number;
  /** What does not happen while a step fails, with why; it stands in the log. */
  readonly failure: string;
  /** Left out: a warning. */
  readonly level?: 'debug' | 'warn';
}

export interface Background {
  readonly loops: readonly Loop[];
  /** Starts no further step and resolves when the running ones have ended. */
  close(): Promise<void>;
}

export function startBackground(logger: Logger, work: readonly BackgroundWork[]): Background {
  const loops = work.map(({ failure, level = 'warn', ...options }) =>
    startLoop({ ...options, onError: (error) => logFailure(logger, error, failure, { level }) }),
  );
  return { loops, close: async () => void (await Promise.all(loops.map((loop) => loop.close()))) };
}

const MAX_BACKOFF_MS = 120_000;

/** Work on Postgres. @param what does not happen while Postgres does not answer. */
export const onPostgres = (step: () => Promise<number>, idleMs: number, what: string): BackgroundWork => ({
  step,
  idleMs,
  maxBackoffMs: MAX_BACKOFF_MS,
  failure: `${what}: Postgres does not answer`,
});

/** A step that rests after each time. */
export const restAfter = (work: () => Promise<unknown>) => async (): Promise<number> => {
  await work();
  return 0;
};
