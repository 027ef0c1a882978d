import { createBackOff } from '../../contract/concurrency/back-off.ts';
import { pause } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';
import type { BatchHandler, ConsumeOptions, Consumer, LogRecord } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import { type HeldClaim, type HeldClaimDeps, holdClaim, tryWhile } from './held-claim.ts';
import type { PgBossSettings } from './options.ts';
import type { Fetched, Queue } from './queue.ts';
import { createSettler } from './settler.ts';

export interface PgBossConsumer extends Consumer {
  /** There may be something to fetch: no need to wait for the next poll. */
  wake(): void;
}

export interface ConsumerDeps<T extends Topic> {
  readonly queue: Queue;
  readonly settings: PgBossSettings;
  readonly topic: T;
  readonly options: ConsumeOptions;
  readonly handle: BatchHandler<T>;
}

const MAX_ERROR_PAUSE_MS = 2_000;
/** A publish wakes the consumer, and so does `watch` in `log.ts`: its own polling finds out that Postgres does not answer. */
const LOOK_EVERY_MS = 60_000;
/** Finished records get at least this long to be removed, whatever the deadline left. */
const LAST_SETTLE_MS = 2_000;

/** For the records of a fetch that was under way when the consumer paused or closed: no handler sees them. */
const declined = async () => ({ kind: 'full', resumeAfterMs: 0 }) as const;

/**
 * One loop fetches, at once while batches come full, otherwise at every wake; handlers run beside it.
 */
export function createPgBossConsumer<T extends Topic>(deps: ConsumerDeps<T>): PgBossConsumer {
  const { queue, settings, topic, options } = deps;
  const { clock, pollMs } = settings;
  const giveUp = new AbortController();
  const held = new Set<HeldClaim<T>>();
  const settler = createSettler(queue, topic, clock);
  const claimDeps: HeldClaimDeps<T> = { ...deps, settler, giveUp: giveUp.signal };
  /** Calls that have not returned, including those that lost their claim. */
  let calls = 0;
  let paused = false;
  let open = true;
  let fullUntil = 0;
  let nap = new AbortController();

  /** Calls that hang after they lost their claim are bounded too: by as many again. */
  function mayFetch(): boolean {
    const hanging = calls - held.size;
    return (
      !paused && held.size < options.concurrency && hanging < options.concurrency && clock.now() >= fullUntil
    );
  }

  async function loop(): Promise<void> {
    const backOff = createBackOff(pollMs * 2, MAX_ERROR_PAUSE_MS);
    while (open) {
      const sleep = nap.signal;
      const came = mayFetch() ? await fetchOnce() : 0;
      if (came === null) {
        await pause(clock, backOff.next(), sleep);
      } else {
        backOff.reset();
        if (came < options.maxRecords) await pause(clock, Math.max(LOOK_EVERY_MS, pollMs), sleep);
      }
    }
  }

  /** @returns how many records came, or null when Postgres did not answer. */
  async function fetchOnce(): Promise<number | null> {
    const fetchedAt = clock.now();
    try {
      const fetched = await queue.fetch(topic, options.maxRecords);
      if (fetched.length > 0) take(fetched, fetchedAt);
      return fetched.length;
    } catch (error) {
      settings.logger('warn', 'the log on Postgres cannot be read', { topic, error: String(error) });
      return null;
    }
  }

  function take(fetched: readonly Fetched<T>[], fetchedAt: number): void {
    const records: LogRecord<T>[] = [];
    for (const one of fetched) {
      if (one.kind === 'record') records.push(one.record);
      else void buryUnreadable(one, fetchedAt);
    }
    if (records.length === 0) return;
    start(records, fetchedAt, paused || !open ? declined : deps.handle);
  }

  async function buryUnreadable(one: Fetched<T> & { kind: 'unreadable' }, fetchedAt: number): Promise<void> {
    const { id, key, value } = one;
    const holds = () => clock.now() - fetchedAt < settings.claimTimeoutMs;
    const letter = { id, key, value, reason: 'does not fit the schema of its topic' };
    await tryWhile(claimDeps, holds, () => queue.bury(topic, letter));
  }

  function start(records: readonly LogRecord<T>[], fetchedAt: number, handle: BatchHandler<T>): void {
    const claim = holdClaim({ ...claimDeps, handle }, records, fetchedAt);
    held.add(claim);
    calls++;
    void claim.running.returned.then(() => {
      calls--;
      wake();
    });
    void claim.running.ended.then(({ resumeAfterMs }) => {
      if (resumeAfterMs > 0) fullUntil = clock.now() + resumeAfterMs;
    });
    void claim.settled.then(() => {
      held.delete(claim);
      wake();
    });
  }

  function wake(): void {
    nap.abort();
    nap = new AbortController();
  }

  const looping = loop();
  return {
    wake,
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      wake();
    },
    close: async (deadlineMs) => {
      open = false;
      wake();
      for (const { running } of held) running.release();
      const rest = () => Promise.all([...held].map(({ settled }) => settled));
      await within(clock, deadlineMs, looping.then(rest));
      for (const claim of held) claim.letGo();
      await within(clock, LAST_SETTLE_MS, rest());
      giveUp.abort();
      // A query to a Postgres that vanished may last longer: its records are declined, and come again.
      await within(clock, LAST_SETTLE_MS, Promise.all([looping, rest()]));
    },
  };
}
