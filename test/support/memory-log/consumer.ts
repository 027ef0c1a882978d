import { type ClaimEnding, type RunningClaim, runClaim } from '../../../engine/contract/concurrency/claim.ts';
import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import { within } from '../../../engine/contract/concurrency/time-limit.ts';
import type { BatchHandler, ConsumeOptions, Consumer, LogRecord } from '../../../engine/contract/log.ts';
import { parseTopicValue, type Topic } from '../../../engine/contract/topics.ts';
import type { MemoryStore, StoredRecord } from './store.ts';

export interface MemoryConsumer extends Consumer {
  crash(sessionTimeoutMs: number): void;
}

export interface MemoryConsumerDeps<T extends Topic> {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly topic: T;
  readonly options: ConsumeOptions;
  readonly handle: BatchHandler<T>;
}

interface InHand<T extends Topic> {
  readonly claim: RunningClaim<T>;
  readonly stored: ReadonlyMap<string, StoredRecord>;
}

/** Takes records as long as it is open, not paused, and has a handler call to spare. */
export function createMemoryConsumer<T extends Topic>(deps: MemoryConsumerDeps<T>): MemoryConsumer {
  const { store, clock, topic, options, handle } = deps;
  const inHand = new Set<InHand<T>>();
  /** Calls that have not come back, those included that lost their claim. */
  let calls = 0;
  let paused = false;
  let fullUntil = 0;
  let open = true;
  const stopListening = store.onWork(takeMore);

  function takeMore(): void {
    while (mayStart()) {
      const taken = store.take(topic, options.maxRecords);
      if (taken.length === 0) return;
      const readable = buryUnreadable(deps, taken);
      if (readable.size > 0) start(taken, readable);
    }
  }

  /** Calls that hang after they lost their claim are bounded too: by as many again. */
  function mayStart(): boolean {
    const isStuck = calls - inHand.size >= options.concurrency;
    return open && !paused && !isStuck && inHand.size < options.concurrency && clock.now() >= fullUntil;
  }

  function start(taken: readonly StoredRecord[], records: ReadonlyMap<string, LogRecord<T>>): void {
    const stored = new Map(taken.map((record) => [idOf(record), record]));
    const claim = runClaim<T>({
      clock,
      handle,
      records: [...records.values()],
      stallAfterMs: options.stallAfterMs,
      onDone: (record) => store.settle(topic, stored.get(record.id)?.position ?? 0),
    });
    const entry = { claim, stored };
    calls++;
    inHand.add(entry);
    void claim.returned.then(() => {
      calls--;
      takeMore();
    });
    void claim.ended.then((ending) => {
      inHand.delete(entry);
      if (!ending.lost) settleRest(ending, stored);
      takeMore();
    });
  }

  function settleRest(ending: ClaimEnding<T>, stored: ReadonlyMap<string, StoredRecord>): void {
    if (ending.resumeAfterMs > 0) pauseIntake(ending.resumeAfterMs);
    for (const [index, record] of ending.undone.entries()) {
      const at = stored.get(record.id);
      if (at === undefined) continue;
      const charged = at.charged + (index < ending.charged ? 1 : 0);
      if (charged >= options.maxAttempts) bury(deps, at, record.value, ending.reason);
      else store.giveBack(topic, { ...at, charged });
    }
  }

  function pauseIntake(forMs: number): void {
    const until = clock.now() + forMs;
    if (until <= fullUntil) return;
    fullUntil = until;
    goOnLater();
  }

  /** Timers may fire a little early: nothing else would wake the consumer then. */
  function goOnLater(): void {
    const leftMs = fullUntil - clock.now();
    if (leftMs > 0) clock.setTimer(Math.ceil(leftMs), goOnLater);
    else takeMore();
  }

  takeMore();
  return {
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      takeMore();
    },
    close: async (deadlineMs) => {
      open = false;
      stopListening();
      for (const { claim } of inHand) claim.release();
      await within(clock, deadlineMs, Promise.all([...inHand].map(({ claim }) => claim.ended)));
      letGo(0);
    },
    crash: (sessionTimeoutMs) => {
      open = false;
      stopListening();
      letGo(sessionTimeoutMs);
    },
  };

  function letGo(afterMs: number): void {
    for (const { claim, stored } of inHand) {
      const rest = claim.undone().flatMap((record) => stored.get(record.id) ?? []);
      claim.lose();
      const giveBack = () => {
        for (const record of rest) store.giveBack(topic, record);
      };
      if (afterMs === 0) giveBack();
      else clock.setTimer(afterMs, giveBack);
    }
    inHand.clear();
  }
}

/** Records whose text does not fit the topic's schema never reach a handler: they could not be typed. */
function buryUnreadable<T extends Topic>(
  deps: MemoryConsumerDeps<T>,
  taken: readonly StoredRecord[],
): ReadonlyMap<string, LogRecord<T>> {
  const readable = new Map<string, LogRecord<T>>();
  for (const stored of taken) {
    const raw = parseText(stored.text);
    const value = parseTopicValue(deps.topic, raw);
    const id = idOf(stored);
    if (value === null) bury(deps, stored, raw, 'does not fit the schema of its topic');
    else readable.set(id, { id, key: stored.key, value, attempt: stored.charged + 1 });
  }
  return readable;
}

function bury<T extends Topic>(
  { store, topic }: MemoryConsumerDeps<T>,
  stored: StoredRecord,
  value: unknown,
  reason: string,
): void {
  store.bury(topic, { id: idOf(stored), key: stored.key, value, reason });
  store.settle(topic, stored.position);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const idOf = (record: StoredRecord): string => String(record.position);
