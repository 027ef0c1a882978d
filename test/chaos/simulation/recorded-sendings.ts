import type { Lease, LeasedShard } from '../../../engine/contract/shard.ts';
import type { BlockSender, ShardStore } from '../../../engine/dispatch/ports.ts';
import type { DispatchTraces } from '../../../engine/dispatch/traces.ts';
import type { SendBlock } from '../../../engine/worker/protocol.ts';
import type { Process } from './process.ts';
import type { Sending } from './push-service.ts';
import { firstSeqOf, type Threads } from './worker.ts';
import type { World } from './world.ts';

/**
 * A note of each sending of a block: what reached a push service, whether its end is in the store, and if not,
 * why. Against these notes the promise about duplicates is held.
 */
export interface RecordedSendings {
  readonly sender: BlockSender;
  /** Remembers each lease: of a shard, its plaintext alone goes to the workers. */
  shards(store: ShardStore): ShardStore;
  ends: DispatchTraces['ends'];
}

export function createRecordedSendings(world: World, process: Process, threads: Threads): RecordedSendings {
  /** Each lease brings a copy of the plaintext of its own. */
  const leased = new WeakMap<Uint8Array, LeasedShard>();
  const latest = new Map<string, Sending>();

  async function sendBlock(task: SendBlock) {
    const shard = leased.get(task.notification.plaintext);
    if (shard === undefined) throw new Error('a block of no lease is sent');
    const block = firstSeqOf(task) >> 10;
    const sending = newSending(process, shard, block);
    latest.set(keyOf(shard, block), sending);
    world.sendings.push(sending);
    world.note(`${process.name} sends block ${shard.deliveryId}/${block}, attempt ${shard.attempt}`);
    const sent = await threads.sendBlock(task, sending);
    sending.state = 'answered';
    return world.broken?.sent?.(sent) ?? sent;
  }

  return {
    sender: { sendBlock },
    shards: (store) => ({
      ...store,
      lease: async (shardId, owner, leaseMs) => {
        const shard = await store.lease(shardId, owner, leaseMs);
        if (shard !== null) leased.set(shard.plaintext, shard);
        return shard;
      },
    }),
    ends: (store) => ({
      ...store,
      endBlock: (lease, end, leaseMs) =>
        noteEnd(store.endBlock(lease, end, leaseMs), latest.get(keyOf(lease, end.maps.block))),
    }),
  };
}

const keyOf = ({ shardId, epoch }: Lease, block: number): string => `${shardId}/${epoch}/${block}`;

function newSending(process: Process, { deliveryId }: LeasedShard, block: number): Sending {
  return {
    process: process.name,
    deliveryId,
    block,
    state: 'sending',
    fate: null,
    copies: [],
    asked: new Map(),
  };
}

/** An end whose answer was lost may be recorded or not: only the store knows, and the books are compared there. */
async function noteEnd<Answer>(end: Promise<Answer>, sending: Sending | undefined): Promise<Answer> {
  const isOf = sending?.state === 'answered' ? sending : null;
  try {
    const answer = await end;
    if (isOf !== null && answer === 'lost') isOf.fate = 'lease';
    else if (isOf !== null) isOf.state = 'recorded';
    return answer;
  } catch (error) {
    if (isOf !== null) isOf.fate = 'store';
    throw error;
  }
}
