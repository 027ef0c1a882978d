import {
  type Bitmap,
  BLOCK_SIZE,
  bitmapOf,
  bitsOf,
  countBits,
  either,
  emptyBitmap,
  hasBit,
  without,
} from '../../../engine/contract/bitmap.ts';
import { HISTORY_DAYS, weightAt } from '../../../engine/contract/expected-clicks.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { pushServiceOf, pushServices } from '../../../engine/contract/push-service.ts';
import type { BlockEnd, Lease, LeasedShard } from '../../../engine/contract/shard.ts';
import type { BlockStore } from '../../../engine/dispatch/ports.ts';
import { isIn } from './audience.ts';
import { findHeldBack } from './cap.ts';
import { copyOf } from './copy.ts';
import { acceptedBefore, leaveBehind, noteRecord } from './endpoint-record.ts';
import { addReasons, heldShard, isCancelled } from './shards.ts';
import {
  addToOutbox,
  type BlockRow,
  blockKey,
  type SubscriptionRow,
  subscribedOf,
  type Tables,
} from './tables.ts';

/** `engine/adapters/postgres/dispatch/block-store.ts`, for deliveries to everyone and to parts of campaigns. */
export function createMemoryBlockStore(tables: Tables): BlockStore {
  return {
    readTargets: async (appId, block, { among, tags } = {}) => ({
      rows: copyOf(
        subscribedOf(tables, appId).filter(
          ({ seq }) => Math.floor(seq / BLOCK_SIZE) === block && (among === undefined || hasBit(among, seq)),
        ),
        tags,
      ),
      asOfMs: null,
    }),

    readAudience: async (appId, block, audience) =>
      bitmapOf(
        subscribedOf(tables, appId)
          .filter((row) => Math.floor(row.seq / BLOCK_SIZE) === block && isIn(tables, audience, row))
          .map(({ seq }) => seq),
      ),

    readHistory: async (appId, block) => {
      const all = inBlock(tables, appId, block).sort(
        (a, b) => b.lastSeenAtMs - a.lastSeenAtMs || a.seq - b.seq,
      );
      const sent = sentOf(tables, appId, block);
      return {
        seqs: Uint32Array.from(all, ({ seq }) => seq),
        clicks: all.map(({ clicked }) => (clicked ? clicked.clicks * weightSince(tables, clicked.atMs) : 0)),
        sent: all.map(({ seq }) => sent.get(seq) ?? 0),
        seen: all.map(({ lastSeenAtMs }) => weightSince(tables, lastSeenAtMs)),
      };
    },

    readServices: async (appId, block, among) =>
      new Map(
        inBlock(tables, appId, block)
          .filter(({ seq }) => hasBit(among, seq))
          .map(({ seq, endpoint }) => [seq, pushServices.indexOf(pushServiceOf(new URL(endpoint).hostname))]),
      ),

    readMaps: async (lease) => {
      const blocks = heldShard(tables, lease)?.blocks ?? [];
      return blocks.flatMap((block) => {
        const row = tables.blocks.get(blockKey(lease.deliveryId, block));
        return row === undefined ? [] : [{ ...row, ...acceptedBefore(tables, lease.appId, block) }];
      });
    },

    fixAudience: async (lease, block, audience) => {
      const shard = heldShard(tables, lease);
      if (shard === null) return null;
      const { appId, deliveryId, id: shardId } = shard;
      const key = blockKey(deliveryId, block);
      if (tables.blocks.get(key) !== undefined) throw new Error(`the audience of block ${key} is fixed`);
      const own = without(audience, othersIn(tables, lease, block));
      const { capped, guarded, wished } = findHeldBack(tables, lease, block, own);
      const maps = { block, audience: own, accepted: emptyBitmap(), settled: capped };
      tables.blocks.put(key, { appId, deliveryId, shardId, ...maps, capped, acceptedAtMs: new Map() });
      tables.shards.put(shardId, {
        ...shard,
        audience: shard.audience + countBits(own),
        capped: shard.capped + countBits(capped),
        guarded: shard.guarded + countBits(guarded),
        wished: shard.wished + countBits(wished),
      });
      return { ...maps, ...acceptedBefore(tables, appId, block) };
    },

    endBlock: async (lease, end, leaseMs) => {
      const shard = heldShard(tables, lease);
      if (shard === null) return 'lost';
      tables.shards.put(shard.id, {
        ...shard,
        accepted: shard.accepted + end.newlyAccepted,
        failed: shard.failed + end.newlyFailed,
        unknown: shard.unknown + end.unknown,
        reasons: addReasons(shard.reasons, end.reasons),
        dueAtMs: tables.now() + leaseMs,
      });
      writeMaps(tables, lease, end);
      if (end.packedOutcomes !== null)
        addToOutbox(tables, 'outcomes', String(lease.deliveryId), {
          packed: end.packedOutcomes,
          ...(end.welcome === undefined ? {} : { welcome: end.welcome }),
        });
      for (const seq of end.gone) leaveBehind(tables, lease, seq, end.readAtMs);
      noteRecord(tables, lease, end);
      return isCancelled(tables, lease.deliveryId) ? 'cancelled' : 'held';
    },
  };
}

/** Whom the other deliveries of a campaign by local time have in this block. */
function othersIn(tables: Tables, { audience, deliveryId }: LeasedShard, block: number): Bitmap {
  const part = audience?.part;
  if (part?.kind !== 'zones') return emptyBitmap();
  const isOther = (row: BlockRow): boolean =>
    row.block === block &&
    row.deliveryId !== deliveryId &&
    tables.deliveries.get(row.deliveryId)?.campaign?.id === part.campaign_id;
  return tables.blocks
    .all()
    .filter(isOther)
    .map((row) => row.audience)
    .reduce(either, emptyBitmap());
}

/** Whether they are still subscribed or not. */
const inBlock = (tables: Tables, appId: AppId, block: number): SubscriptionRow[] =>
  tables.subscriptions
    .all()
    .filter((row) => row.appId === appId && Math.floor(row.seq / BLOCK_SIZE) === block);

function writeMaps(tables: Tables, { deliveryId }: Lease, { maps }: BlockEnd): void {
  const key = blockKey(deliveryId, maps.block);
  const row = tables.blocks.get(key);
  if (row === undefined) return;
  const newly = bitsOf(without(maps.accepted, row.accepted), maps.block);
  const acceptedAtMs = new Map([...row.acceptedAtMs, ...newly.map((seq) => [seq, tables.now()] as const)]);
  tables.blocks.put(key, { ...row, accepted: maps.accepted, settled: maps.settled, acceptedAtMs });
}

const DAY_MS = 86_400_000;
const weightSince = (tables: Tables, atMs: number): number => weightAt((tables.now() - atMs) / DAY_MS);

/** Notifications that were accepted for each `seq`, by age. No rehearsal is among them. */
function sentOf(tables: Tables, appId: AppId, block: number): ReadonlyMap<number, number> {
  const sent = new Map<number, number>();
  for (const row of tables.blocks.all()) {
    if (row.appId !== appId || row.block !== block || tables.deliveries.get(row.deliveryId)?.rehearsal)
      continue;
    for (const [seq, atMs] of row.acceptedAtMs)
      if (tables.now() - atMs < HISTORY_DAYS * DAY_MS)
        sent.set(seq, (sent.get(seq) ?? 0) + weightSince(tables, atMs));
  }
  return sent;
}
