import type { Lease, LeasedShard } from '../../../engine/contract/shard.ts';
import { createGovernors } from '../../../engine/dispatch/governor.ts';
import type { BlockStore } from '../../../engine/dispatch/ports.ts';
import { createRunBlock, type RunBlock } from '../../../engine/dispatch/run-block.ts';
import type { SendBlock } from '../../../engine/worker/protocol.ts';
import type { Process } from './process.ts';
import type { Sending } from './push-service.ts';
import { firstSeqOf, type Threads } from './worker.ts';
import type { World } from './world.ts';

/**
 * The real `runBlock`, with a note of each sending of its block: what reached a push service, whether its end
 * is in the store, and if not, why. Against these notes the promise about duplicates is held.
 */
export function createRunRecordedBlock(
  world: World,
  process: Process,
  threads: Threads,
  blocks: BlockStore,
  leaseMs: number,
): RunBlock {
  /** Each lease brings a copy of the plaintext of its own: the one thing of it that goes to the workers. */
  const shards = new WeakMap<Uint8Array, LeasedShard>();
  const latest = new Map<string, Sending>();

  async function sendBlock(task: SendBlock) {
    const shard = shards.get(task.notification.plaintext);
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

  const runBlock = createRunBlock({
    store: {
      ...blocks,
      endBlock: (lease, end, ms) =>
        noteEnd(blocks.endBlock(lease, end, ms), latest.get(keyOf(lease, end.maps.block))),
    },
    sender: { sendBlock },
    leaseMs,
    subjectOf: (site) => site,
    nowMs: world.tables.now,
    aheadMs: () => world.tables.now() - process.wallMs(),
    governors: createGovernors(process.clock.now),
    onWorkerLost: () => world.note(`${process.name} lost a worker`),
  });
  return (shard, block, before, stop, among) => {
    shards.set(shard.plaintext, shard);
    return runBlock(shard, block, before, stop, among);
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
