import { printNote } from './terminal.ts';

const EXIT_STOPPED = 130;

/**
 * Ctrl-C and SIGTERM end the work in order; a second one ends the process as usual.
 * @param work puts everything in order once its signal is aborted, and throws.
 */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    process.exitCode = EXIT_STOPPED;
    printNote('broadside: stopped');
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
