import { type Clock, pause } from '../../contract/concurrency/clock.ts';
import type { Topic } from '../../contract/topics.ts';
import type { Queue } from './queue.ts';

/**
 * Removes done records, many in one statement: records finished while a statement runs go in the next. Bounded
 * by the running claims, because a claim keeps its permit until its records are removed.
 */
export interface Settler {
  add(id: string): void;
  /** Resolves once everything that was added is removed, or when the signal aborts. */
  flushed(giveUp: AbortSignal): Promise<void>;
}

const RETRY_AFTER_MS = 250;

export function createSettler(queue: Queue, topic: Topic, clock: Clock): Settler {
  let waiting: string[] = [];
  let running: Promise<boolean> | null = null;

  async function removeAll(): Promise<boolean> {
    while (waiting.length > 0) {
      const ids = waiting;
      waiting = [];
      try {
        await queue.remove(topic, ids);
      } catch {
        waiting = ids.concat(waiting);
        return false;
      }
    }
    return true;
  }

  function flush(): Promise<boolean> {
    running ??= removeAll().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    add: (id) => {
      waiting.push(id);
      void flush();
    },
    flushed: async (giveUp) => {
      while (!(await flush()) && !giveUp.aborted) await pause(clock, RETRY_AFTER_MS, giveUp);
    },
  };
}
