import { isDatabaseAway } from '../../adapters/postgres/database-away.ts';
import { SettingsError } from '../../contract/settings/settings-error.ts';
import { printNote } from './terminal.ts';

/** A user's mistake in the command: printed without a stack, in one line, or in those that its message has. */
export class CliError extends Error {
  /** Lines below it. */
  readonly more: readonly string[];
  constructor(message: string, options: ErrorOptions & { readonly more?: readonly string[] } = {}) {
    super(message, options);
    this.more = options.more ?? [];
  }
}

/** Prints the error, for people. @returns the exit code. */
export function endWith(error: unknown): number {
  printNote(linesOf(error));
  return 1;
}

function linesOf(error: unknown): string | readonly string[] {
  if (error instanceof CliError) return [`broadside: ${error.message}`, ...error.more];
  if (error instanceof SettingsError)
    return ['broadside: wrong settings', ...error.lines.map((line) => `  ${line}`)];
  const message = messageOf(error);
  if (isStatementTimeout(error))
    return `broadside: Postgres was too slow: it ended a statement that took too long (${message}). Run the command again.`;
  if (isDatabaseAway(error))
    return `broadside: Postgres does not answer (${message}). Is DATABASE_URL right?`;
  const code = (error as { code?: unknown }).code;
  return code === undefined
    ? `broadside: ${(error as Error).stack ?? message}`.split('\n')
    : `broadside: ${message}`;
}

/** Postgres is there, and did not finish in the time that a statement has; by its own word or by the driver's. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === '57014' || error.message.includes('Query read timeout'));

/** An AggregateError (a host with several addresses) has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return String(error.errors[0]?.message);
  return error instanceof Error ? error.message : String(error);
}
