// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { type BuiltApp, buildApp, buildDelivery } from '../support/builders.ts';
import { type EngineCrew, startEngineCrew } from '../support/engine-crew.ts';
import { until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';
import { insertBrowsers } from '../support/real-sender.ts';

const SUBSCRIBERS = 5;
const DELIVERIES = 24;

/** `npm run bench -- schedule` measures how late they are; here it matters that each is sent, and once. */
describe('three engines over one Postgres', () => {
  let test: TestDatabase;
  let pushService: PushServiceDouble;
  let app: BuiltApp;
  let crew: EngineCrew | null = null;
  beforeAll(async () => {
    test = await createTestDatabase();
    pushService = await startPushService({ verify: 'all' });
    app = await buildApp(test.database);
    const browsers = Array.from({ length: SUBSCRIBERS }, (_, index) =>
      pushService.subscriber(index, app.vapidPublicKey),
    );
    await insertBrowsers(test.database, app.id, 1, browsers);
  });
  afterAll(async () => {
    await crew?.close();
    await pushService.stop();
    await test.drop();
  });

  const start = async () => {
    crew = await startEngineCrew({ databaseUrl: test.url, engines: 3, caFile: pushService.caFile });
  };
  const scheduleAt = (at: number, lane: 'bulk' | 'breaking' = 'bulk'): Promise<DeliveryId> =>
    buildDelivery(test.database, app.id, { status: 'scheduled', scheduledAt: new Date(at), lane });

  interface Sent {
    readonly id: DeliveryId;
    readonly status: string;
    readonly success_count: number;
    readonly attempts: number;
    readonly early: boolean;
  }
  const sent = (): Promise<Sent[]> =>
    test.database.query<Sent>(
      `SELECT deliveries.id, status, success_count, started_at < scheduled_at AS early,
         (SELECT sum(attempts)::int FROM shards WHERE delivery_id = deliveries.id) AS attempts
       FROM deliveries ORDER BY started_at, id`,
    );
  const isEnded = ({ status }: Sent) => !['scheduled', 'pending', 'queued', 'processing'].includes(status);

  it('start deliveries that fell due while none of them ran, in the order of their times, and later ones, once each', async () => {
    const now = Date.now();
    // As after an outage: the latest was made first.
    const overdue: DeliveryId[] = [];
    for (let at = 0; at < DELIVERIES / 2; at++) overdue.unshift(await scheduleAt(now - (at + 1) * 60_000));
    await start();
    await until('the overdue ones', async () => (await sent()).every(isEnded));
    const soon = Date.now() + 1_000;
    for (let at = 0; at < DELIVERIES / 2; at++)
      await scheduleAt(soon + at * 60, at % 3 ? 'bulk' : 'breaking');
    await until('all of them', async () => (await sent()).every(isEnded));

    const all = await sent();
    expect(all).toHaveLength(DELIVERIES);
    for (const one of all)
      expect(one).toMatchObject({ status: 'success', success_count: SUBSCRIBERS, attempts: 1, early: false });
    expect((await pushService.ledger()).received).toBe(DELIVERIES * SUBSCRIBERS);
    // They reach the log in order; plannings run side by side, and one may be slow: the others move up by one then.
    const order = all.map(({ id }) => overdue.indexOf(id)).filter((place) => place >= 0);
    const displaced = order.reduce((sum, place, at) => sum + Math.abs(place - at), 0) / order.length;
    expect(displaced).toBeLessThan(3);
  });
});
