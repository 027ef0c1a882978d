import type { Database } from '../adapters/postgres/database.ts';
import { sampleProgress } from '../adapters/postgres/deliveries/progress-store.ts';
import type { ServerClock } from '../adapters/postgres/server-clock.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { type Background, restAfter, startBackground, whenDue } from './background.ts';
import { tryRefusedAgain } from './refused-rows.ts';

/** Postgres' clock is asked so often. */
const CLOCK_READ_MS = 30_000;

interface UpkeepDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/** Where one of these fails, nothing else suffers. */
export const startUpkeep = ({ database, logger }: UpkeepDeps, serverClock: ServerClock): Background =>
  startBackground(logger, [
    {
      ...whenDue(
        'samples',
        restAfter(() => sampleProgress(database)),
        'no forecasts',
      ),
      level: 'debug',
    },
    {
      step: restAfter(serverClock.read),
      idleMs: CLOCK_READ_MS,
      maxBackoffMs: CLOCK_READ_MS,
      failure: 'the clock continues from its last reading: Postgres does not answer',
      level: 'debug',
    },
    tryRefusedAgain(database),
  ]);
