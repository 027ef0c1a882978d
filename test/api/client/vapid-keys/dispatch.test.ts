// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVapidKeys } from '../../../../api/client/vapid-keys/rotate-key.ts';
import { createBlockStore } from '../../../../engine/adapters/postgres/dispatch/block-store.ts';
import { toId } from '../../../../engine/contract/ids.ts';
import { outcomes } from '../../../../engine/contract/outcome.ts';
import {
  type BuiltApp,
  buildApp,
  buildDelivery,
  readDelivery,
  testSealer,
} from '../../../support/builders.ts';
import { createLogStore, startEngineHarness, until } from '../../../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../../../support/push-service/start.ts';
import { createRealSender, insertBrowsers } from '../../../support/real-sender.ts';
import { everyBit, makeTask, makeVapid } from '../../../worker/support.ts';

/** Both halves of a rotation are sent to, each with the key that its browser asks for: others answer 403. */
describe('during a rotation', () => {
  let test: TestDatabase;
  let push: PushServiceDouble;
  let sender: ReturnType<typeof createRealSender>;
  beforeAll(async () => {
    test = await createTestDatabase();
    push = await startPushService({ verify: 'all' });
    sender = createRealSender(push.ca);
  });
  afterAll(async () => {
    await sender.close();
    await push.stop();
    await test.drop();
  });

  const rotate = async (app: BuiltApp): Promise<string> => {
    const ending = await createVapidKeys(test.database, testSealer).rotate({
      organizationId: toId(app.organizationId),
      identifier: app.identifier,
      actor: {
        organizationId: toId(app.organizationId),
        userId: null,
        tokenId: null,
        via: 'command',
        requestId: null,
      },
    });
    if (ending.kind !== 'rotated') throw new Error(ending.kind);
    return ending.key.public_key;
  };
  const browsers = (from: number, count: number, key: string) =>
    Array.from({ length: count }, (_, n) => push.subscriber(from + n, key));

  it('each subscription is signed for with the key it was made with, within one block', async () => {
    const app = await buildApp(test.database);
    await insertBrowsers(test.database, app.id, 1, browsers(0, 30, app.vapidPublicKey));
    const newKey = await rotate(app);
    await insertBrowsers(test.database, app.id, 2, browsers(30, 20, newKey));
    const delivery = await buildDelivery(test.database, app.id);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value)
       VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [delivery],
    );
    const engine = await startEngineHarness({ database: test.database, logStore: createLogStore(), sender });
    await until('the delivery ends', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(test.database, delivery)).status),
    );
    await engine.close();
    expect(await readDelivery(test.database, delivery)).toMatchObject({
      status: 'success',
      success_count: 50,
      failed_count: 0,
    });
    expect(await push.ledger()).toMatchObject({ distinct: 50, duplicates: 0 });
  });

  it('a target bound to a newer key than the task brings is left for the next lease, not signed wrongly', async () => {
    const app = await buildApp(test.database);
    await insertBrowsers(test.database, app.id, 1, browsers(100, 2, app.vapidPublicKey));
    await insertBrowsers(test.database, app.id, 2, browsers(102, 2, await rotate(app)));
    const { rows: targets } = await createBlockStore(test.database).readTargets(app.id, 0);
    // As leased before the rotation: it knows the first pair only. (Its signature is not checked here.)
    const vapid = makeVapid();
    const task = makeTask([], { targets, wanted: everyBit(), vapid, vapidByNumber: new Map([[1, vapid]]) });
    const sent = await sender.sendBlock(task);
    expect([...sent.seqs]).toEqual([0, 1, 2, 3]);
    expect([...sent.outcomes].map((code) => outcomes[code])).toEqual([
      'rejected',
      'rejected',
      'unsent',
      'unsent',
    ]);
  });
});
