import { isDatabaseAway } from '../../../engine/adapters/postgres/database-away.ts';
import { counted } from '../../../engine/contract/counted.ts';
import { STATEMENT_TIMEOUT_MS } from '../../../engine/kit/command-line/database.ts';
import { CliError, isStatementTimeout } from '../../../engine/kit/command-line/endings.ts';

/**
 * Ctrl-C stops the reading, so that the lines read so far are written and counted; a second one ends the
 * process as usual.
 */
export function onInterruption(stop: () => void) {
  let happened = false;
  const onSignal = (): void => {
    happened = true;
    stop();
  };
  process.once('SIGINT', onSignal);
  return {
    happened: () => happened,
    forget: (): void => {
      process.off('SIGINT', onSignal);
    },
  };
}

/** The message of an import when Postgres refused a batch: how far it came, and how to continue. */
export function explained(error: unknown, linesIn: number): unknown {
  if (!isDatabaseAway(error)) return error;
  const reason = isStatementTimeout(error)
    ? `Postgres did not finish a batch within ${STATEMENT_TIMEOUT_MS / 1_000} s: it is too busy, or another import holds the app`
    : `Postgres does not answer any more (${(error as Error).message})`;
  // Before the first batch, DATABASE_URL may be wrong.
  if (linesIn === 0 && !isStatementTimeout(error)) return error;
  return new CliError(
    `${reason}. ${counted(linesIn, 'line is', 'lines are')} imported. Run the same command again; imported rows are only updated.`,
  );
}
