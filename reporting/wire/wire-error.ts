/** An error that a client gets, with its SQLSTATE (Postgres' appendix A). */
export class WireError extends Error {
  readonly state: string;
  readonly hint: string | null;
  constructor(state: string, message: string, hint: string | null = null) {
    super(message);
    this.name = 'WireError';
    this.state = state;
    this.hint = hint;
  }
}

/** A statement outside the grammar. */
export const unsupported = (message: string, hint: string | null = null): WireError =>
  new WireError('0A000', message, hint);
