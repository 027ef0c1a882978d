import type { Logger } from '../adapters/telemetry/logger.ts';
import type { ThreadStarted } from '../worker/protocol.ts';

/**
 * One line, not one per thread; another one where a thread reports something else.
 * @param adviceOn how this machine could be faster than with that backend; null: it could not.
 */
export function createEncryptionNote(
  logger: Pick<Logger, 'info' | 'warn'>,
  adviceOn: (encryption: ThreadStarted['encryption']) => string | null,
): (started: Pick<ThreadStarted, 'encryption' | 'warning'>) => void {
  let said = '';
  return ({ encryption, warning }) => {
    const saying = warning ?? encryption;
    if (saying === said) return;
    said = saying;
    const advice = adviceOn(encryption);
    const text = warning ?? 'the worker threads encrypt with this';
    const line = advice === null ? text : `${text}. ${advice}`;
    if (warning === null) logger.info({ encryption }, line);
    else logger.warn({ encryption }, line);
  };
}
