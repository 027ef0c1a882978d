import type { AppId } from '../../../engine/contract/ids.ts';
import type { ParsedSubscription } from './parse-subscription.ts';
import { type createStoreBatch, type Ending, keysOf } from './store-batch.ts';

/** How a submitted subscribe ends; `full`: too many are waiting already, nothing was done. */
export type Submitted =
  | 'stored'
  | 'app-gone'
  | 'full'
  /** Seconds to wait: its client made too many new ones. */
  | { readonly retryAfterSeconds: number };

interface Waiting {
  readonly item: ParsedSubscription;
  readonly settle: PromiseWithResolvers<Submitted>;
}

interface Options {
  /** Most browsers in one transaction. */
  readonly maxBatch: number;
  /** Most that wait, over all apps; one more is refused. */
  readonly maxWaiting: number;
  /** Most transactions at a time: connections that subscribes may take from the rest of the API. */
  readonly maxInFlight: number;
}

/** Two locks a browser: 64 are 128 of the 6,400 that a Postgres has by default for all connections. */
const defaults: Options = { maxBatch: 64, maxWaiting: 2_000, maxInFlight: 4 };

/**
 * Stores browsers together that subscribe at the same time. New browsers of one app queue for the app's row,
 * each through a commit of its own; in one transaction they queue once.
 *
 * An app has one batch running in this process; later browsers wait for the next one, so batches grow with the
 * load, and without load there is no wait. Items that share an endpoint or a user identity go one after
 * another, in the order they came. Apps take turns.
 *
 * All state is in the waiting requests: a stopped process has answered none of them.
 */
export function createSubscribe(
  storeBatch: ReturnType<typeof createStoreBatch>,
  options: Options = defaults,
) {
  /** An app is here while requests wait; the first is the one whose turn is longest ago. */
  const waiting = new Map<AppId, Waiting[]>();
  const underWay = new Set<AppId>();
  let waitingCount = 0;

  function subscribe(appId: AppId, item: ParsedSubscription): Promise<Submitted> {
    if (waitingCount >= options.maxWaiting) return Promise.resolve('full');
    const settle = Promise.withResolvers<Submitted>();
    const queue = waiting.get(appId) ?? [];
    queue.push({ item, settle });
    waiting.set(appId, queue);
    waitingCount++;
    startBatches();
    return settle.promise;
  }

  function startBatches(): void {
    for (const [appId, queue] of waiting) {
      if (underWay.size >= options.maxInFlight) return;
      if (underWay.has(appId)) continue;
      waiting.delete(appId);
      const { batch, rest } = takeBatch(queue, options.maxBatch);
      if (rest.length > 0) waiting.set(appId, rest);
      waitingCount -= batch.length;
      underWay.add(appId);
      void run(appId, batch);
    }
  }

  async function run(appId: AppId, batch: readonly Waiting[]): Promise<void> {
    const endings = await storeBatch(
      appId,
      batch.map(({ item }) => item),
    ).catch((error: unknown) => batch.map((): Ending => ({ kind: 'failed', error })));
    const left = batch.filter((_, n) => endings[n]?.kind === 'left');
    for (const [n, { settle }] of batch.entries()) settleWith(settle, endings[n]);
    // Before later ones.
    if (left.length > 0) waiting.set(appId, [...left, ...(waiting.get(appId) ?? [])]);
    waitingCount += left.length;
    underWay.delete(appId);
    startBatches();
  }

  return subscribe;
}

/** Items that share a key with an earlier one, in the batch or waiting, stay; in their order. */
export function takeBatch(
  queue: readonly Waiting[],
  maxBatch: number,
): { readonly batch: readonly Waiting[]; readonly rest: Waiting[] } {
  const taken = new Set<string>();
  const batch: Waiting[] = [];
  const rest: Waiting[] = [];
  for (const each of queue) {
    const keys = keysOf(each.item);
    const free = batch.length < maxBatch && !keys.some((key) => taken.has(key));
    (free ? batch : rest).push(each);
    for (const key of keys) taken.add(key);
  }
  return { batch, rest };
}

function settleWith(settle: PromiseWithResolvers<Submitted>, ending: Ending | undefined): void {
  if (ending === undefined) settle.reject(new Error('a batch has no ending for one of its items'));
  else if (ending.kind === 'failed') settle.reject(ending.error);
  else if (ending.kind === 'too-many') settle.resolve(ending);
  else if (ending.kind !== 'left') settle.resolve(ending.kind);
}
