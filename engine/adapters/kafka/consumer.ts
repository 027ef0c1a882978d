import type { Kafka } from 'kafkajs';
import { createBackOff } from '../../contract/concurrency/back-off.ts';
import { pause } from '../../contract/concurrency/clock.ts';
import type { BatchHandler, ConsumeOptions, Consumer } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import { bounded } from './bounded.ts';
import { createCommitter } from './committer.ts';
import type { DeadRecord } from './dead-letters.ts';
import { createMembership, type Membership } from './membership.ts';
import { groupName, topicName } from './names.ts';
import type { KafkaSettings } from './options.ts';
import { createPartitionQueues } from './partition-queues.ts';
import { KafkaRefused, type Refusals } from './refusals.ts';
import { createWatchdog, type MembershipEnd } from './watchdog.ts';

/**
 * One reader of a topic: memberships in the group, one after the other as they crash or fall silent, over one
 * set of queues. Work in flight outlives a membership until the next one joins, so that a broker's restart does
 * not lose it; when partitions are to move, handlers finish within a budget, finished records are committed,
 * and the rest is abandoned.
 */
export interface ConsumerDeps<T extends Topic> {
  readonly kafka: Kafka;
  readonly settings: KafkaSettings;
  readonly refusals: Refusals;
  readonly topic: T;
  readonly options: ConsumeOptions;
  readonly handle: BatchHandler<T>;
  readonly bury: (record: DeadRecord) => Promise<void>;
  /** Records of these partitions that are not committed. */
  readonly lag: (partitions: readonly number[]) => Promise<number>;
}

const FIRST_RESTART_AFTER_MS = 250;
const MAX_RESTART_AFTER_MS = 2_000;
/** A membership that lasted longer had no trouble with its beginning. */
const STEADY_AFTER_MS = 5_000;
/** The last commits of a closing consumer get at least this long, whatever the deadline left. */
const LAST_COMMIT_MS = 2_000;

/** Membership, queues and commits end together, and begin again together. */
export async function startConsumer<T extends Topic>(deps: ConsumerDeps<T>): Promise<Consumer> {
  const { settings, refusals, topic, options } = deps;
  const { clock, logger } = settings;
  const closing = new AbortController();
  let membership: Membership | null = null;
  let partitions: readonly number[] = [];
  let paused = false;
  let lettingGo = false;
  let silent = Promise.withResolvers<MembershipEnd>();

  const { promise: closed, resolve: onClosed } = Promise.withResolvers<null>();
  closing.signal.addEventListener('abort', () => onClosed(null), { once: true });

  const queues = createPartitionQueues<T>({
    topic,
    options,
    clock,
    handle: deps.handle,
    bury: deps.bury,
    mayStart: () => !paused && !lettingGo && !closing.signal.aborted,
    onProgress: (partition, offset) => committer.progress(partition, offset),
    onDrained: (partition) => membership?.resume(partition),
  });
  const committer = createCommitter(async (offsets) => {
    if (membership === null) throw new Error('Kafka: no membership');
    await membership.commit(offsets);
  });
  const watchdog = createWatchdog({
    clock,
    leaseMs: settings.sessionTimeoutMs,
    idleMs: settings.watchdogMs,
    checkEveryMs: settings.heartbeatIntervalMs,
    isWaiting: () => !paused && !queues.isFull() && (queues.isIdle() || queues.isStuck()),
    lag: () => deps.lag(partitions),
    onSilent: (end) => silent.resolve(end),
  });

  async function letGo(budgetMs: number): Promise<void> {
    lettingGo = true;
    queues.release();
    await bounded(clock, budgetMs, 'finishing', queues.ended()).catch(() => undefined);
    await bounded(clock, LAST_COMMIT_MS, 'committing', committer.flush()).catch(() => undefined);
    queues.drop(committer.forget());
    for (const partition of partitions) membership?.resume(partition);
    lettingGo = false;
  }

  function newMembership(): Membership {
    silent = Promise.withResolvers();
    return createMembership({
      ...deps,
      topic: topicName(settings.prefix, topic),
      groupId: groupName(settings.prefix, topic),
      onBatch: (batch) => {
        watchdog.worked();
        queues.accept(batch);
      },
      beforeJoin: () => letGo(settings.revokeBudgetMs),
      onJoined: (assigned) => {
        partitions = assigned;
      },
      onConfirmed: watchdog.confirmed,
      onFetched: watchdog.fetched,
    });
  }

  /** A group that is new, or whose coordinator moves, may refuse for a while. */
  async function joinFirst(): Promise<Membership> {
    const deadline = clock.now() + joinTimeoutMs(settings);
    for (;;) {
      try {
        return await join(deadline - clock.now());
      } catch (error) {
        if (error instanceof KafkaRefused || clock.now() + FIRST_RESTART_AFTER_MS > deadline) throw error;
        await pause(clock, FIRST_RESTART_AFTER_MS);
      }
    }
  }

  async function join(limitMs: number): Promise<Membership> {
    refusals.check();
    const joining = newMembership();
    membership = joining;
    try {
      await bounded(clock, limitMs, `joining ${topic}`, joining.start());
      closing.signal.throwIfAborted();
    } catch (error) {
      await joining.stop();
      throw refusals.explained(error);
    }
    refusals.accepted();
    watchdog.start();
    return joining;
  }

  /** Resolves with why the membership is over, or null when the consumer closes. */
  function membershipEnd(current: Membership): Promise<MembershipEnd | null> {
    const crashed = current.crashed.then((error) => ({
      reason: messageOf(refusals.explained(error)),
      leaseLost: false,
    }));
    return Promise.race([crashed, silent.promise, closed]);
  }

  /**
   * Handlers may finish even after a crash: most often the broker is away, and no other member can take over
   * before this one's lease runs out.
   */
  async function endMembership(current: Membership, { reason, leaseLost }: MembershipEnd): Promise<void> {
    logger('warn', 'a consumer starts again', { topic, reason });
    watchdog.stop();
    await letGo(leaseLost ? 0 : Math.min(settings.revokeBudgetMs, settings.sessionTimeoutMs));
    await current.stop();
  }

  async function supervise(first: Membership): Promise<void> {
    let current: Membership | null = first;
    const backOff = createBackOff(FIRST_RESTART_AFTER_MS, MAX_RESTART_AFTER_MS);
    while (!closing.signal.aborted) {
      if (current !== null) {
        const since = clock.now();
        const end = await membershipEnd(current);
        if (end === null) return;
        await endMembership(current, end);
        // Where it may join and not read, every membership ends at once.
        if (clock.now() - since > STEADY_AFTER_MS) backOff.reset();
      }
      await pause(clock, Math.max(backOff.next(), refusals.waitMs()), closing.signal);
      // Not while every call hangs: partitions belong to a consumer that can work on them.
      const again =
        closing.signal.aborted || queues.isStuck() ? null : join(joinTimeoutMs(settings)).catch(() => null);
      current = await Promise.race([again, closed]);
    }
  }

  const supervised = supervise(await joinFirst());
  return {
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      queues.schedule();
    },
    close: async (deadlineMs) => {
      closing.abort();
      watchdog.stop();
      await letGo(deadlineMs);
      await membership?.stop();
      await supervised;
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * A join waits for the other members to finish their work, then for a leader that died to be missed. Not shorter than
 * both: the broker goes on counting a member that gave up, and the next to join would wait for it.
 */
function joinTimeoutMs({ connectTimeoutMs, rebalanceTimeoutMs, sessionTimeoutMs }: KafkaSettings): number {
  return connectTimeoutMs + rebalanceTimeoutMs + sessionTimeoutMs;
}
