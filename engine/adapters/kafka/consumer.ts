import type { Kafka } from 'kafkajs';
import { pause } from '../../contract/clock.ts';
import type { BatchHandler, ConsumeOptions, Consumer } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import { bounded } from './bounded.ts';
import { createCommitter } from './committer.ts';
import type { DeadRecord } from './dead-letters.ts';
import { createLanes } from './lanes.ts';
import { groupName, topicName } from './names.ts';
import type { KafkaSettings } from './options.ts';
import { createSession, type Session } from './session.ts';
import { createWatchdog, type SessionEnd } from './watchdog.ts';

/**
 * One reader of a topic: sessions with the group, one after the other as they crash or fall silent, over
 * one set of lanes. What is in hand outlives a session until the next one joins, so that a broker's restart
 * does not take work away; when partitions are to move, handlers finish to a budget, what finished is
 * committed, and the rest is let go.
 */
export interface ConsumerDeps<T extends Topic> {
  readonly kafka: Kafka;
  readonly settings: KafkaSettings;
  readonly topic: T;
  readonly options: ConsumeOptions;
  readonly handle: BatchHandler<T>;
  readonly bury: (record: DeadRecord) => Promise<void>;
  /** Records of these partitions that are not committed. */
  readonly lag: (partitions: readonly number[]) => Promise<number>;
}

const FIRST_RESTART_AFTER_MS = 250;
const MAX_RESTART_AFTER_MS = 2_000;
/** The last commits of a consumer that closes get at least this long, whatever the deadline left. */
const LAST_COMMIT_MS = 2_000;

export async function startConsumer<T extends Topic>(deps: ConsumerDeps<T>): Promise<Consumer> {
  const { settings, topic, options } = deps;
  const { clock, logger } = settings;
  const closing = new AbortController();
  let session: Session | null = null;
  let partitions: readonly number[] = [];
  let paused = false;
  let lettingGo = false;
  let silent = Promise.withResolvers<SessionEnd>();

  const { promise: closed, resolve: onClosed } = Promise.withResolvers<null>();
  closing.signal.addEventListener('abort', () => onClosed(null), { once: true });

  const lanes = createLanes<T>({
    topic,
    options,
    clock,
    handle: deps.handle,
    bury: deps.bury,
    mayStart: () => !paused && !lettingGo && !closing.signal.aborted,
    onProgress: (partition, offset) => committer.progress(partition, offset),
    onDrained: (partition) => session?.resume(partition),
  });
  const committer = createCommitter(async (offsets) => {
    if (session === null) throw new Error('Kafka: no session');
    await session.commit(offsets);
  });
  const watchdog = createWatchdog({
    clock,
    leaseMs: settings.sessionTimeoutMs,
    idleMs: settings.watchdogMs,
    checkEveryMs: settings.heartbeatIntervalMs,
    isWaiting: () => !paused && !lanes.isFull() && (lanes.isIdle() || lanes.isStuck()),
    lag: () => deps.lag(partitions),
    onSilent: (end) => silent.resolve(end),
  });

  async function letGo(budgetMs: number): Promise<void> {
    lettingGo = true;
    lanes.release();
    await bounded(clock, budgetMs, 'finishing', lanes.ended()).catch(() => undefined);
    await bounded(clock, LAST_COMMIT_MS, 'committing', committer.flush()).catch(() => undefined);
    lanes.drop(committer.forget());
    for (const partition of partitions) session?.resume(partition);
    lettingGo = false;
  }

  function newSession(): Session {
    silent = Promise.withResolvers();
    return createSession({
      ...deps,
      topic: topicName(settings.prefix, topic),
      groupId: groupName(settings.prefix, topic),
      onBatch: (batch) => {
        watchdog.worked();
        lanes.accept(batch);
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
  async function joinFirst(): Promise<Session> {
    const deadline = clock.now() + joinTimeoutMs(settings);
    for (;;) {
      try {
        return await join(deadline - clock.now());
      } catch (error) {
        if (clock.now() + FIRST_RESTART_AFTER_MS > deadline) throw error;
        await pause(clock, FIRST_RESTART_AFTER_MS);
      }
    }
  }

  async function join(limitMs: number): Promise<Session> {
    const joining = newSession();
    session = joining;
    try {
      await bounded(clock, limitMs, `joining ${topic}`, joining.start());
      closing.signal.throwIfAborted();
    } catch (error) {
      await joining.stop();
      throw error;
    }
    watchdog.start();
    return joining;
  }

  /** Resolves with why the session is over, or null when the consumer closes. */
  function sessionEnd(current: Session): Promise<SessionEnd | null> {
    const crashed = current.crashed.then((reason) => ({ reason, leaseLost: false }));
    return Promise.race([crashed, silent.promise, closed]);
  }

  /**
   * Handlers may finish even after a crash: most often the broker is away, and nobody else can take over
   * before this member's lease runs out.
   */
  async function endSession(current: Session, { reason, leaseLost }: SessionEnd): Promise<void> {
    logger('warn', 'a consumer starts again', { topic, reason });
    watchdog.stop();
    await letGo(leaseLost ? 0 : Math.min(settings.revokeBudgetMs, settings.sessionTimeoutMs));
    await current.stop();
  }

  async function supervise(first: Session): Promise<void> {
    let current: Session | null = first;
    let restartAfterMs = FIRST_RESTART_AFTER_MS;
    while (!closing.signal.aborted) {
      if (current !== null) {
        const end = await sessionEnd(current);
        if (end === null) return;
        await endSession(current, end);
        restartAfterMs = FIRST_RESTART_AFTER_MS;
      }
      await pause(clock, restartAfterMs, closing.signal);
      restartAfterMs = Math.min(restartAfterMs * 2, MAX_RESTART_AFTER_MS);
      // Not while every call hangs: partitions belong to a consumer that can work on them.
      const again =
        closing.signal.aborted || lanes.isStuck() ? null : join(joinTimeoutMs(settings)).catch(() => null);
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
      lanes.schedule();
    },
    close: async (deadlineMs) => {
      closing.abort();
      watchdog.stop();
      await letGo(deadlineMs);
      await session?.stop();
      await supervised;
    },
  };
}

/** A join waits for the other members to finish what they have in hand, or for a dead one's session to end. */
function joinTimeoutMs({ connectTimeoutMs, revokeBudgetMs, sessionTimeoutMs }: KafkaSettings): number {
  return connectTimeoutMs + Math.max(revokeBudgetMs, sessionTimeoutMs);
}
