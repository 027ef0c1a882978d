import type { Database } from '../adapters/postgres/database.ts';
import { putBackRefused } from '../adapters/postgres/relay.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { RecordsRefused } from '../contract/records-refused.ts';
import type { Topic } from '../contract/topics.ts';
import { type BackgroundWork, onPostgres, restAfter } from './background.ts';

/** What the log refused stays so until somebody changes a setting of it. */
const TRY_AGAIN_MS = 300_000;
const LOOK_MS = 60_000;

export const noteRefused =
  (logger: Pick<Logger, 'error'>) =>
  (topic: Topic, rows: number, { message: reason }: RecordsRefused): void =>
    logger.error({ topic, rows, reason }, 'the log refused rows of the outbox: they are tried again later');

export const tryRefusedAgain = (database: Database): BackgroundWork =>
  onPostgres(
    restAfter(() => putBackRefused(database, TRY_AGAIN_MS)),
    LOOK_MS,
    'what the log refused waits',
  );
