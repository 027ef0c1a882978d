import { clickHouseErrorCode } from '../../adapters/clickhouse/errors.ts';
import { KafkaRefused } from '../../adapters/kafka/refusals.ts';
import { isDatabaseAway } from '../../adapters/postgres/database-away.ts';
import type { Logger } from '../../adapters/telemetry/logger.ts';
import { causesOf } from '../../contract/causes.ts';
import { createBackOff } from '../../contract/concurrency/back-off.ts';
import { type Clock, pause, systemClock } from '../../contract/concurrency/clock.ts';

/**
 * The start of a role while a dependency is unavailable: a restart during an outage must not need a second one
 * afterwards. A fault that may pass is waited for, with a line in the log for each attempt; a wrong setting (a
 * host that does not exist, a password, a newer schema) ends the start at once.
 */
export interface Patience {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Aborted when the role is stopped: nothing is waited for any more. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/** @throws Error of the last try where waiting would not help, or the signal's reason where it was aborted. */
export async function openPatiently<Opened>(
  what: string,
  open: () => Promise<Opened>,
  { logger, signal, clock = systemClock }: Patience,
): Promise<Opened> {
  const backOff = createBackOff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
  for (;;) {
    signal.throwIfAborted();
    try {
      const opened = await untilAborted(open(), signal);
      if (backOff.reset()) logger.info({}, `${what} answers: the start continues`);
      return opened;
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error)) throw error;
      const pauseMs = backOff.next();
      logger.warn({ reason: reasonOf(error), pauseMs }, `${what} does not answer: the start waits for it`);
      await pause(clock, pauseMs, signal);
    }
  }
}

/** Resources opened meanwhile are abandoned: the process is about to end. */
function untilAborted<Opened>(opening: Promise<Opened>, signal: AbortSignal): Promise<Opened> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([opening, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Whether the dependency may answer later, without a change of settings. */
export function isAway(error: unknown): boolean {
  const all = causesOf(error);
  if (all.some(isWrongSetting)) return false;
  return all.some((one) => isDatabaseAway(one) || isKafkaAway(one) || isClickHouseAway(one));
}

/** What the brokers refuse, too: it will be just as wrong in a minute. */
const isWrongSetting = (error: Error): boolean =>
  (error as { code?: unknown }).code === 'ENOTFOUND' || error instanceof KafkaRefused;

/** The other errors of its client are of the way there, or of a cluster that has not found itself yet. */
const isKafkaAway = (error: Error): boolean =>
  error.name.startsWith('KafkaJS') || error.message.startsWith('Kafka: ');

/** TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
 * TABLE_IS_READ_ONLY, NOT_ENOUGH_SPACE, KEEPER_EXCEPTION. */
const clickHouseAway: ReadonlySet<number> = new Set([159, 202, 209, 210, 241, 242, 243, 999]);

const isClickHouseAway = (error: Error): boolean =>
  clickHouseAway.has(clickHouseErrorCode(error) ?? 0) || error.message === 'Timeout error.';

/** The innermost cause in words. */
export const reasonOf = (error: unknown): string =>
  causesOf(error).findLast(({ message }) => message !== '')?.message ?? '';
