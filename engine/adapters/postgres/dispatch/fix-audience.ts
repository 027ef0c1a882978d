import { type Bitmap, countBits, either, emptyBitmap, without } from '../../../contract/bitmap.ts';
import { isTest } from '../../../contract/frozen-audience.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { BlockMaps, LeasedShard } from '../../../contract/shard.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { findHeldBack, findSilent, type HeldBack } from './cap-slots.ts';
import { lockBlock, readBlockWishes } from './reader-wishes.ts';

/**
 * Writes the block's first maps, under the shard's lease: null where it is lost. With a cap, the app's or a reader's
 * own, or among the deliveries of a campaign by local time, it is a transaction that has the block of the app to itself;
 * otherwise a single statement.
 */
export async function fixAudience(
  database: Database,
  shard: LeasedShard,
  block: number,
  audience: Bitmap,
): Promise<BlockMaps | null> {
  const { appId, capRules } = shard;
  const part = shard.audience?.part;
  const campaignId = part?.kind === 'zones' ? part.campaign_id : null;
  const wishes = await readBlockWishes(database, shard, block);
  if (capRules.length + wishes.caps.length === 0 && campaignId === null)
    return insertBlock(database, shard, block, audience, findSilent(wishes, audience));
  return database.transaction(async (sql) => {
    await lockBlock(sql, shard, block);
    const others = campaignId === null ? null : await readOthers(sql, appId, block, campaignId);
    const own = others === null ? audience : without(audience, others);
    const isCapped = capRules.length + wishes.caps.length > 0;
    const heldBack = isCapped
      ? await findHeldBack(sql, appId, block, capRules, wishes, own)
      : findSilent(wishes, own);
    return insertBlock(sql, shard, block, own, heldBack);
  });
}

/** Whom the other deliveries of the campaign have in this block. The caller has the block to itself. */
async function readOthers(sql: Sql, appId: AppId, block: number, campaignId: number): Promise<Bitmap> {
  const rows = await sql.query<{ audience: Bitmap }>(
    `SELECT audience FROM blocks WHERE app_id = $1 AND block = $2
       AND delivery_id IN (SELECT id FROM deliveries WHERE campaign_id = $3)`,
    [appId, block, campaignId],
  );
  return rows.map(({ audience }) => audience).reduce(either, emptyBitmap());
}

async function insertBlock(
  sql: Sql,
  shard: LeasedShard,
  block: number,
  audience: Bitmap,
  { capped, guarded, wished }: HeldBack,
): Promise<BlockMaps | null> {
  const held = countBits(audience);
  const heldBack = countBits(capped);
  const byGuard = countBits(guarded);
  const byWish = countBits(wished);
  const [row] = await sql.query<{ accepted_before: Bitmap | null }>(insertBlockStatement, [
    shard.shardId,
    shard.epoch,
    shard.owner,
    block,
    audience,
    capped,
    held,
    heldBack,
    // A rehearsal reads the cap, so that its counts are realistic, and takes no slot; a test passes it, and takes none.
    shard.rehearsal || isTest(shard.audience) ? null : held === heldBack ? '-infinity' : 'infinity',
    byGuard === 0 ? null : guarded,
    byGuard,
    byWish === 0 ? null : wished,
    byWish,
  ]);
  if (row === undefined) return null;
  const maps = { block, audience, accepted: emptyBitmap(), settled: capped };
  return row.accepted_before === null ? maps : { ...maps, acceptedBefore: row.accepted_before };
}

// $1 shard, $2 epoch, $3 owner. FOR UPDATE: a lease taken over meanwhile makes this match no row.
const insertBlockStatement = `
  WITH lease AS (
    SELECT id, app_id, delivery_id FROM shards
    WHERE id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running' FOR UPDATE
  ), fixed AS (
    INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled, capped, slots_at, guarded, wished)
    SELECT app_id, delivery_id, $4, id, $5, decode(repeat('00', 128), 'hex'), $6::bytea,
      CASE WHEN $8 > 0 THEN $6::bytea END, $9::timestamptz, $10::bytea, $12::bytea
    FROM lease RETURNING shard_id
  )
  UPDATE shards SET audience_count = audience_count + $7, capped_count = capped_count + $8,
    guarded_count = guarded_count + $11, wished_count = wished_count + $13
  WHERE id = (SELECT shard_id FROM fixed)
  RETURNING (SELECT seqs FROM accepted_endpoints AS known WHERE known.app_id = shards.app_id AND known.block = $4) AS accepted_before`;
