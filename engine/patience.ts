import { clickHouseErrorCode } from './adapters/clickhouse/errors.ts';
import { isDatabaseAway } from './adapters/postgres/database-away.ts';
import type { Logger } from './adapters/telemetry/logger.ts';
import { type Clock, pause, systemClock } from './contract/clock.ts';

/**
 * The start of a role while something that it stands on is away: a restart in the middle of an outage must
 * not need a second one afterwards. What may be better in a minute is waited for, a line in the log for each
 * try; a wrong setting (a host that does not exist, a password, a newer schema) ends the start at once.
 */
export interface Patience {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Aborted where the role is told to stop: nothing is waited for any more. */
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
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      const opened = await untilAborted(open(), signal);
      if (pauseMs > FIRST_PAUSE_MS) logger.info({}, `${what} answers: the start goes on`);
      return opened;
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error)) throw error;
      logger.warn({ reason: reasonOf(error), pauseMs }, `${what} does not answer: the start waits for it`);
    }
    await pause(clock, pauseMs, signal);
  }
}

/** What is opened meanwhile is left to itself: the process is about to end. */
function untilAborted<Opened>(opening: Promise<Opened>, signal: AbortSignal): Promise<Opened> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([opening, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Whether whatever was asked may answer later, without anybody changing a setting. */
export function isAway(error: unknown): boolean {
  const all = causesOf(error);
  if (all.some(isWrongSetting)) return false;
  return all.some((one) => isDatabaseAway(one) || isKafkaAway(one) || isClickHouseAway(one));
}

/** Kafka's credentials too: what is wrong with them is wrong in a minute. */
const isWrongSetting = (error: Error): boolean =>
  (error as { code?: unknown }).code === 'ENOTFOUND' || error.name === 'KafkaJSSASLAuthenticationError';

/** The other errors of its client are of the way there, or of a cluster that has not found itself yet. */
const isKafkaAway = (error: Error): boolean =>
  error.name.startsWith('KafkaJS') || error.message.startsWith('Kafka: ');

/** TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
 * TABLE_IS_READ_ONLY, NOT_ENOUGH_SPACE, KEEPER_EXCEPTION. */
const clickHouseAway: ReadonlySet<number> = new Set([159, 202, 209, 210, 241, 242, 243, 999]);

const isClickHouseAway = (error: Error): boolean =>
  clickHouseAway.has(clickHouseErrorCode(error) ?? 0) || error.message === 'Timeout error.';

const MAX_CAUSES = 8;

/** The error, what caused it, and the members of those that stand for several. */
function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  const open = [error];
  while (open.length > 0 && found.length < MAX_CAUSES) {
    const next = open.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    open.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return found;
}

const reasonOf = (error: unknown): string =>
  causesOf(error).findLast(({ message }) => message !== '')?.message ?? '';
