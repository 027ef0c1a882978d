import { countBits, hasBit } from '../../../engine/contract/bitmap.ts';
import { completedStatuses, type DeliveryStatus } from '../../../engine/contract/delivery.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { type DeliveryRow, shardsOf } from '../../support/memory-stores/tables.ts';
import { checkCampaigns, neverPlanned } from './campaigns.ts';
import { checkReaders } from './check-readers.ts';
import { checkCorrections } from './corrections.ts';
import { SLOTS } from './engine.ts';
import { checkFeeds } from './feeds.ts';
import type { World } from './world.ts';

/** What must hold when all is quiet: DESIGN's promises 1 to 4 and 8, each broken one as a sentence. */
export function checkPromises(world: World): string[] {
  const broken: string[] = [...world.audit.violations];
  for (const delivery of world.tables.deliveries.all()) {
    broken.push(
      ...checkEnd(world, delivery),
      ...checkCounts(world, delivery),
      ...checkCopies(world, delivery),
    );
  }
  if (world.outcomes.conflicts.length > 0)
    broken.push(`a token came with other rows: ${world.outcomes.conflicts.join(', ')}`);
  broken.push(
    ...checkUnrecorded(world),
    ...checkActive(world),
    ...checkCap(world),
    ...checkReaders(world),
    ...checkCampaigns(world),
    ...checkFeeds(world),
    ...checkCorrections(world),
  );
  return broken;
}

export const isOver = (status: DeliveryStatus): boolean =>
  status === 'cancelled' || (completedStatuses as readonly DeliveryStatus[]).includes(status);

/** Promise 1: an accepted delivery comes to an end, and leaves nothing behind. */
function checkEnd({ tables }: World, { id, status }: DeliveryRow): string[] {
  const open = shardsOf(tables, id).filter(({ state }) => state !== 'settled' && state !== 'stopped');
  return [
    ...(isOver(status) ? [] : [`delivery ${id} is ${status} for ever`]),
    ...(open.length === 0 ? [] : [`delivery ${id} left ${open.length} shards ${open[0]?.state}`]),
  ];
}

/** Promise 2: the delivery's figures, the maps, the shards' counters and ClickHouse say the same. */
function checkCounts(world: World, delivery: DeliveryRow): string[] {
  const { id, status } = delivery;
  const blocks = world.tables.blocks.all().filter(({ deliveryId }) => deliveryId === id);
  const sum = (map: 'audience' | 'accepted' | 'settled' | 'capped'): number =>
    blocks.reduce((total, block) => total + countBits(block[map]), 0);
  const maps = {
    total: sum('audience'),
    accepted: sum('accepted'),
    settled: sum('settled'),
    capped: sum('capped'),
  };
  const failed = maps.settled - maps.accepted - maps.capped;
  const shards = shardsOf(world.tables, id);
  const counted = (of: 'accepted' | 'failed' | 'capped'): number =>
    shards.reduce((total, shard) => total + shard[of], 0);
  const clickHouse = world.outcomes.settledRows(id);
  const counts = (settled: number): number => (delivery.rehearsal ? 0 : settled);
  const broken: string[] = [];
  const same = (what: string, one: number, other: number): void => {
    if (one !== other) broken.push(`delivery ${id}: ${what}: ${one} is not ${other}`);
  };
  same('accepted by shards and by maps', counted('accepted'), maps.accepted);
  same('failed by shards and by maps', counted('failed'), failed);
  same('capped by shards and by maps', counted('capped'), maps.capped);
  same('accepted in ClickHouse and in maps', clickHouse.accepted, counts(maps.accepted));
  same('failed in ClickHouse and in maps', clickHouse.failed, counts(failed));
  if (status === 'cancelled' || neverPlanned(delivery)) return broken;
  same('settled and audience', maps.settled, maps.total);
  same(
    'total and success + failed + capped',
    delivery.total,
    delivery.accepted + delivery.failed + delivery.capped,
  );
  same('success and maps', delivery.accepted, maps.accepted);
  same('capped and maps', delivery.capped, maps.capped);
  same('failed and maps', delivery.failed, failed);
  return broken;
}

/**
 * Promise 3: a target that is accepted in the store was accepted by a push service; at most one copy of a target is
 * both known and recorded; each further copy belongs to a sending that a fault explains.
 */
function checkCopies(world: World, { id, rehearsal }: DeliveryRow): string[] {
  if (rehearsal) return checkNobodyReached(world, id);
  const sure = new Map<number, number>();
  const unsure = new Set<number>();
  for (const sending of world.sendings) {
    if (sending.deliveryId !== id) continue;
    for (const { seq, known } of sending.copies) {
      if (known && sending.state === 'recorded') sure.set(seq, (sure.get(seq) ?? 0) + 1);
      else unsure.add(seq);
    }
  }
  const broken: string[] = [];
  for (const [seq, copies] of sure)
    if (copies > 1) broken.push(`delivery ${id} served ${seq} ${copies} times`);
  for (const block of world.tables.blocks.all()) {
    if (block.deliveryId !== id) continue;
    for (let seq = block.block * 1_024; seq < (block.block + 1) * 1_024; seq++) {
      if (hasBit(block.accepted, seq) && !sure.has(seq) && !unsure.has(seq))
        broken.push(`delivery ${id} says that ${seq} was served, and no push service knows`);
      if (!hasBit(block.accepted, seq) && sure.has(seq))
        broken.push(`delivery ${id} says that ${seq} was not served, and a push service accepted it`);
    }
  }
  return broken;
}

/** A rehearsal runs everything, and reaches no one. */
function checkNobodyReached({ sendings }: World, id: DeliveryId): string[] {
  const reached = sendings.filter(({ deliveryId, copies }) => deliveryId === id && copies.length > 0);
  return reached.map(({ block }) => `rehearsal ${id} reached readers of block ${block}`);
}

/** Every sending that is not in the store has its reason, and no crash leaves more than the blocks in flight. */
function checkUnrecorded({ sendings, calm }: World): string[] {
  const lost = sendings.filter(({ state }) => state !== 'recorded');
  const crashed = new Map<string, number>();
  for (const { fate, process } of lost)
    if (fate === 'crash') crashed.set(process, (crashed.get(process) ?? 0) + 1);
  return [
    ...lost
      .filter(({ fate }) => fate === null)
      .map(
        ({ deliveryId, block }) => `block ${deliveryId}/${block} was sent and not recorded, for no reason`,
      ),
    ...(calm && lost.length > 0 ? [`${lost.length} sendings are not recorded, and nothing went wrong`] : []),
    ...[...crashed]
      .filter(([, blocks]) => blocks > SLOTS)
      .map(([process, blocks]) => `the crash of ${process} left ${blocks} blocks`),
  ];
}

/** Promise 4: within no window did anyone get more than the cap allows from deliveries that heed it. */
function checkCap({ tables }: World): string[] {
  const times = new Map<string, number[]>();
  for (const { appId, deliveryId, acceptedAtMs } of tables.blocks.all()) {
    const { ignoreCap, rehearsal } = tables.deliveries.get(deliveryId) ?? {};
    if (ignoreCap || rehearsal || tables.caps.get(appId) === undefined) continue;
    for (const [seq, atMs] of acceptedAtMs) {
      const key = `${appId}/${seq}`;
      times.set(key, [...(times.get(key) ?? []), atMs]);
    }
  }
  return [...times].flatMap(([key, all]) => {
    const cap = tables.caps.get(Number(key.split('/')[0]) as AppId);
    const windowMs = (cap?.windowMinutes ?? 0) * 60_000;
    const within = all.map((end) => all.filter((at) => at <= end && at > end - windowMs).length);
    const most = Math.max(...within);
    return most > (cap?.maxNotifications ?? 0)
      ? [`subscriber ${key} got ${most} within the cap's window`]
      : [];
  });
}

/** The count of active subscribers is the count of those subscribed. */
function checkActive({ tables }: World): string[] {
  const counts = new Map<number, number>();
  for (const { appId, subscribed } of tables.subscriptions.all())
    counts.set(appId, (counts.get(appId) ?? 0) + (subscribed ? 1 : 0));
  return [...counts]
    .filter(([appId, count]) => tables.active.get(appId as AppId) !== count)
    .map(([appId]) => `app ${appId} miscounts its subscribers`);
}
