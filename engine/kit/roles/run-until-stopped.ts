import closeWithGrace from 'close-with-grace';
import type { Logger } from '../../adapters/telemetry/logger.ts';
import { systemClock } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';

/** The argument of a role's start. */
export interface Start {
  /** The opened resources, to be closed in reverse: when the role stops, and when a later part does not open. */
  readonly opened: AsyncDisposableStack;
  /** Aborted when the role is stopped before it runs. */
  readonly signal: AbortSignal;
}

/** How long an interrupted start is waited for; parts it did not open need no closing. */
const START_GRACE_MS = 3_000;

/**
 * Starts a role and keeps it running until SIGTERM, SIGINT or a bug ends it; then closes it, or exceeds the
 * shutdown deadline. A signal during the start ends it as well. Never resolves: the process ends with 0 after a
 * clean stop, 1 after a bug or an exceeded deadline.
 * @throws Error why it cannot start; the parts it had opened are closed then.
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
    if (err !== undefined) logger.error({ err }, 'exiting after an unhandled error');
    else logger.info({ signal }, 'stopping: work in flight finishes, the rest is handed back');
    stopping.abort();
    const ended = starting.catch(() => {});
    await within(systemClock, START_GRACE_MS, ended);
    await opened.disposeAsync();
    logger.info({}, 'stopped');
  });
  try {
    await starting;
  } catch (error) {
    // Stopped, it ends as `grace` says; the start's own result no longer matters.
    if (!stopping.signal.aborted) {
      grace.uninstall();
      await opened.disposeAsync();
      throw error;
    }
  }
  return new Promise(() => {});
}
