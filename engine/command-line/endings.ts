import { isDatabaseAway } from '../adapters/postgres/database-away.ts';
import { SettingsError } from '../contract/settings-error.ts';

/** A user's mistake in the command: printed in one line, without a stack. */
export class CliError extends Error {}

/** Prints the error, for people. @returns the exit code. */
export function endWith(error: unknown): number {
  console.error(lineOf(error));
  return 1;
}

function lineOf(error: unknown): string {
  if (error instanceof CliError) return `broadside: ${error.message}`;
  if (error instanceof SettingsError)
    return ['broadside: wrong settings', ...error.lines.map((line) => `  ${line}`)].join('\n');
  const message = messageOf(error);
  if (isStatementTimeout(error))
    return `broadside: Postgres was too slow: it ended a statement that took too long (${message}). Run the command again.`;
  if (isDatabaseAway(error))
    return `broadside: Postgres does not answer (${message}). Is DATABASE_URL right?`;
  const code = (error as { code?: unknown }).code;
  return code === undefined ? `broadside: ${(error as Error).stack ?? message}` : `broadside: ${message}`;
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
