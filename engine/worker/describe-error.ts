const MAX_LENGTH = 2_000;

/** An error loses its own fields between threads, so it travels as text: its message in the first line, then where. */
export const describeError = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .slice(0, MAX_LENGTH)
    .toWellFormed();
