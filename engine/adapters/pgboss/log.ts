import { pause } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';
import type { Log } from '../../contract/log.ts';
import { publishApart } from '../../contract/records-refused.ts';
import { isRefusedValue } from '../../contract/refused-value.ts';
import type { Topic } from '../../contract/topics.ts';
import { createPgBossConsumer, type PgBossConsumer } from './consumer.ts';
import { compileOptions, type PgBossLogOptions } from './options.ts';
import { openQueue } from './queue.ts';

const PING_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 2_000;
const TEND_EVERY_MS = 120_000;

/**
 * The log on Postgres, through pg-boss 12: the embedded default. Any number of engines may share it.
 *
 * Records have no order among each other. Attempts are kept in the job, so they outlive the process;
 * a claim that ran out forgets them.
 * @throws Error, one, when Postgres does not answer within `connectTimeoutMs`.
 */
export async function createPgBossLog(given: PgBossLogOptions): Promise<Log> {
  const settings = compileOptions(given);
  const queue = await openQueue(settings).catch((cause) => {
    throw new Error('Postgres does not answer for the log', { cause });
  });
  const consumers = new Map<PgBossConsumer, Topic>();
  const over = new AbortController();
  let closing: Promise<void> | null = null;

  function wakeReaders(topic: Topic): void {
    for (const [consumer, read] of consumers) if (read === topic) consumer.wake();
  }

  /**
   * Records that other processes published. One question for all topics: eight fetches of pg-boss five times a
   * second took a twentieth of a core for nothing.
   */
  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      await pause(settings.clock, settings.pollMs, over.signal);
      const read = [...new Set(consumers.values())];
      if (read.length === 0) continue;
      // Consumers handle an outage, and log it, when they fetch.
      const waiting = await queue.waiting(read).catch(() => []);
      waiting.forEach(wakeReaders);
    }
  }

  /** Records whose claim ran out, soon; what pg-boss keeps in order for itself, now and then. */
  async function tend(): Promise<void> {
    const { clock } = settings;
    let tendedAt = Number.NEGATIVE_INFINITY;
    while (!over.signal.aborted) {
      await pause(clock, settings.checkEveryMs, over.signal);
      if (over.signal.aborted) return;
      try {
        const records = await queue.followClock();
        if (records > 0)
          settings.logger('warn', 'the clock of Postgres was set back: the log on it goes on', { records });
        const isTime = clock.now() - tendedAt > TEND_EVERY_MS;
        if (!isTime && !(await queue.hasLostClaim())) continue;
        tendedAt = clock.now();
        await queue.supervise();
      } catch (error) {
        if (over.signal.aborted) return;
        settings.logger('error', 'the log on Postgres met an error', { error: String(error) });
      }
    }
  }

  async function close(deadlineMs: number): Promise<void> {
    over.abort();
    await Promise.all([...consumers.keys()].map((consumer) => consumer.close(deadlineMs)));
    consumers.clear();
    await within(settings.clock, STOP_TIMEOUT_MS, queue.stop());
  }

  void watch();
  void tend();
  return {
    publish: async (topic, records) => {
      if (closing !== null) throw new Error('the log is closed');
      await publishApart(records, (part) => queue.insert(topic, part), isRefusedValue).finally(() =>
        wakeReaders(topic),
      );
    },
    consume: async (topic, options, handle) => {
      if (closing !== null) throw new Error('the log is closed');
      const consumer = createPgBossConsumer({ queue, settings, topic, options, handle });
      consumers.set(consumer, topic);
      return consumer;
    },
    lag: (topic) => queue.count(topic),
    deadLetters: (topic, limit) => queue.deadLetters(topic, limit),
    ping: async () => {
      const answered = within(settings.clock, PING_TIMEOUT_MS, queue.ping());
      return answered.catch(() => false);
    },
    close: (deadlineMs) => {
      closing ??= close(deadlineMs);
      return closing;
    },
  };
}
