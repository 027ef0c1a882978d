import type { Logger } from '../../adapters/telemetry/logger.ts';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';
import { StepsFailed } from '../../contract/concurrency/each-step.ts';
import { isAway, reasonOf } from './patience.ts';

/** Loops of one process notice one after another that Postgres does not answer. */
const ONE_OUTAGE_MS = 10_000;

const outages = new WeakMap<object, { reason: string; atMs: number }>();

/**
 * A line for work that is tried again. What is waited for (a database that starts, a machine that is busy) has no stack:
 * it would show where we waited, and nothing of why. Twenty loops wait for one cause: the first says so, and what the
 * others wait with stands at the level `debug`. Of several steps that failed, each has a line: a bug beside an outage shows.
 */
export function logFailure(
  logger: Pick<Logger, 'debug' | 'warn' | 'error'>,
  error: unknown,
  message: string,
  { level = 'warn', fields = {}, clock = systemClock }: FailureOptions = {},
): void {
  if (error instanceof StepsFailed) {
    const named = { ...fields, failures: error.message };
    for (const one of error.errors) logFailure(logger, one, message, { level, fields: named, clock });
    return;
  }
  if (!isAway(error)) {
    logger[level]({ ...fields, err: error }, message);
    return;
  }
  const reason = reasonOf(error);
  const last = outages.get(logger);
  const now = clock.now();
  const isKnown = last?.reason === reason && now - last.atMs < ONE_OUTAGE_MS;
  if (!isKnown && level !== 'debug') outages.set(logger, { reason, atMs: now });
  logger[isKnown ? 'debug' : level]({ ...fields, reason }, message);
}

interface FailureOptions {
  readonly level?: 'debug' | 'warn' | 'error';
  readonly fields?: object;
  readonly clock?: Clock;
}
