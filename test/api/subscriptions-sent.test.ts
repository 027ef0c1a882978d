import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSentCounts } from '../../engine/adapters/postgres/block-counts.ts';
import { createBlockStore } from '../../engine/adapters/postgres/block-store.ts';
import { createPlanStore } from '../../engine/adapters/postgres/plan-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/shard-store.ts';
import { countBits, emptyBitmap, setBit } from '../../engine/contract/bitmap.ts';
import { copiedSeqs } from '../../engine/contract/copied-seqs.ts';
import type { DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { LeasedShard } from '../../engine/contract/shard.ts';
import { packShards } from '../../engine/plan/pack-shards.ts';
import { type BuiltApp, buildApp, buildDelivery, testSealer } from '../support/builders.ts';
import { callAs, createMember, createTestApi, type TestApi } from './support.ts';

const LEASE_MS = 30_000;
const SUBSCRIBERS = 1_500;

describe('notifications_sent', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database, { subscribers: SUBSCRIBERS });
    call = callAs(api.app, await createMember(api.database, { organizationId: app.organizationId }));
  });
  afterEach(() => api.close());

  const shards = () => createShardStore(api.database, testSealer);

  /** A delivery that is planned into a shard a block, all of them released. */
  const newDelivery = async (): Promise<DeliveryId> => {
    const id = await buildDelivery(api.database, app.id);
    await createPlanStore(api.database).plan(id, (counts) => packShards(counts, 1), 10);
    return id;
  };

  const leaseAll = async (id: DeliveryId): Promise<LeasedShard[]> => {
    const rows = await api.database.query<{ id: ShardId }>(
      `SELECT id FROM shards WHERE delivery_id = $1 ORDER BY number`,
      [id],
    );
    const leased = await Promise.all(rows.map((row) => shards().lease(row.id, 'engine', LEASE_MS)));
    return leased.filter((shard) => shard !== null);
  };

  /** Ends the shard's blocks with those accepted that `isAccepted` says; the others failed. */
  const run = async (shard: LeasedShard, isAccepted: (seq: number) => boolean): Promise<void> => {
    const blocks = createBlockStore(api.database);
    for (const block of shard.blocks) {
      const audience = copiedSeqs(await blocks.readTargets(shard.appId, block));
      await blocks.fixAudience(shard, block, audience);
      const accepted = emptyBitmap();
      for (let seq = block * 1_024; seq < SUBSCRIBERS && seq < (block + 1) * 1_024; seq++)
        if (isAccepted(seq)) setBit(accepted, seq);
      const end = {
        maps: { block, audience, accepted, settled: audience },
        newlyAccepted: countBits(accepted),
        newlyFailed: countBits(audience) - countBits(accepted),
        unknown: 0,
        gone: [],
        readAtMs: 0,
        reasons: {},
        packedOutcomes: null,
      };
      expect(await blocks.endBlock(shard, end, LEASE_MS)).not.toBe('lost');
    }
  };

  const sent = async (): Promise<number[]> => [...(await readSentCounts(api.database, app.id)).counts];
  const expected = (countOf: (seq: number) => number): number[] =>
    Array.from({ length: SUBSCRIBERS }, (_, seq) => countOf(seq));

  it('adds up what two deliveries that settle at the same time were accepted for', async () => {
    const leased = (
      await Promise.all([newDelivery(), newDelivery()].map(async (id) => leaseAll(await id)))
    ).flat();
    const [first] = leased;
    for (const shard of leased)
      await run(shard, (seq) => seq % (shard.deliveryId === first?.deliveryId ? 2 : 3) === 0);
    expect(await sent()).toEqual(expected(() => 0));
    await Promise.all(leased.map((shard) => shards().settle(shard)));
    expect(await sent()).toEqual(expected((seq) => Number(seq % 2 === 0) + Number(seq % 3 === 0)));
  });

  it('counts a shard once, however often it is settled, and whichever of two settles comes first', async () => {
    const leased = await leaseAll(await newDelivery());
    for (const shard of leased) {
      await run(shard, (seq) => seq < 1_100);
      await Promise.all([shards().settle(shard), shards().settle(shard)]);
      expect(await shards().settle(shard)).toEqual({ kind: 'lease-lost' });
      expect(await shards().stop(shard)).toBe(false);
    }
    // Nobody writes an ended shard; were it written, it would not end again.
    await api.database.query(`UPDATE shards SET attempts = attempts + 1`);
    expect(await sent()).toEqual(expected((seq) => Number(seq < 1_100)));
  });

  it('counts what a delivery had sent when it was cancelled: in hand, and waiting for another attempt', async () => {
    const id = await newDelivery();
    const [inHand, waiting] = await leaseAll(id);
    if (inHand === undefined || waiting === undefined) throw new Error('two shards are needed');
    await run(inHand, (seq) => seq < 10);
    await run(waiting, (seq) => seq === 1_030);
    expect(await shards().suspend(waiting, 60_000)).toBe(true);
    const cancelled = await call('POST', `/apps/${app.identifier}/deliveries/${id}/cancel`);
    expect(cancelled.statusCode, cancelled.body).toBe(200);
    expect(await sent()).toEqual(expected((seq) => Number(seq === 1_030)));
    expect(await shards().stop(inHand)).toBe(true);
    expect(await sent()).toEqual(expected((seq) => Number(seq < 10 || seq === 1_030)));
  });

  it('is the resource’s figure, and goes with the subscription: what ends later counts for nobody', async () => {
    const [early, late] = [await newDelivery(), await newDelivery()];
    for (const shard of await leaseAll(early)) {
      await run(shard, () => true);
      await shards().settle(shard);
    }
    const lateShards = await leaseAll(late);
    for (const shard of lateShards) await run(shard, () => true);
    const path = `/apps/${app.identifier}/subscriptions`;
    const [newest] = (await call('GET', `${path}?sort=notifications_sent&per_page=1`)).json().data;
    expect(newest.notifications_sent).toBe(1);
    expect((await call('DELETE', `${path}/${newest.id}`)).statusCode).toBe(204);
    for (const shard of lateShards) await shards().settle(shard);
    expect(await sent()).toEqual(expected((seq) => (seq === SUBSCRIBERS - 1 ? -1 : 2)));
    const { data, meta } = (
      await call('GET', `${path}?sort=notifications_sent&direction=asc&per_page=1`)
    ).json();
    expect([data[0].notifications_sent, meta.total]).toEqual([2, SUBSCRIBERS - 1]);
  });
});
