// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSentCounts } from '../../../../api/client/subscriptions/block-counts.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { createSentShards } from '../../../support/sent-shards.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../../support.ts';

const SUBSCRIBERS = 1_500;

describe('notifications_sent', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  let newDelivery: ReturnType<typeof createSentShards>['newDelivery'];
  let leaseAll: ReturnType<typeof createSentShards>['leaseAll'];
  let run: ReturnType<typeof createSentShards>['run'];
  let shards: ReturnType<typeof createSentShards>['shards'];
  beforeEach(async () => {
    api = await createTestApi();
    app = await buildApp(api.database, { subscribers: SUBSCRIBERS });
    ({ newDelivery, leaseAll, run, shards } = createSentShards(api.database, app));
    call = callAs(api.app, await createMember(api.database, { organizationId: app.organizationId }));
  });
  afterEach(() => api.close());

  const sent = async (): Promise<number[]> => [...(await readSentCounts(api.database, app.id)).counts];
  const expected = (countOf: (seq: number) => number): number[] =>
    Array.from({ length: SUBSCRIBERS }, (_, seq) => countOf(seq));

  it('adds up the accepted messages of two deliveries that settle at the same time', async () => {
    const leased = (
      await Promise.all([newDelivery(), newDelivery()].map(async (id) => leaseAll(await id)))
    ).flat();
    const [first] = leased;
    for (const shard of leased)
      await run(shard, (seq) => seq % (shard.deliveryId === first?.deliveryId ? 2 : 3) === 0);
    expect(await sent()).toEqual(expected(() => 0));
    await Promise.all(leased.map((shard) => shards.settle(shard)));
    expect(await sent()).toEqual(expected((seq) => Number(seq % 2 === 0) + Number(seq % 3 === 0)));
  });

  it('counts a shard once, however often it is settled, and whichever of two settles comes first', async () => {
    const leased = await leaseAll(await newDelivery());
    for (const shard of leased) {
      await run(shard, (seq) => seq < 1_100);
      await Promise.all([shards.settle(shard), shards.settle(shard)]);
      expect(await shards.settle(shard)).toEqual({ kind: 'lease-lost' });
      expect(await shards.stop(shard)).toBe(false);
    }
    // Nobody writes an ended shard; were it written, it would not end again.
    await api.database.query(`UPDATE shards SET attempts = attempts + 1`);
    expect(await sent()).toEqual(expected((seq) => Number(seq < 1_100)));
  });

  it('counts the messages that a delivery had sent when it was cancelled: in flight, and waiting for another attempt', async () => {
    const id = await newDelivery();
    const [inHand, waiting] = await leaseAll(id);
    if (inHand === undefined || waiting === undefined) throw new Error('two shards are needed');
    await run(inHand, (seq) => seq < 10);
    await run(waiting, (seq) => seq === 1_030);
    expect(await shards.suspend(waiting, 60_000)).toBe(true);
    const cancelled = await call('POST', `/apps/${app.identifier}/deliveries/${id}/cancel`);
    expect(cancelled.statusCode, cancelled.body).toBe(200);
    expect(await sent()).toEqual(expected((seq) => Number(seq === 1_030)));
    expect(await shards.stop(inHand)).toBe(true);
    expect(await sent()).toEqual(expected((seq) => Number(seq < 10 || seq === 1_030)));
  });

  it('is the resource’s figure, and goes with the subscription: a later end counts for no one', async () => {
    const [early, late] = [await newDelivery(), await newDelivery()];
    for (const shard of await leaseAll(early)) {
      await run(shard, () => true);
      await shards.settle(shard);
    }
    const lateShards = await leaseAll(late);
    for (const shard of lateShards) await run(shard, () => true);
    const path = `/apps/${app.identifier}/subscriptions`;
    const [newest] = (await call('GET', `${path}?sort=notifications_sent&per_page=1`)).json().data;
    expect(newest.notifications_sent).toBe(1);
    expect((await call('DELETE', `${path}/${newest.id}`)).statusCode).toBe(204);
    for (const shard of lateShards) await shards.settle(shard);
    expect(await sent()).toEqual(expected((seq) => (seq === SUBSCRIBERS - 1 ? -1 : 2)));
    const { data, meta } = (
      await call('GET', `${path}?sort=notifications_sent&direction=asc&per_page=1`)
    ).json();
    expect([data[0].notifications_sent, meta.total]).toEqual([2, SUBSCRIBERS - 1]);
  });
});
