import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import { type Topic, topics } from '../../../engine/contract/topics.ts';
import type { MemoryStore } from '../../support/memory-log/store.ts';
import type { Random } from './random.ts';

/** How the log misbehaves: within its contract (at least once, in no order over keys), and where its disk dies. */
export interface LogWeather {
  /** How likely a record comes twice. */
  repeating: number;
  /** How likely a record that was acknowledged shows itself later only. */
  lagging: number;
  /** How likely an append is done and its answer lost. */
  forgetting: number;
  /**
   * How likely a delivery or a shard that was acknowledged is never seen again: Postgres knows of both and publishes
   * them once more. Outcomes have no other home than the log: for those it must keep its word.
   */
  losing: number;
}

const publishedAgain: ReadonlySet<Topic> = new Set(['deliveries', 'shards.breaking', 'shards.bulk']);

const MAX_LAG_MS = 8_000;

/** A log's store whose records repeat, overtake each other, and whose acknowledgements get lost. */
export function createMessyLogStore(
  store: MemoryStore,
  clock: Clock,
  random: Random,
  weather: LogWeather,
): MemoryStore {
  const underway = new Map<Topic, number>(topics.map((topic) => [topic, 0]));
  type Records = Parameters<MemoryStore['append']>[1];

  function appendLater(topic: Topic, records: Records): void {
    underway.set(topic, (underway.get(topic) ?? 0) + 1);
    const arrive = (): void => {
      if (store.isAway()) {
        clock.setTimer(random.int(100, 1_000), arrive);
        return;
      }
      underway.set(topic, (underway.get(topic) ?? 0) - 1);
      store.append(topic, records);
    };
    clock.setTimer(random.int(1, MAX_LAG_MS), arrive);
  }

  return {
    ...store,
    append: (topic, records) => {
      if (store.isAway()) throw new Error('the log is unavailable');
      for (const record of records) {
        if (publishedAgain.has(topic) && random.chance(weather.losing)) continue;
        if (random.chance(weather.lagging)) appendLater(topic, [record]);
        else store.append(topic, [record]);
        if (random.chance(weather.repeating)) appendLater(topic, [record]);
      }
      if (random.chance(weather.forgetting)) throw new Error('the log’s answer was lost');
    },
    lag: (topic) => store.lag(topic) + (underway.get(topic) ?? 0),
  };
}
