// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
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

/** More than one block. */
const READERS = 1_100;

describe('readers who unsubscribed within 48 hours of a delivery', async () => {
  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, READERS);
  const engine = await startEngineHarness({
    database: api.database,
    logStore: createLogStore(),
    sender: {
      // Every tenth is not reached, and stays subscribed.
      sendBlock: async (task) =>
        blockSent(wantedSeqs(task), (seq) => (seq % 10 === 0 ? 'rejected' : 'accepted')),
    },
  });
  afterAll(() => engine.close());

  async function send(changes: object = {}): Promise<number> {
    const { id } = (await call('POST', path, deliveryBody(changes))).json().data;
    await until('it to complete', async () =>
      ['partial', 'success'].includes((await readDelivery(api.database, id)).status),
    );
    return id;
  }
  const leftAsPolled = async (id: number) =>
    (await call('GET', `${path}/${id}`)).json().data.unsubscribed_within_48_hours;
  /** As if the last answer were more than a minute old. */
  async function left(id: number) {
    await api.database.query(`UPDATE analytics_cache SET until = now() - interval '1 second'`);
    return leftAsPolled(id);
  }
  /** Seconds after the start of the delivery. */
  const leave = (id: number, seqs: readonly number[], seconds: number) =>
    api.database.query(
      `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = started_at + make_interval(secs => $3)
       FROM deliveries WHERE deliveries.id = $1 AND subscriptions.app_id = deliveries.app_id AND seq = ANY($2)`,
      [id, seqs, seconds],
    );

  it('counts those whom it was accepted for, within that time alone, and as long as they stay away', async () => {
    const id = await send();
    expect(await left(id)).toBe(0);
    await leave(id, [1, 2, 1_025], 3_600);
    await leave(id, [10], 3_600);
    await leave(id, [3], 48 * 3_600 - 1);
    await leave(id, [4], 48 * 3_600);
    await leave(id, [5], -1);
    expect(await left(id), '10 was not reached, 4 left too late, 5 before').toBe(4);
    await api.database.query(
      `UPDATE subscriptions SET status = 'subscribed', unsubscribed_at = NULL WHERE seq = 1`,
    );
    expect(await left(id), 'one came back').toBe(3);
    const later = await send();
    expect(await left(later), 'they had left before').toBe(0);
  });

  it('is not known where nothing was sent, and where the app may have deleted some of them', async () => {
    const waiting = deliveryBody({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await left((await call('POST', path, waiting)).json().data.id)).toBeNull();
    expect(await left(await send({ rehearsal: true }))).toBeNull();
    const id = await send();
    await api.database.query(
      `UPDATE apps SET auto_delete_unsubscribed_enabled = true, auto_delete_unsubscribed_days = 2`,
    );
    expect(await left(id)).toBe(0);
    await api.database.query(
      `UPDATE deliveries SET started_at = now() - interval '2 days' - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await left(id)).toBeNull();
    await api.database.query(`UPDATE apps SET auto_delete_unsubscribed_enabled = false`);
    expect(await left(id)).not.toBeNull();
  });

  it('is counted once a minute at most, however often a delivery is polled', async () => {
    const [id, other] = [await send(), await send()];
    expect(await left(id)).toBe(0);
    await leave(id, [21], 3_600);
    expect(await leftAsPolled(id)).toBe(0);
    expect(await leftAsPolled(other), 'an answer is of one delivery').toBe(1);
    const [kept] = await api.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM until - now())::float AS seconds FROM analytics_cache
       WHERE question = 'left-after ' || $1`,
      [id],
    );
    expect(kept?.seconds).toBeGreaterThan(0);
    expect(kept?.seconds).toBeLessThanOrEqual(60);
    expect(await left(id)).toBe(1);
  });
});
