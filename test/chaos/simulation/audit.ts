import { completedStatuses } from '../../../engine/contract/delivery.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { BlockMaps, Lease } from '../../../engine/contract/shard.ts';
import type { BlockRow, DeliveryRow, ShardRow, Tables } from '../../support/memory-stores/tables.ts';

/**
 * Invariants of every step, for every writer: settled bits stay settled, epochs only grow, a fixed audience
 * stays, a completed delivery keeps its figures, and a write without the lease changes nothing.
 */
export interface Audit {
  /** Around one call of a store. */
  observe(method: string, args: readonly unknown[]): () => void;
  readonly violations: readonly string[];
}

export function createAudit(tables: Tables): Audit {
  const violations: string[] = [];
  const shards = new Map<number, ShardRow>();
  const blocks = new Map<string, BlockRow>();
  const deliveries = new Map<DeliveryId, DeliveryRow>();
  let seenWrites = -1;
  const blame = (text: string): void => void violations.push(text);

  function checkShard(now: ShardRow): void {
    const before = shards.get(now.id);
    if (before === now) return;
    if (before !== undefined && now.epoch < before.epoch) blame(`the epoch of shard ${now.id} fell`);
    const ended = before?.state === 'settled' || before?.state === 'stopped';
    if (ended && now.state !== before?.state) blame(`shard ${now.id} rose from its ${before?.state} state`);
    shards.set(now.id, now);
  }

  function checkBlock(now: BlockRow): void {
    const key = `${now.deliveryId}/${now.block}`;
    const before = blocks.get(key);
    if (before === now) return;
    if (!isWithin(now.accepted, now.settled)) blame(`block ${key}: accepted but not settled`);
    if (!isWithin(now.settled, now.audience)) blame(`block ${key}: settled outside its audience`);
    if (before !== undefined) {
      if (!isWithin(before.settled, now.settled)) blame(`block ${key}: a settled bit was unsettled`);
      if (!isWithin(before.accepted, now.accepted)) blame(`block ${key}: an accepted bit was taken back`);
      if (!isWithin(now.audience, before.audience)) blame(`block ${key}: its fixed audience grew`);
    }
    blocks.set(key, now);
  }

  function checkDelivery(now: DeliveryRow): void {
    const before = deliveries.get(now.id);
    if (before === now) return;
    const isOver = (completedStatuses as readonly string[]).includes(before?.status ?? '');
    if (isOver && figuresOf(now) !== figuresOf(before))
      blame(`delivery ${now.id} changed after it completed`);
    if (before?.status === 'cancelled' && now.status !== 'cancelled')
      blame(`delivery ${now.id} came back from its cancel`);
    deliveries.set(now.id, now);
  }

  function checkAll(): void {
    if (tables.writes() === seenWrites) return;
    seenWrites = tables.writes();
    for (const shard of tables.shards.all()) checkShard(shard);
    for (const block of tables.blocks.all()) checkBlock(block);
    for (const delivery of tables.deliveries.all()) checkDelivery(delivery);
  }

  return {
    violations,
    observe: (method, args) => {
      const isForeign = isLease(args[0]) && !isHeld(tables, args[0]);
      const before = tables.writes();
      return () => {
        if (isForeign && tables.writes() !== before) blame(`${method} wrote under a lease that was lost`);
        checkAll();
      };
    },
  };
}

const figuresOf = (row: DeliveryRow | undefined): string =>
  row === undefined ? '' : [row.status, row.total, row.capped, row.accepted, row.failed].join();

const isLease = (value: unknown): value is Lease =>
  typeof value === 'object' && value !== null && 'epoch' in value && 'shardId' in value;

/** Of its own, not the stores': it must not depend on what it guards. */
function isHeld(tables: Tables, lease: Lease): boolean {
  const shard = tables.shards.get(lease.shardId);
  return shard?.epoch === lease.epoch && shard.owner === lease.owner && shard.state === 'running';
}

/** Whether every bit of `inner` is one of `outer`. */
export function isWithin(inner: BlockMaps['settled'], outer: BlockMaps['settled']): boolean {
  for (let index = 0; index < inner.length; index++)
    if (((inner[index] ?? 0) & ~(outer[index] ?? 0)) !== 0) return false;
  return true;
}
