import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import { outcomeCode } from '../../engine/contract/outcome.ts';
import type { BlockOutcomes } from '../../engine/contract/packed-outcomes.ts';

/** The first targets of a block, all accepted by FCM. */
export function buildBlockOutcomes(given: {
  readonly appId?: number;
  readonly deliveryId?: number;
  readonly block?: number;
  readonly targets?: number;
}): BlockOutcomes {
  const { appId = 1, deliveryId = 1, block = 0, targets = 4 } = given;
  return {
    appId,
    deliveryId,
    block,
    attempt: 1,
    atMs: Date.UTC(2026, 0, 15, 12),
    seqs: Uint32Array.from({ length: targets }, (_, index) => block * BLOCK_SIZE + index),
    outcomes: new Uint8Array(targets).fill(outcomeCode.accepted),
    failures: new Uint8Array(targets),
    statuses: new Uint16Array(targets).fill(201),
    services: new Uint8Array(targets).fill(1),
    latenciesMs: Uint16Array.from({ length: targets }, (_, index) => 20 + (index % 200)),
  };
}
