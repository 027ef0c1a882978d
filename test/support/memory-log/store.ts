import type { DeadLetter } from '../../../engine/contract/log.ts';
import type { Topic } from '../../../engine/contract/topics.ts';

/** A record at rest: text, so that no two sides ever share one object. */
export interface StoredRecord {
  /** Its place in the topic, from 1. */
  readonly position: number;
  readonly key: string;
  readonly text: string;
  /** Attempts that counted against it. */
  readonly charged: number;
}

/** What outlives every `Log` on it, as a broker outlives its clients: the simulation restarts engines on it. */
export interface MemoryStore {
  /** Appends; @throws Error when the log is unavailable or the topic full, and then nothing was appended. */
  append(topic: Topic, records: readonly { readonly key: string; readonly text: string }[]): void;
  /** Takes the oldest free records: they are reserved until `settle` or `giveBack`. */
  take(topic: Topic, most: number): StoredRecord[];
  settle(topic: Topic, position: number): void;
  giveBack(topic: Topic, record: StoredRecord): void;
  bury(topic: Topic, letter: DeadLetter): void;
  deadLetters(topic: Topic): readonly DeadLetter[];
  /** Free and taken records. */
  lag(topic: Topic): number;
  isAway(): boolean;
  /** A simulated outage: nothing is appended, taken or settled while it lasts. */
  setAway(away: boolean): void;
  /** Called, in the order of registration, whenever there may be something to take. */
  onWork(wake: () => void): () => void;
}

export interface MemoryStoreOptions {
  /** Records a topic may hold; beyond it `append` refuses. */
  readonly maxRecords: number;
  /** Dead letters kept a topic; the oldest go first. */
  readonly maxDeadLetters: number;
}

interface TopicState {
  free: StoredRecord[];
  readonly taken: Set<number>;
  readonly dead: DeadLetter[];
  lastPosition: number;
}

const defaults: MemoryStoreOptions = { maxRecords: 1_000_000, maxDeadLetters: 1_000 };

export function createMemoryStore(given: Partial<MemoryStoreOptions> = {}): MemoryStore {
  const options = { ...defaults, ...given };
  const states = new Map<Topic, TopicState>();
  const wakes = new Set<() => void>();
  let away = false;

  function stateOf(topic: Topic): TopicState {
    const state = states.get(topic) ?? { free: [], taken: new Set(), dead: [], lastPosition: 0 };
    states.set(topic, state);
    return state;
  }

  function wakeAll(): void {
    if (!away) for (const wake of wakes) wake();
  }

  return {
    append: (topic, records) => {
      const state = stateOf(topic);
      if (away) throw new Error('the log is unavailable');
      if (state.free.length + records.length > options.maxRecords) throw new Error(`${topic} is full`);
      for (const record of records)
        state.free.push({ position: ++state.lastPosition, charged: 0, ...record });
      wakeAll();
    },
    take: (topic, most) => {
      if (away) return [];
      const state = stateOf(topic);
      const records = state.free.splice(0, most);
      for (const record of records) state.taken.add(record.position);
      return records;
    },
    settle: (topic, position) => void stateOf(topic).taken.delete(position),
    giveBack: (topic, record) => {
      const state = stateOf(topic);
      if (!state.taken.delete(record.position)) return;
      const after = state.free.findIndex((other) => other.position > record.position);
      state.free.splice(after === -1 ? state.free.length : after, 0, record);
      wakeAll();
    },
    bury: (topic, letter) => {
      const { dead } = stateOf(topic);
      dead.push(letter);
      if (dead.length > options.maxDeadLetters) dead.shift();
    },
    deadLetters: (topic) => stateOf(topic).dead,
    lag: (topic) => stateOf(topic).free.length + stateOf(topic).taken.size,
    isAway: () => away,
    setAway: (now) => {
      away = now;
      wakeAll();
    },
    onWork: (wake) => {
      wakes.add(wake);
      return () => void wakes.delete(wake);
    },
  };
}
