import { type Bitmap, countBits, emptyBitmap, without } from '../contract/bitmap.ts';
import { copiedSeqs } from '../contract/copied-seqs.ts';
import type { BlockEnd, BlockMaps, LeasedShard } from '../contract/shard.ts';
import type { BlockSent, SendBlock } from '../worker/protocol.ts';
import { endOfSending, endWithoutSending, unsettledOf } from './end-block.ts';
import type { BlockSender, BlockStore } from './ports.ts';

export type BlockEnding =
  | {
      readonly kind: 'ended';
      readonly maps: BlockMaps;
      readonly sent: BlockSent | null;
      readonly retryAfterMs: number;
      /** The delivery was cancelled meanwhile: no further block is wanted. */
      readonly cancelled: boolean;
    }
  /** The shard belongs to somebody else by now; nothing was written. */
  | { readonly kind: 'lease-lost' }
  /** The block's thread died more often than is tried here; what it sent is unknown. */
  | { readonly kind: 'worker-lost' };

export interface RunBlockDeps {
  readonly store: BlockStore;
  readonly sender: BlockSender;
  readonly leaseMs: number;
  /** A mailto: or https: URL of the operator; null: each app's own site. */
  readonly vapidSubject: string | null;
  readonly nowMs: () => number;
  readonly onWorkerLost: (error: unknown) => void;
}

export type RunBlock = (
  shard: LeasedShard,
  block: number,
  before: BlockMaps | null,
  stop: Int32Array<SharedArrayBuffer>,
) => Promise<BlockEnding>;

/** A thread that dies takes its block along; each repetition may send up to a block's targets twice. */
const MAX_WORKER_LOSSES = 2;

const leaseLost: BlockEnding = { kind: 'lease-lost' };

/** One attempt at one block: read its targets, fix its audience, send, and end it in one transaction. */
export function createRunBlock(deps: RunBlockDeps): RunBlock {
  const { store } = deps;

  return async function runBlock(shard, block, before, stop) {
    for (let losses = 0; ; losses++) {
      const readAtMs = deps.nowMs();
      const targets = await readTargets(store, shard, block, before);
      const present = copiedSeqs(targets);
      const maps = before ?? newMaps(block, present);
      if (before === null && !(await store.fixAudience(shard, block, maps.audience))) return leaseLost;
      before = maps;
      const current = await endTheMissing(shard, maps, present);
      if (current === null) return leaseLost;
      const wanted = unsettledOf(current);
      if (countBits(wanted) === 0) return nothingLeft(current);
      const sent = await send(shard, targets, wanted, stop);
      if (sent === 'worker-lost') {
        before = current;
        if (losses < MAX_WORKER_LOSSES) continue;
        return { kind: 'worker-lost' };
      }
      const end = endOfSending(shard, current, sent, readAtMs, deps.nowMs());
      const lease = await store.endBlock(shard, end, deps.leaseMs);
      if (lease === 'lost') return leaseLost;
      const retryAfterMs = longest(sent.retryAfterMs);
      return { kind: 'ended', maps: end.maps, sent, retryAfterMs, cancelled: lease === 'cancelled' };
    }
  };

  /** Who was in the audience when it was fixed and has left since gets nothing, and counts as failed. */
  async function endTheMissing(
    shard: LeasedShard,
    maps: BlockMaps,
    present: Bitmap,
  ): Promise<BlockMaps | null> {
    const missing = without(unsettledOf(maps), present);
    if (countBits(missing) === 0) return maps;
    const end: BlockEnd = endWithoutSending(
      shard,
      maps,
      missing,
      'gone',
      'unsubscribed meanwhile',
      deps.nowMs(),
    );
    return (await store.endBlock(shard, end, deps.leaseMs)) === 'lost' ? null : end.maps;
  }

  async function send(
    shard: LeasedShard,
    targets: Uint8Array<ArrayBuffer>,
    wanted: Bitmap,
    stop: Int32Array<SharedArrayBuffer>,
  ): Promise<BlockSent | 'worker-lost'> {
    try {
      const notification = notificationOf(shard, deps.nowMs());
      return await deps.sender.sendBlock({
        ...taskOf(shard, deps.vapidSubject),
        targets,
        wanted,
        notification,
        stop,
      });
    } catch (error) {
      if ((error as Error).name !== 'WorkerLost') throw error;
      deps.onWorkerLost(error);
      return 'worker-lost';
    }
  }
}

/** Fixes a block's audience without sending to it. Null: the lease is lost. */
export async function fixBlock(
  store: BlockStore,
  shard: LeasedShard,
  block: number,
): Promise<BlockMaps | null> {
  const maps = newMaps(block, copiedSeqs(await readTargets(store, shard, block, null)));
  return (await store.fixAudience(shard, block, maps.audience)) ? maps : null;
}

/**
 * To everyone: whoever is subscribed. Else those the audience names when the block first runs, and later
 * those of its fixed audience that are not settled: what they become meanwhile changes nothing.
 */
async function readTargets(
  store: BlockStore,
  shard: LeasedShard,
  block: number,
  before: BlockMaps | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const { appId, audience } = shard;
  if (audience === null) return store.readTargets(appId, block);
  const among = before === null ? await store.readAudience(appId, block, audience) : unsettledOf(before);
  return store.readTargets(appId, block, among);
}

function newMaps(block: number, audience: Bitmap): BlockMaps {
  return { block, audience, accepted: emptyBitmap(), settled: emptyBitmap() };
}

const nothingLeft = (maps: BlockMaps): BlockEnding => ({
  kind: 'ended',
  maps,
  sent: null,
  retryAfterMs: 0,
  cancelled: false,
});

/** A push service keeps a message no longer than its delivery is wanted. */
function notificationOf(shard: LeasedShard, nowMs: number): SendBlock['notification'] {
  const { plaintext, ttlSeconds, urgency, topic, expiresAtMs } = shard;
  const leftSeconds =
    expiresAtMs === null ? ttlSeconds : Math.max(0, Math.floor((expiresAtMs - nowMs) / 1_000));
  return { plaintext, ttlSeconds: Math.min(ttlSeconds, leftSeconds), urgency, topic };
}

function taskOf(
  shard: LeasedShard,
  subject: string | null,
): Pick<SendBlock, 'kind' | 'vapid' | 'notAfterMs'> {
  return {
    kind: 'send-block',
    vapid: {
      publicKey: shard.vapidPublicKey,
      privateKey: shard.vapidPrivateKey,
      subject: subject ?? shard.siteDomain,
    },
    notAfterMs: shard.expiresAtMs,
  };
}

function longest(retryAfterMs: BlockSent['retryAfterMs']): number {
  return Math.max(0, ...Object.values(retryAfterMs));
}
