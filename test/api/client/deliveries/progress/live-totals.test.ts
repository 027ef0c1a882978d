// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import type { DeliveryId } from '../../../../../engine/contract/ids.ts';
import { createInternalLookup } from '../../../../../engine/control/live-answers.ts';
import { buildSubscriptions, readDelivery } from '../../../../support/builders.ts';
import {
  blockSent,
  createLogStore,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../../../../support/engine-harness.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { appBody, deliveryBody, openWithMember } from '../../../support.ts';

const BLOCK = 1_024;
/** Three blocks, the last of them not full. */
const PLANNED = 2 * BLOCK + 50;
const JOINED = 100;

describe('the totals of a delivery in mid-flight', async () => {
  const holds = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const begun = new Set<number>();

  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, PLANNED);
  const engine = await startEngineHarness({
    database: api.database,
    logStore: createLogStore(),
    shardBlocks: 1,
    releaseWindow: 1,
    sender: {
      sendBlock: async (task) => {
        const seqs = wantedSeqs(task);
        const block = Math.floor((seqs[0] ?? 0) / BLOCK);
        begun.add(block);
        await holds[block]?.promise;
        return blockSent(seqs, (seq) => (seq % 10 === 0 ? 'rejected' : 'accepted'));
      },
    },
  });
  afterAll(async () => {
    for (const hold of holds) hold.resolve();
    await engine.close();
  });

  it('are the same for the publisher and the operator, and never shrink until it completes', async () => {
    const id: DeliveryId = (await call('POST', path, deliveryBody())).json().data.id;
    const lookUp = createInternalLookup(api.database, {
      deliveryTotals: () => Promise.reject(new Error('not what is read here')),
    });
    const read = async () => {
      const { total_subscribers, capped_subscribers, success_count, failed_count, status } = (
        await call('GET', `${path}/${id}`)
      ).json().data;
      const counts = { status, total_subscribers, capped_subscribers, success_count, failed_count };
      const [listed] = (await call('GET', path)).json().data;
      expect(listed).toMatchObject(counts);
      expect(await lookUp(`/deliveries/${id}`)).toEqual({
        ...counts,
        id,
        app_id: appId,
        guarded_subscribers: 0,
        wished_subscribers: 0,
      });
      return counts;
    };
    // Two shards run at a time, so the third block is planned and not fixed yet.
    await until('two blocks to be sent', () => begun.size === 2);
    expect(await read()).toMatchObject({
      status: 'processing',
      total_subscribers: PLANNED,
      success_count: 0,
    });
    await buildSubscriptions(api.database, appId, JOINED);
    holds[0]?.resolve();
    await until('the third block to be sent', () => begun.has(2));
    const inMidFlight = await read();
    expect(inMidFlight).toMatchObject({ status: 'processing', total_subscribers: PLANNED + JOINED });
    expect(inMidFlight.success_count + inMidFlight.failed_count).toBe(BLOCK);
    for (const hold of holds) hold.resolve();
    await until('it to complete', async () => (await readDelivery(api.database, id)).status === 'partial');
    expect(await read()).toMatchObject({ status: 'partial', total_subscribers: PLANNED + JOINED });
  });
});
