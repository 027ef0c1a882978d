import type { Logger } from '../adapters/telemetry/logger.ts';
import type { ThreadStarted } from '../worker/protocol.ts';

/** One line, not one per thread; another one where a thread reports something else. */
export function createEncryptionNote(
  logger: Pick<Logger, 'info' | 'warn'>,
): (started: Pick<ThreadStarted, 'encryption' | 'warning'>) => void {
  let said = '';
  return ({ encryption, warning }) => {
    const saying = warning ?? encryption;
    if (saying === said) return;
    said = saying;
    if (warning === null) logger.info({ encryption }, 'the worker threads encrypt with this');
    else logger.warn({ encryption }, warning);
  };
}
