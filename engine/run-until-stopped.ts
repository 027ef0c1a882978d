import closeWithGrace from 'close-with-grace';
import type { Logger } from './adapters/telemetry/logger.ts';

/**
 * Keeps a role running until SIGTERM, SIGINT or a bug ends it; then closes it, within the deadline or not.
 * Resolves never: the process ends with 0 after a clean stop, 1 after a bug or a close that took too long.
 */
export function runUntilStopped(options: {
  readonly logger: Logger;
  readonly deadlineMs: number;
  readonly close: () => Promise<void>;
}): Promise<void> {
  const { logger } = options;
  closeWithGrace({ delay: options.deadlineMs, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) logger.error({ err }, 'ending after an error that nobody handled');
    else logger.info({ signal }, 'stopping: what is in hand finishes, the rest is handed back');
    await options.close();
    logger.info({}, 'stopped');
  });
  return new Promise(() => {});
}
