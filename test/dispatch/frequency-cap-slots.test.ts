// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { lockBlock } from '../../engine/adapters/postgres/dispatch/reader-wishes.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { type Bitmap, bitmapOf, bitsOf, countBits } from '../../engine/contract/bitmap.ts';
import type { AppId, ShardId } from '../../engine/contract/ids.ts';
import type { LeasedShard } from '../../engine/contract/shard.ts';
import { buildApp, buildDelivery, testSealer } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const LEASE_MS = 60_000;
const SEQS = Array.from({ length: 100 }, (_, seq) => seq);
const everyone = bitmapOf(SEQS);

describe('the slots of a block', () => {
  let test: TestDatabase;
  let appId: AppId;
  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database)).id;
  });
  afterEach(() => test.drop());

  const setCap = (max: number | null) =>
    test.database.query(
      `UPDATE apps SET frequency_cap_window_minutes = 60, frequency_cap_max_notifications = $2 WHERE id = $1`,
      [appId, max],
    );
  const lease = async (): Promise<LeasedShard> => {
    const deliveryId = await buildDelivery(test.database, appId);
    const [shard] = await test.database.query<{ id: ShardId }>(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state)
       VALUES ($1, $2, 0, '{0}', 100, 'released') RETURNING id`,
      [deliveryId, appId],
    );
    const leased =
      shard && (await createShardStore(test.database, testSealer).lease(shard.id, 'engine', LEASE_MS));
    if (!leased) throw new Error('the shard was not leased');
    return leased;
  };
  const fix = async (shard: LeasedShard, database: Database = test.database) => {
    const maps = await createBlockStore(database).fixAudience(shard, 0, everyone);
    if (maps === null) throw new Error('the lease was lost');
    return maps;
  };
  const end = (shard: LeasedShard, accepted: Bitmap, newlyAccepted: number) =>
    createBlockStore(test.database).endBlock(
      shard,
      {
        maps: { block: 0, audience: everyone, accepted, settled: accepted },
        ...{
          newlyAccepted,
          newlyFailed: 0,
          unknown: 0,
          gone: [],
          readAtMs: 0,
          reasons: {},
          packedOutcomes: null,
        },
      },
      LEASE_MS,
    );
  const passMinutes = (minutes: number) =>
    test.database.query(
      `UPDATE blocks SET slots_at = slots_at - make_interval(mins => $1),
         accepted_at = ARRAY(SELECT at - make_interval(mins => $1) FROM unnest(accepted_at) AS at)`,
      [minutes],
    );

  it('are not read where the app has no cap: one statement, no transaction', async () => {
    const { query } = test.database;
    let statements = 0;
    const counting: Database = {
      ...test.database,
      query: (text, values) => {
        statements++;
        return query(text, values);
      },
      transaction: () => Promise.reject(new Error('a transaction was begun')),
    };
    await fix(await lease(), counting);
    expect(statements).toBe(1);
    await setCap(1);
    await expect(fix(await lease(), counting)).rejects.toThrow('a transaction');
  });

  it('are kept from others for less silence than another transaction may have', async () => {
    const readLimit = async (sql: Sql): Promise<string> => {
      const [row] = await sql.query<{ limit: string }>(
        `SELECT current_setting('idle_in_transaction_session_timeout') AS limit`,
      );
      return row?.limit ?? '';
    };
    await test.database.transaction(async (sql) => {
      await lockBlock(sql, { appId }, 0);
      expect(await readLimit(sql)).toBe('10s');
    });
    expect(await readLimit(test.database)).toBe('30s');
  });

  it('are counted from a history that began before the app had a cap', async () => {
    const before = await lease();
    await fix(before);
    await end(before, everyone, SEQS.length);
    await setCap(1);
    expect(countBits((await fix(await lease())).settled)).toBe(SEQS.length);
  });

  it('name the capped subscribers in the shard and in the block', async () => {
    await setCap(1);
    const first = await lease();
    await fix(first);
    await end(first, bitmapOf([1, 5]), 2);
    await createShardStore(test.database, testSealer).stop(first);
    const { settled } = await fix(await lease());
    expect(bitsOf(settled, 0)).toEqual([1, 5]);
    const [row] = await test.database.query<{ capped: Buffer; capped_count: number; audience_count: number }>(
      `SELECT capped, capped_count, audience_count FROM blocks JOIN shards ON shards.id = shard_id ORDER BY id DESC`,
    );
    expect(row).toMatchObject({ capped_count: 2, audience_count: SEQS.length });
    expect(bitsOf(row?.capped ?? everyone, 0)).toEqual([1, 5]);
  });

  it('count from each attempt that was accepted, and of too many attempts the latest count longer, not shorter', async () => {
    const shard = await lease();
    await fix(shard);
    for (const seq of SEQS.slice(0, 80)) {
      await passMinutes(1);
      expect(await end(shard, bitmapOf(SEQS.slice(0, seq + 1)), 1)).toBe('held');
    }
    await end(shard, everyone, SEQS.length - 80);
    const [row] = await test.database.query<{ times: number }>(
      'SELECT cardinality(accepted_at) AS times FROM blocks',
    );
    expect(row?.times).toBe(64);
    await setCap(1);
    // Number n was accepted 79 - n minutes ago; from the 64th time on all of them count from the last.
    const counting = async () => bitsOf((await fix(await lease())).settled, 0);
    const reserved = () => test.database.query(`DELETE FROM blocks WHERE slots_at = 'infinity'`);
    expect(await counting()).toEqual(SEQS.slice(20));
    await reserved();
    await passMinutes(10);
    expect(await counting()).toEqual(SEQS.slice(30));
    await reserved();
    await passMinutes(49);
    expect(await counting()).toEqual(SEQS.slice(63));
    await reserved();
    await passMinutes(1);
    expect(await counting()).toEqual([]);
  });
});
