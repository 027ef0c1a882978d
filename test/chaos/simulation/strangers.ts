import { BLOCK_SIZE } from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { subscriptionKey } from '../../support/memory-stores/tables.ts';
import { isStrangers, poisonedEndpointOf, SERVICES, unresolvableEndpointOf } from './push-service.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const MAX_POISONED = 40;
const MAX_UNRESOLVABLE = 12;
/** More names at once put a delivery off beyond a simulated run: each lookup takes its time. */
const NAMES = 2;

/**
 * Strangers subscribe beside one reader, in the same block: enough at the same push service for a burst of rejections,
 * and some at names that nobody made. Some of those who are there already take another endpoint.
 */
export function subscribeStrangers(world: World, appId: AppId, random: Random): void {
  const { publisher, tables } = world;
  const readers = tables.subscriptions
    .all()
    .filter((row) => row.appId === appId && !isStrangers(row.endpoint));
  if (readers.length === 0) return;
  const { seq: beside } = random.pick(readers);
  const block = beside >> 10;
  const service = beside % SERVICES;
  const status = random.pick([400, 403] as const);
  const generation = random.int(1, 1_000);
  const poisoned = (seq: number): string => poisonedEndpointOf(service, appId, seq, generation, status);
  const unresolvable = (seq: number): string =>
    unresolvableEndpointOf(random.int(1, NAMES), appId, seq, generation);

  const join = (most: number, endpointOf: (seq: number) => string): void => {
    for (let left = random.int(0, most); left > 0; left--) {
      const seq = block * BLOCK_SIZE + random.int(0, BLOCK_SIZE - 1);
      if (tables.subscriptions.get(subscriptionKey(appId, seq)) === undefined)
        publisher.subscribe(appId, seq, endpointOf(seq));
    }
  };
  join(MAX_POISONED, poisoned);
  join(random.chance(0.5) ? MAX_UNRESOLVABLE : 0, unresolvable);
  for (const row of tables.subscriptions.all()) {
    const isTheirs = row.appId === appId && isStrangers(row.endpoint);
    if (isTheirs && random.chance(0.1)) publisher.subscribe(appId, row.seq, poisoned(row.seq));
  }
  world.note(`strangers subscribe among the readers of block ${appId}/${block}`);
}
