import type { Audience } from '../../contract/audience.ts';
import { type Bitmap, BLOCK_SIZE, bitmapOf, bitsOf, countBits } from '../../contract/bitmap.ts';
import type { AppId } from '../../contract/ids.ts';
import type { BlockEnd, BlockMaps, Lease, LeaseState } from '../../contract/shard.ts';
import { audiencePredicate } from './audience.ts';
import type { Database } from './database.ts';

/** A COPY of 1,024 targets is about 350 KB; endpoints may be 2,048 characters long. */
const MAX_BLOCK_BYTES = 4 * 1_024 * 1_024;

/** Reads targets and keeps the maps of blocks. Every write is one statement under the shard's lease. */
export function createBlockStore(database: Database) {
  return {
    /** The subscribed targets of a block, or those `among` a few, as binary COPY: seq, endpoint, p256dh, auth. */
    readTargets: (appId: AppId, block: number, among?: Bitmap): Promise<Uint8Array<ArrayBuffer>> =>
      database.copyOut(
        // COPY takes no parameters; all of these are integers of our own making.
        `COPY (SELECT seq, endpoint, p256dh, auth FROM subscriptions
         WHERE app_id = ${Math.trunc(appId)} AND seq >= ${Math.trunc(block) * 1_024}
           AND seq < ${(Math.trunc(block) + 1) * 1_024} AND status = 'subscribed'${
             among === undefined ? '' : ` AND seq = ANY('{${bitsOf(among, block).join()}}'::integer[])`
           } ORDER BY seq)
         TO STDOUT (FORMAT binary)`,
        MAX_BLOCK_BYTES,
      ),

    /** Who of a block is in the audience now. */
    readAudience: async (appId: AppId, block: number, audience: Audience): Promise<Bitmap> => {
      const { text, values } = audiencePredicate(audience, 3);
      const [row] = await database.query<{ seqs: number[] | null }>(
        `SELECT array_agg(seq) AS seqs FROM subscriptions
         WHERE app_id = $1 AND seq >= $2 AND seq < $3 AND status = 'subscribed' AND ${text}`,
        [appId, block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE, ...values],
      );
      return bitmapOf(row?.seqs ?? []);
    },

    /** The maps of the shard's blocks that ran before. */
    readMaps: (lease: Lease): Promise<BlockMaps[]> =>
      database.query<BlockMaps>(
        `SELECT block, audience, accepted, settled FROM blocks WHERE app_id = $1 AND delivery_id = $2
           AND block = ANY(SELECT unnest(blocks) FROM shards WHERE id = $3)`,
        [lease.appId, lease.deliveryId, lease.shardId],
      ),

    /** Fixes who is in the block's audience, before the first of them is sent to. False: the lease is lost. */
    fixAudience: async (lease: Lease, block: number, audience: Uint8Array): Promise<boolean> => {
      const rows = await database.query(fixAudienceStatement, [
        lease.shardId,
        lease.epoch,
        lease.owner,
        block,
        Buffer.from(audience.buffer, audience.byteOffset, audience.byteLength),
        countBits(audience),
      ]);
      return rows.length === 1;
    },

    /**
     * Ends an attempt at a block: maps, counters, subscriptions that are gone, and the outcomes for
     * ClickHouse, all or nothing. `lost`: nothing was written. Every end tells whether the delivery is still
     * wanted, so that a cancelled one stops after the block in hand.
     */
    endBlock: async (lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState> => {
      const { maps } = end;
      const [row] = await database.query<{ cancelled: boolean }>(
        end.gone.length === 0 ? endBlockStatement : endBlockWithGoneStatement,
        [
          lease.shardId,
          lease.epoch,
          lease.owner,
          leaseMs,
          maps.block,
          asBuffer(maps.accepted),
          asBuffer(maps.settled),
          end.newlyAccepted,
          end.newlyFailed,
          end.unknown,
          JSON.stringify(end.reasons),
          end.packedOutcomes === null ? null : asBuffer(end.packedOutcomes),
          ...(end.gone.length === 0 ? [] : [end.gone, end.readAtMs]),
        ],
      );
      if (row === undefined) return 'lost';
      return row.cancelled ? 'cancelled' : 'held';
    },
  };
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// $1 shard, $2 epoch, $3 owner. FOR UPDATE: a lease taken over meanwhile makes this match no row.
const leaseHeld = `SELECT id, app_id, delivery_id FROM shards
  WHERE id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running' FOR UPDATE`;

const fixAudienceStatement = `
  WITH lease AS (${leaseHeld}),
  fixed AS (
    INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled)
    SELECT app_id, delivery_id, $4, id, $5, decode(repeat('00', 128), 'hex'), decode(repeat('00', 128), 'hex')
    FROM lease RETURNING shard_id
  )
  UPDATE shards SET audience_count = audience_count + $6
  WHERE id = (SELECT shard_id FROM fixed) RETURNING id`;

// The reasons of the shard and of this block are added up by key.
const addedReasons = `(
  SELECT coalesce(jsonb_object_agg(key, total), '{}') FROM (
    SELECT key, sum(value::int) AS total
    FROM (SELECT * FROM jsonb_each_text(shards.failure_reasons) UNION ALL SELECT * FROM jsonb_each_text($11::jsonb)) AS counts
    GROUP BY key ORDER BY total DESC, key LIMIT 8
  ) AS most
)`;

const endBlockParts = `
  WITH counted AS (
    UPDATE shards SET accepted_count = accepted_count + $8, failed_count = failed_count + $9,
      unknown_count = unknown_count + $10, due_at = now() + make_interval(secs => $4 / 1000.0),
      failure_reasons = CASE WHEN $11::jsonb = '{}' THEN failure_reasons ELSE ${addedReasons} END
    WHERE id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running'
    RETURNING id, app_id, delivery_id
  ),
  mapped AS (
    UPDATE blocks SET accepted = $6, settled = $7 FROM counted
    WHERE blocks.app_id = counted.app_id AND blocks.block = $5 AND blocks.delivery_id = counted.delivery_id
    RETURNING blocks.block
  ),
  noted AS (
    INSERT INTO outbox (topic, key, packed)
    SELECT 'outcomes', delivery_id::text, $12::bytea FROM counted WHERE $12::bytea IS NOT NULL
  )`;

const endBlockAnswer = `SELECT deliveries.status = 'cancelled' AS cancelled
  FROM counted JOIN deliveries ON deliveries.id = counted.delivery_id`;

const endBlockStatement = `${endBlockParts} ${endBlockAnswer}`;

const endBlockWithGoneStatement = `${endBlockParts},
  left_behind AS (
    UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() FROM counted
    WHERE subscriptions.app_id = counted.app_id AND subscriptions.seq = ANY($13::integer[])
      AND subscriptions.status = 'subscribed' AND subscriptions.last_seen_at <= to_timestamp($14 / 1000.0)
    RETURNING subscriptions.app_id
  ),
  fewer AS (
    UPDATE apps SET active_subscriber_count = active_subscriber_count - (SELECT count(*) FROM left_behind)::int
    WHERE id = (SELECT app_id FROM left_behind LIMIT 1)
  )
  ${endBlockAnswer}`;
