/**
 * Ctrl-C and SIGTERM as an AbortSignal: what was started is stopped in order, the embedded Postgres too, which would
 * otherwise stay. A second Ctrl-C ends the process at once.
 */
export function watchInterruption(opened: AsyncDisposableStack): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('interrupted: everything that was started is stopped'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, stop);
    opened.defer(() => void process.removeListener(name, stop));
  }
  return controller.signal;
}

/** @throws the signal's reason, also in the middle of the pause. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
  signal.throwIfAborted();
}
