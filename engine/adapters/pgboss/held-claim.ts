import { type ClaimEnding, type RunningClaim, runClaim } from '../../contract/concurrency/claim.ts';
import { pause, type Timer } from '../../contract/concurrency/clock.ts';
import type { BatchHandler, ConsumeOptions, DeadLetter, LogRecord } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import type { PgBossSettings } from './options.ts';
import type { Queue } from './queue.ts';
import type { Settler } from './settler.ts';

export interface HeldClaimDeps<T extends Topic> {
  readonly queue: Queue;
  readonly settings: PgBossSettings;
  readonly topic: T;
  readonly options: ConsumeOptions;
  readonly handle: BatchHandler<T>;
  readonly settler: Settler;
  /** Aborted when the consumer's deadline is over: nothing is tried again after that. */
  readonly giveUp: AbortSignal;
}

export interface HeldClaim<T extends Topic> {
  /** Takes the claim away from its handler, and returns unfinished records for the next fetch. */
  letGo(): void;
  readonly running: RunningClaim<T>;
  /** Everything is removed, put back or buried, or unclaimable until the claim runs out. */
  readonly settled: Promise<ClaimEnding<T>>;
}

const RETRY_AFTER_MS = 250;

/**
 * One call of the handler over fetched records, kept alive by touches while it runs.
 * @param fetchedAt when the fetch was sent: the claim cannot last longer than from there.
 */
export function holdClaim<T extends Topic>(
  deps: HeldClaimDeps<T>,
  records: readonly LogRecord<T>[],
  fetchedAt: number,
): HeldClaim<T> {
  const { queue, settings, topic, options, handle, settler } = deps;
  const { clock, claimTimeoutMs, touchEveryMs } = settings;
  let confirmedAt = fetchedAt;
  let timer: Timer = clock.setTimer(touchEveryMs, beat);
  let isOver = false;
  let isLetGo = false;

  const running = runClaim<T>({
    clock,
    handle,
    records,
    stallAfterMs: options.stallAfterMs,
    onDone: (record) => settler.add(record.id),
  });

  function beat(): void {
    if (clock.now() - confirmedAt >= claimTimeoutMs) running.lose();
    else void touch();
    timer = clock.setTimer(touchEveryMs, beat);
    if (isOver) timer.clear();
  }

  /** Fewer answers than open records: some belong to another consumer by now, and pg-boss does not say which. */
  async function touch(): Promise<void> {
    const sentAt = clock.now();
    const ids = new Set(running.undone().map(({ id }) => id));
    if (ids.size === 0) return;
    const answered = await queue.touch(topic, [...ids]).catch(() => null);
    if (answered === null || isOver) return;
    const open = running.undone().filter(({ id }) => ids.has(id)).length;
    if (answered < open) running.lose();
    else confirmedAt = sentAt;
  }

  const holds = () => !deps.giveUp.aborted && clock.now() - confirmedAt < claimTimeoutMs;

  async function settle(): Promise<ClaimEnding<T>> {
    const ending = await running.ended;
    isOver = true;
    timer.clear();
    await settler.flushed(deps.giveUp);
    if (!ending.lost || isLetGo) await settleUndone(deps, ending, holds);
    return ending;
  }

  return {
    running,
    settled: settle(),
    letGo: () => {
      isLetGo = true;
      running.lose();
    },
  };
}

/** Tried until it worked or the claim ran out: then pg-boss gives the records back by itself. */
async function settleUndone<T extends Topic>(
  deps: HeldClaimDeps<T>,
  ending: ClaimEnding<T>,
  holds: () => boolean,
): Promise<void> {
  const { queue, topic, options } = deps;
  const back = new Map<number, string[]>();
  const dead: DeadLetter[] = [];
  for (const [index, { id, key, value, attempt }] of ending.undone.entries()) {
    const charged = attempt - 1 + (index < ending.charged ? 1 : 0);
    if (charged >= options.maxAttempts) dead.push({ id, key, value, reason: ending.reason });
    else back.set(charged, [...(back.get(charged) ?? []), id]);
  }
  for (const letter of dead) await tryWhile(deps, holds, () => queue.bury(topic, letter));
  for (const [charged, ids] of back) await tryWhile(deps, holds, () => queue.putBack(topic, ids, charged));
}

export async function tryWhile<T extends Topic>(
  { settings, giveUp }: HeldClaimDeps<T>,
  holds: () => boolean,
  act: () => Promise<void>,
): Promise<void> {
  while (holds()) {
    const worked = await act().then(
      () => true,
      () => false,
    );
    if (worked) return;
    await pause(settings.clock, RETRY_AFTER_MS, giveUp);
  }
}
