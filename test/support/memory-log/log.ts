import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import type { Consumer, DeadLetter, Log } from '../../../engine/contract/log.ts';
import { RecordsRefused } from '../../../engine/contract/records-refused.ts';
import type { Topic } from '../../../engine/contract/topics.ts';
import { createMemoryConsumer, type MemoryConsumer } from './consumer.ts';
import type { MemoryStore } from './store.ts';

/**
 * The log in one process, for the simulation and quick tests. Nothing here reads a clock or a random
 * number but through `clock`, so one order of calls gives one order of events, every time.
 */
export interface MemoryLog extends Log {
  /**
   * The consumer stops dead, as its process would: its handlers lose their claims at once, and what they
   * had not marked done comes again after `sessionTimeoutMs`.
   */
  crash(consumer: Consumer): void;
}

export interface MemoryLogDeps {
  readonly store: MemoryStore;
  readonly clock: Clock;
  /** How long the records of a crashed consumer stay unseen. */
  readonly sessionTimeoutMs?: number;
}

const DEFAULT_SESSION_TIMEOUT_MS = 10_000;
/** As Kafka refuses records of more than a megabyte. */
const MAX_CHARS = 1_000_000;

export function createMemoryLog(deps: MemoryLogDeps): MemoryLog {
  const { store, clock, sessionTimeoutMs = DEFAULT_SESSION_TIMEOUT_MS } = deps;
  const consumers = new Map<Consumer, MemoryConsumer>();
  let closed = false;

  return {
    publish: async (topic, records) => {
      if (closed) throw new Error('the log is closed');
      const texts = records.map(({ key, value }) => ({ key, text: JSON.stringify(value) }));
      const refused = texts.flatMap(({ text }, index) => (text.length > MAX_CHARS ? [index] : []));
      store.append(
        topic,
        texts.filter(({ text }) => text.length <= MAX_CHARS),
      );
      if (refused.length > 0) throw new RecordsRefused(refused, new Error('a record is too large'));
    },
    consume: async (topic, options, handle) => {
      if (closed) throw new Error('the log is closed');
      const consumer = createMemoryConsumer({ store, clock, topic, options, handle });
      consumers.set(consumer, consumer);
      return consumer;
    },
    lag: async (topic) => store.lag(topic),
    deadLetters: async (topic, limit) => newest(store, topic, limit),
    ping: async () => !closed && !store.isAway(),
    close: async (deadlineMs) => {
      closed = true;
      await Promise.all([...consumers.keys()].map((consumer) => consumer.close(deadlineMs)));
    },
    crash: (consumer) => consumers.get(consumer)?.crash(sessionTimeoutMs),
  };
}

function newest(store: MemoryStore, topic: Topic, limit: number): DeadLetter[] {
  return store.deadLetters(topic).slice(-limit).reverse();
}
