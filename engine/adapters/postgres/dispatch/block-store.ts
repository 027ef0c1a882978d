import pg from 'pg';
import { type Bitmap, BLOCK_SIZE, bitmapOf, bitsOf } from '../../../contract/bitmap.ts';
import type { Audience } from '../../../contract/frozen-audience.ts';
import type { AppId } from '../../../contract/ids.ts';
import type {
  BlockEnd,
  BlockMaps,
  Lease,
  LeasedShard,
  LeaseState,
  TargetsRead,
  TargetsWanted,
} from '../../../contract/shard.ts';
import { MOST_OUTPUT_UNITS } from '../../../contract/wording.ts';
import type { Database } from '../database.ts';
import { audiencePredicate, noReaches } from '../deliveries/audience.ts';
import { frozenReachesOfBlock } from '../deliveries/reaches.ts';
import { slotsAfterEnd } from './cap-slots.ts';
import { countedByService, serviceValues } from './count-services.ts';
import { firstAcceptances, leavings, recordValues } from './endpoint-record.ts';
import { fixAudience } from './fix-audience.ts';
import { readHistory } from './read-history.ts';
import type { ReplicaReads } from './read-replicas.ts';
import { readServices } from './target-facts.ts';

/** A COPY of 1,024 targets is about 350 KB; endpoints may be 2,048 characters long. */
const MAX_BLOCK_BYTES = 4 * 1_024 * 1_024;

/** Of the values of one tag in a block: each character may be written as `\u0001`. */
const MAX_TAG_BYTES = BLOCK_SIZE * MOST_OUTPUT_UNITS * 6;

/**
 * Reads targets and keeps the maps of blocks. Every write is one statement under the shard's lease.
 */
export function createBlockStore(database: Database, replicas: ReplicaReads | null = null) {
  return {
    /**
     * The subscribed targets of a block, or of the subset `among`, as binary COPY: seq, endpoint, p256dh, auth,
     * and the number of the key pair that they are bound to; with `tags` also their language and the tags' values.
     */
    readTargets: async (
      appId: AppId,
      block: number,
      { among, tags, planPosition }: TargetsWanted = {},
    ): Promise<TargetsRead> => {
      // COPY takes no parameters: integers of our own making, and quoted keys of tags.
      const statement = `COPY (SELECT seq, endpoint, p256dh, auth, vapid_key_number${readerColumns(tags)} FROM subscriptions
         WHERE app_id = ${Math.trunc(appId)} AND seq >= ${Math.trunc(block) * 1_024}
           AND seq < ${(Math.trunc(block) + 1) * 1_024} AND status = 'subscribed'${
             among === undefined ? '' : ` AND seq = ANY('{${bitsOf(among, block).join()}}'::integer[])`
           } ORDER BY seq)
         TO STDOUT (FORMAT binary)`;
      const maxBytes = MAX_BLOCK_BYTES + (tags?.length ?? 0) * MAX_TAG_BYTES;
      const copied =
        planPosition && replicas ? await replicas.copyOut(planPosition, statement, maxBytes) : null;
      return copied ?? { rows: await database.copyOut(statement, maxBytes), asOfMs: null };
    },

    /** The subscriptions of a block that are in the audience now. */
    readAudience: async (appId: AppId, block: number, audience: Audience): Promise<Bitmap> => {
      const { delivery_id: id } = audience;
      const reaches = id === undefined ? noReaches : await frozenReachesOfBlock(database, id, block);
      const { text, values } = audiencePredicate(audience, 3, reaches);
      const [row] = await database.query<{ seqs: number[] | null }>(
        `SELECT array_agg(seq) AS seqs FROM subscriptions
         WHERE app_id = $1 AND seq >= $2 AND seq < $3 AND status = 'subscribed' AND ${text}`,
        [appId, block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE, ...values],
      );
      return bitmapOf(row?.seqs ?? []);
    },

    readHistory: (appId: AppId, block: number) => readHistory(database, appId, block),

    readServices: (appId: AppId, block: number, among: Bitmap) =>
      readServices(database, appId, bitsOf(among, block)),

    /** The maps of the shard's blocks that ran before. */
    readMaps: async (lease: Lease): Promise<BlockMaps[]> => {
      const rows = await database.query<BlockMaps & { readonly acceptedBefore: Bitmap | null }>(
        `SELECT block, audience, accepted, settled, seqs AS "acceptedBefore"
         FROM blocks LEFT JOIN accepted_endpoints USING (app_id, block)
         WHERE app_id = $1 AND delivery_id = $2 AND block = ANY(
           SELECT unnest(blocks) FROM shards
           WHERE id = $3 AND lease_epoch = $4 AND lease_owner = $5 AND state = 'running')`,
        [lease.appId, lease.deliveryId, lease.shardId, lease.epoch, lease.owner],
      );
      return rows.map(({ acceptedBefore, ...maps }) =>
        acceptedBefore === null ? maps : { ...maps, acceptedBefore },
      );
    },

    /**
     * Fixes the block's audience before the first message is sent; subscribers over the cap are settled from
     * the start. Null: the lease is lost.
     */
    fixAudience: (shard: LeasedShard, block: number, audience: Bitmap): Promise<BlockMaps | null> =>
      fixAudience(database, shard, block, audience),

    /**
     * Ends an attempt at a block: maps, counters, gone subscriptions, and the outcomes for ClickHouse, all or
     * nothing. `lost`: nothing was written. Every end reports whether the delivery was cancelled, so that a
     * cancelled one stops after the running block.
     */
    endBlock: async (lease: Lease, end: BlockEnd, leaseMs: number): Promise<LeaseState> => {
      const { maps, gone, newlyKnown, invalid = [] } = end;
      const parts = { leaves: gone.length > 0 || invalid.length > 0, notes: newlyKnown !== undefined };
      const [row] = await database.query<{ cancelled: boolean }>(statementOf(parts), [
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
        ...serviceValues(end),
        notesOf(end),
        ...(parts.leaves || parts.notes ? recordValues(end, parts.leaves) : []),
      ]);
      if (row === undefined) return 'lost';
      return row.cancelled ? 'cancelled' : 'held';
    },
  };
}

/** A language and values are never null: a COPY of targets has no null in it. */
function readerColumns(tags: readonly string[] | undefined): string {
  if (tags === undefined) return '';
  const values = tags.map((tag) => `left(tags ->> ${pg.escapeLiteral(tag)}, ${MOST_OUTPUT_UNITS})`);
  return `, coalesce(language, ''), jsonb_build_array(${values.join()})::text`;
}

/** What the relay has to know of the outcomes, as JSON; null: nothing. */
const notesOf = ({ traceparent, welcome }: BlockEnd): string | null =>
  traceparent === undefined && welcome === undefined ? null : JSON.stringify({ traceparent, welcome });

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

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
      failure_reasons = CASE WHEN $11::jsonb = '{}' THEN failure_reasons ELSE ${addedReasons} END,
      ${countedByService}
    WHERE id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running'
    RETURNING id, app_id, delivery_id
  ),
  mapped AS (
    UPDATE blocks SET accepted = $6, settled = $7, waiting = $15, ${slotsAfterEnd} FROM counted
    WHERE blocks.app_id = counted.app_id AND blocks.block = $5 AND blocks.delivery_id = counted.delivery_id
    RETURNING blocks.block
  ),
  noted AS (
    INSERT INTO outbox (topic, key, packed, value)
    SELECT 'outcomes', delivery_id::text, $12::bytea, $16::jsonb FROM counted WHERE $12::bytea IS NOT NULL
  )`;

const endBlockAnswer = `SELECT deliveries.status = 'cancelled' AS cancelled
  FROM counted JOIN deliveries ON deliveries.id = counted.delivery_id`;

/** A statement for each that is needed: most blocks change no endpoint's record. */
function statementOf({ leaves, notes }: { readonly leaves: boolean; readonly notes: boolean }): string {
  if (leaves) return endBlockWithRecord;
  return notes ? endBlockWithKnown : endBlockStatement;
}

const endBlockStatement = `${endBlockParts} ${endBlockAnswer}`;
const endBlockWithKnown = `${endBlockParts}, ${firstAcceptances} ${endBlockAnswer}`;
const endBlockWithRecord = `${endBlockParts}, ${leavings} ${endBlockAnswer}`;
