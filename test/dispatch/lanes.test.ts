// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import type { SendBlock } from '../../engine/worker/protocol.ts';
import { buildApp, buildDelivery, buildSubscriptions, readDelivery } from '../support/builders.ts';
import {
  blockSent,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

/** As the harness has it. */
const BULK_SLOTS = 4;

describe('breaking deliveries beside bulk ones', () => {
  let test: TestDatabase;
  let bulk: AppId;
  let breaking: AppId;
  let engine: EngineHarness;
  /** Blocks in the order they began, and the ends of those that have not ended. */
  let begun: ('bulk' | 'breaking')[];
  let open: { lane: 'bulk' | 'breaking'; end: () => void }[];
  let holdBack: (lane: 'bulk' | 'breaking') => boolean;
  beforeEach(async () => {
    test = await createTestDatabase();
    bulk = (await buildApp(test.database)).id;
    await subscribe(bulk, 24);
    breaking = (await buildApp(test.database)).id;
    begun = [];
    open = [];
    holdBack = () => true;
  });
  afterEach(async () => {
    holdBack = () => false;
    for (const { end } of open.splice(0)) end();
    await engine.close(500);
    await test.drop();
  });

  const sendBlock = async (task: SendBlock) => {
    const lane = task.notification.urgency === 'high' ? 'breaking' : 'bulk';
    begun.push(lane);
    if (holdBack(lane)) await new Promise<void>((end) => open.push({ lane, end }));
    return blockSent(wantedSeqs(task), () => 'accepted');
  };
  const start = async () => {
    const { database } = test;
    engine = await startEngineHarness({
      database,
      logStore: createLogStore(),
      sender: { sendBlock },
      shardBlocks: 24,
    });
  };
  const post = async (appId: AppId, lane: 'bulk' | 'breaking'): Promise<DeliveryId> => {
    const id = await buildDelivery(test.database, appId, { lane });
    await test.database.query(`UPDATE deliveries SET urgency = $2 WHERE id = $1`, [
      id,
      lane === 'breaking' ? 'high' : 'normal',
    ]);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [id],
    );
    return id;
  };
  /** Eight in each block: lanes count blocks. */
  const subscribe = (appId: AppId, blocks: number) =>
    buildSubscriptions(test.database, appId, blocks * 8, BLOCK_SIZE / 8);
  const count = (lane: 'bulk' | 'breaking') => begun.filter((one) => one === lane).length;
  const isDone = async (id: DeliveryId) => (await readDelivery(test.database, id)).status === 'success';

  it('begin though every bulk block is stuck, and before any further bulk block', async () => {
    await subscribe(breaking, 1);
    await start();
    await post(bulk, 'bulk');
    await until('bulk to fill its slots', () => begun.length === BULK_SLOTS);
    const id = await post(breaking, 'breaking');
    await until('the breaking block', () => count('breaking') === 1);
    expect(begun).toEqual([...Array(BULK_SLOTS).fill('bulk'), 'breaking']);
    open.find(({ lane }) => lane === 'breaking')?.end();
    await until('the breaking delivery', () => isDone(id));
    expect(count('bulk')).toBe(BULK_SLOTS);
  });

  it('leave bulk a share while they last', async () => {
    await subscribe(breaking, 24);
    await start();
    await post(bulk, 'bulk');
    await until('bulk to fill its slots', () => begun.length === BULK_SLOTS);
    await post(breaking, 'breaking');
    await until('the breaking block', () => count('breaking') === 1);
    // Blocks end one by one, the oldest first; both lanes always have more.
    for (let ended = 0; ended < 16; ended++) {
      const before = begun.length;
      open.shift()?.end();
      await until('the next block', () => begun.length > before);
    }
    const later = begun.slice(BULK_SLOTS + 1);
    const bulkOnes = later.filter((lane) => lane === 'bulk').length;
    expect(bulkOnes).toBeGreaterThanOrEqual(1);
    expect(later.length - bulkOnes).toBeGreaterThan(bulkOnes);
  });
});
