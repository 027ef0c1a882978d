import closeWithGrace from 'close-with-grace';
import type { Logger } from './adapters/telemetry/logger.ts';
import { systemClock, within } from './contract/clock.ts';

/** What a role's start is given. */
export interface Start {
  /** What the role opened, to be closed in reverse: when it stops, and when a later part does not open. */
  readonly opened: AsyncDisposableStack;
  /** Aborted where the role is told to stop before it runs. */
  readonly signal: AbortSignal;
}

/** A start that is told to stop is waited for so long; what it did not get to open needs no closing. */
const START_GRACE_MS = 3_000;

/**
 * Starts a role and keeps it running until SIGTERM, SIGINT or a bug ends it; then closes it, within the deadline or
 * not. Told to stop while it starts, it ends just as well.
 * Resolves never: the process ends with 0 after a clean stop, 1 after a bug or a close that took too long.
 * @throws Error why it cannot start; what it had opened is closed then.
 */
export async function runUntilStopped(options: {
  readonly logger: Logger;
  readonly deadlineMs: number;
  readonly start: (start: Start) => Promise<void>;
}): Promise<never> {
  const { logger } = options;
  const stopping = new AbortController();
  const opened = new AsyncDisposableStack();
  const starting = options.start({ opened, signal: stopping.signal });

  const grace = closeWithGrace({ delay: options.deadlineMs, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) logger.error({ err }, 'ending after an error that nobody handled');
    else logger.info({ signal }, 'stopping: what is in hand finishes, the rest is handed back');
    stopping.abort();
    const ended = starting.catch(() => {});
    await within(systemClock, START_GRACE_MS, ended);
    await opened.disposeAsync();
    logger.info({}, 'stopped');
  });
  try {
    await starting;
  } catch (error) {
    // Told to stop, it ends as `grace` says; what became of the start meanwhile is nobody's concern.
    if (!stopping.signal.aborted) {
      grace.uninstall();
      await opened.disposeAsync();
      throw error;
    }
  }
  return new Promise(() => {});
}
