import { bitsOf, without } from '../../../engine/contract/bitmap.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { Outcome } from '../../../engine/contract/outcome.ts';
import { STRIKES_TO_RETIRE } from '../../../engine/contract/shard.ts';
import {
  type BlockRow,
  type DeliveryRow,
  type SubscriptionRow,
  subscriptionKey,
} from '../../support/memory-stores/tables.ts';
import { isHopeless, MAX_ATTEMPTS } from './engine.ts';
import { hasNoText } from './odd-readers.ts';
import { isStrangers } from './push-service.ts';
import { LASTING_TTL_SECONDS } from './times.ts';
import type { World } from './world.ts';

/**
 * Promise 8: answers of others' endpoints settle and unsubscribe no reader. A reader failed, or is gone, for an
 * answer to a message of their own, for having moved, or after as many attempts as every target gets.
 */
export function checkReaders(world: World): string[] {
  const answers = answersOf(world);
  const { deliveries, blocks, subscriptions } = world.tables;
  const lasting = new Set(
    deliveries
      .all()
      .filter(isLasting)
      .map(({ id }) => id),
  );
  return [
    ...blocks
      .all()
      .filter(({ deliveryId }) => lasting.has(deliveryId))
      .flatMap((block) => checkBlock(world, block, answers)),
    ...subscriptions.all().flatMap((row) => checkSubscribed(world, row, answers)),
  ];
}

/** What each subscriber was answered, by delivery: an answer for each time that it was asked. */
type Answers = ReadonlyMap<string, readonly { readonly deliveryId: DeliveryId; readonly outcome: Outcome }[]>;

function answersOf({ sendings, tables }: World): Answers {
  const all = sendings.flatMap(({ deliveryId, asked }) => {
    const appId = tables.deliveries.get(deliveryId)?.appId;
    if (appId === undefined) return [];
    return [...asked].map(([seq, outcome]) => ({ key: subscriptionKey(appId, seq), deliveryId, outcome }));
  });
  return Map.groupBy(all, ({ key }) => key);
}

/** Everybody is served there before its time is over. */
const isLasting = ({ status, rehearsal, ttlSeconds, expiresAtMs }: DeliveryRow): boolean =>
  status !== 'cancelled' && !rehearsal && ttlSeconds >= LASTING_TTL_SECONDS && expiresAtMs === null;

function checkBlock(world: World, row: BlockRow, answers: Answers): string[] {
  const { appId, deliveryId, block, shardId } = row;
  const { attempts = 0, lostLeases = 0, blocks = [block] } = world.tables.shards.get(shardId) ?? {};
  if (isHopeless(lostLeases)) return [];
  // What threw counts as an attempt of all that its shard has left.
  const hasThrown =
    blocks.some((each) => world.threw.has(`${deliveryId}/${each}`)) && attempts - lostLeases >= MAX_ATTEMPTS;
  const wording = world.tables.deliveries.get(deliveryId)?.wording ?? null;
  const failed = bitsOf(without(without(row.settled, row.accepted), row.capped), block);
  return failed.flatMap((seq) => {
    const key = subscriptionKey(appId, seq);
    const reader = world.tables.subscriptions.get(key);
    if (reader === undefined || !reader.subscribed || isStrangers(reader.endpoint)) return [];
    const own = (answers.get(key) ?? []).filter((answer) => answer.deliveryId === deliveryId);
    const refused = own.some(({ outcome }) => outcome === 'rejected' || outcome === 'gone');
    if (refused || hasThrown || own.length >= MAX_ATTEMPTS || world.moved.has(key)) return [];
    if (world.services.wasDown(reader.endpoint) || hasNoText(wording, reader)) return [];
    return [
      `delivery ${deliveryId} failed reader ${seq}, who was asked ${own.length} times and refused nothing`,
    ];
  });
}

function checkSubscribed(world: World, row: SubscriptionRow, answers: Answers): string[] {
  const key = subscriptionKey(row.appId, row.seq);
  if (row.subscribed || isStrangers(row.endpoint) || world.moved.has(key)) return [];
  const own = answers.get(key) ?? [];
  const rejecting = new Set(
    own.flatMap(({ deliveryId, outcome }) => (outcome === 'rejected' ? deliveryId : [])),
  );
  if (own.some(({ outcome }) => outcome === 'gone') || rejecting.size >= STRIKES_TO_RETIRE) return [];
  return [`reader ${key} was unsubscribed, and refused ${rejecting.size} deliveries`];
}
