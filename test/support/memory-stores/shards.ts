import { type Completed, completedStatus } from '../../../engine/contract/delivery.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { Lease } from '../../../engine/contract/shard.ts';
import { type Lane, shardTopic } from '../../../engine/contract/topics.ts';
import { addToOutbox, type ShardRow, shardsOf, type Tables } from './tables.ts';

/** As REPUBLISH_AFTER_SECONDS of the real one. */
const REPUBLISH_AFTER_MS = 120_000;

/** Puts a shard's message into the outbox, and the shard to `released`. */
export function release(tables: Tables, shard: ShardRow, changes: Partial<ShardRow> = {}): void {
  const { id, deliveryId, appId } = shard;
  const lane = tables.deliveries.get(deliveryId)?.lane ?? 'bulk';
  const dueAtMs = tables.now() + REPUBLISH_AFTER_MS;
  tables.shards.put(id, { ...shard, state: 'released', dueAtMs, ...changes });
  const value = { shard_id: id, delivery_id: deliveryId, app_id: appId };
  addToOutbox(tables, shardTopic(lane), String(id), { value });
}

/**
 * Fills a lane's window on the log: as many as are worked on now, and at least `window`. Retries go first
 * within their round, then older deliveries; the real one is fair between apps too.
 */
export function releaseShards(tables: Tables, lane: Lane, window: number): number {
  const shards = tables.shards.all().filter((shard) => isUnpaced(tables, shard, lane));
  const inState = (state: ShardRow['state']): ShardRow[] => shards.filter((shard) => shard.state === state);
  const inHand = (state: ShardRow['state']): number =>
    inState(state).filter(({ budgeted }) => !budgeted).length;
  const places = Math.max(0, Math.max(window, inHand('running')) - inHand('released'));
  const due = inState('waiting').filter(({ dueAtMs }) => (dueAtMs ?? 0) <= tables.now());
  const next = [...due, ...inState('planned')]
    .sort((one, other) => one.activityRound - other.activityRound)
    .filter((shard) => isProcessing(tables, shard))
    .slice(0, places);
  for (const shard of next) release(tables, shard);
  return next.length;
}

/** The number of a paced delivery's shards on the log or running. */
const PACED_AT_ONCE = 5;

export function releasePaced(tables: Tables): number {
  let released = 0;
  for (const delivery of tables.deliveries.all()) {
    if (delivery.status !== 'processing' || delivery.ratePerMinute === null) continue;
    const shards = shardsOf(tables, delivery.id);
    const inHand = shards.filter(({ state }) => state === 'released' || state === 'running').length;
    const due = shards.filter(({ state, dueAtMs }) => state === 'waiting' && (dueAtMs ?? 0) <= tables.now());
    for (const shard of due.slice(0, Math.max(0, PACED_AT_ONCE - inHand))) {
      const late = Math.max(shard.startsAtMs ?? 0, tables.now());
      release(tables, shard, shard.attempts === 0 ? { startsAtMs: late } : {});
      released++;
    }
  }
  return released;
}

/** As of the real one: shards of an app and lane that wait for the budget at once, on the log or running. */
const BUDGETED_AT_ONCE = 8;

export function releaseBudgeted(tables: Tables): number {
  const budgeted = () => tables.shards.all().filter((shard) => shard.budgeted && isProcessing(tables, shard));
  const isLimited = ({ appId }: ShardRow): boolean =>
    tables.standings.all().some((row) => row.appId === appId && row.endedAtMs === null);
  for (const shard of budgeted())
    if (shard.state === 'waiting' && !isLimited(shard))
      tables.shards.put(shard.id, { ...shard, budgeted: false, dueAtMs: tables.now() });
  const placeOf = ({ appId, deliveryId }: ShardRow): string =>
    `${appId}/${tables.deliveries.get(deliveryId)?.lane}`;
  const inHand = new Map<string, number>();
  const use = (place: string): number => (inHand.get(place) ?? 0) + 1;
  for (const shard of budgeted())
    if (shard.state === 'released' || shard.state === 'running')
      inHand.set(placeOf(shard), use(placeOf(shard)));
  let released = 0;
  const waiting = budgeted().filter(({ state }) => state === 'waiting');
  for (const shard of waiting.sort((one, other) => one.activityRound - other.activityRound)) {
    if (use(placeOf(shard)) > BUDGETED_AT_ONCE) continue;
    inHand.set(placeOf(shard), use(placeOf(shard)));
    release(tables, shard);
    released++;
  }
  return released;
}

function isUnpaced(tables: Tables, { deliveryId }: ShardRow, lane: Lane): boolean {
  const delivery = tables.deliveries.get(deliveryId);
  return delivery?.lane === lane && delivery.ratePerMinute === null;
}

const isProcessing = (tables: Tables, { deliveryId }: ShardRow): boolean =>
  tables.deliveries.get(deliveryId)?.status === 'processing';

/** The shard, where the lease still holds. */
export function heldShard(tables: Tables, lease: Lease): ShardRow | null {
  const shard = tables.shards.get(lease.shardId);
  const held = shard?.state === 'running' && shard.epoch === lease.epoch && shard.owner === lease.owner;
  return held ? shard : null;
}

export const isCancelled = (tables: Tables, deliveryId: DeliveryId): boolean =>
  tables.deliveries.get(deliveryId)?.status === 'cancelled';

/** The sums over a delivery's shards. */
export function sumShards(tables: Tables, deliveryId: DeliveryId) {
  const sums = { total: 0, capped: 0, accepted: 0, failed: 0 };
  for (const shard of shardsOf(tables, deliveryId)) {
    sums.total += shard.audience;
    sums.capped += shard.capped;
    sums.accepted += shard.accepted;
    sums.failed += shard.failed;
  }
  return sums;
}

export function complete(tables: Tables, deliveryId: DeliveryId): Completed {
  const delivery = tables.deliveries.get(deliveryId);
  if (delivery === undefined) throw new Error(`no delivery ${deliveryId}`);
  const sums = sumShards(tables, deliveryId);
  const status = completedStatus(sums);
  const errorMessage = topReason(shardsOf(tables, deliveryId));
  if (delivery.status === 'processing')
    tables.deliveries.put(deliveryId, { ...delivery, ...sums, status, errorMessage });
  return { status, ...sums };
}

function topReason(shards: readonly ShardRow[]): string | null {
  const none: Record<string, number> = {};
  const counts = shards.reduce((sum, { reasons }) => addReasons(sum, reasons), none);
  const [top] = Object.entries(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return top === undefined ? null : `Most failures (${top[1]}): ${top[0]}`;
}

export function addReasons(
  to: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const counts: Record<string, number> = { ...to };
  for (const [reason, count] of Object.entries(more)) counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
}
