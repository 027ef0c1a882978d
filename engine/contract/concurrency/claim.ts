import type { BatchEnding, BatchHandler, Claim, LogRecord } from '../log.ts';
import type { Topic } from '../topics.ts';
import type { Clock } from './clock.ts';

/**
 * The rules of `log.ts` for one call of a handler, shared by all adapters so that they cannot differ: which
 * records are done, which come again, and which attempts count.
 *
 * A claim is held → (`release`: its signal is aborted, the handler should finish) → ended. It ends when the
 * handler returns or throws, when the handler stalls, or when the adapter lost the batch to another consumer
 * (`lose`). From then on `done` is ignored and `holds` is false, whatever the handler does.
 */
export interface RunningClaim<T extends Topic> {
  /** Asks the handler to take no more and finish. The claim is still held. */
  release(): void;
  /** The batch belongs to another consumer from now on. */
  lose(): void;
  /** Records not marked done yet, in the order they came. */
  undone(): LogRecord<T>[];
  /** How the claim ended. Never rejects. */
  readonly ended: Promise<ClaimEnding<T>>;
  /** When the handler itself came back: later than `ended` where it stalled or the claim was lost. */
  readonly returned: Promise<void>;
}

export interface ClaimEnding<T extends Topic> {
  /** In the order they came. Empty in effect where the claim was lost: another consumer has them. */
  readonly undone: readonly LogRecord<T>[];
  /** Number of records of `undone`, from the front, whose attempt counts. */
  readonly charged: number;
  /** Why they come again: the dead letter's reason where it was the last attempt. */
  readonly reason: string;
  /** How long intake pauses. 0: it continues at once. */
  readonly resumeAfterMs: number;
  /** The batch was taken away before the handler ended. */
  readonly lost: boolean;
}

export interface ClaimDeps<T extends Topic> {
  readonly clock: Clock;
  readonly handle: BatchHandler<T>;
  readonly records: readonly LogRecord<T>[];
  readonly stallAfterMs: number;
  /** Called once a record, in the order they are marked. */
  readonly onDone?: (record: LogRecord<T>) => void;
}

const MAX_REASON_LENGTH = 500;

/** Calls the handler and watches over it. */
export function runClaim<T extends Topic>(deps: ClaimDeps<T>): RunningClaim<T> {
  const { clock, records, stallAfterMs } = deps;
  const open = new Set(records.map((record) => record.id));
  const release = new AbortController();
  const { promise: ended, resolve: settle } = Promise.withResolvers<ClaimEnding<T>>();
  let held = true;
  let lastProgress = clock.now();
  let watch = clock.setTimer(stallAfterMs, onWatch);

  const undone = () => records.filter((record) => open.has(record.id));

  function end(ending: Partial<Omit<ClaimEnding<T>, 'undone'>>): void {
    if (!held) return;
    held = false;
    watch.clear();
    settle({ charged: 0, reason: '', resumeAfterMs: 0, lost: false, ...ending, undone: undone() });
    release.abort();
  }

  /** Looks again when the time since the last sign of life could be up: no timer is moved per record. */
  function onWatch(): void {
    const leftMs = lastProgress + stallAfterMs - clock.now();
    if (leftMs <= 0) end({ charged: 1, reason: `stalled: no progress in ${stallAfterMs} ms` });
    else watch = clock.setTimer(leftMs, onWatch);
  }

  const claim: Claim<T> = {
    done: async (record) => {
      if (!held || !open.delete(record.id)) return;
      lastProgress = clock.now();
      deps.onDone?.(record);
    },
    alive: () => {
      lastProgress = clock.now();
    },
    holds: () => held,
    signal: release.signal,
  };

  const returned = callHandler(deps, claim).then((answer) =>
    end(endingOf(answer, release.signal.aborted, open.size)),
  );
  return {
    release: () => release.abort(),
    lose: () => end({ lost: true }),
    undone,
    ended,
    returned,
  };
}

type Answer = BatchEnding | { readonly kind: 'threw'; readonly reason: string };

/** In an `async` function, so that a throw before the handler's first await is an answer too. */
async function callHandler<T extends Topic>(deps: ClaimDeps<T>, claim: Claim<T>): Promise<Answer> {
  try {
    return await deps.handle(deps.records, claim);
  } catch (error) {
    return { kind: 'threw', reason: reasonOf(error) };
  }
}

/** A handler that was asked to stop need not explain what it left: no attempt is counted. */
function endingOf(answer: Answer, released: boolean, undone: number): Partial<ClaimEnding<Topic>> {
  switch (answer.kind) {
    case 'full':
      return { resumeAfterMs: answer.resumeAfterMs, reason: 'full' };
    case 'handled':
      return { charged: released ? 0 : undone, reason: 'handled without being marked done' };
    case 'threw':
      return { charged: released ? 0 : Math.min(1, undone), reason: answer.reason };
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // As jsonb, Postgres takes neither NUL nor half of a pair.
  return text.slice(0, MAX_REASON_LENGTH).replaceAll('\0', ' ').toWellFormed();
}
