// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlertStore } from '../../../engine/adapters/postgres/outgoing/alert-store.ts';
import { createRemovalStore } from '../../../engine/adapters/postgres/removal/removal-store.ts';
import { buildAlertChannel } from '../../support/alerts.ts';
import { type BuiltApp, buildApp, buildDelivery } from '../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { buildLimit } from '../../support/standings.ts';

let test: TestDatabase;
let app: BuiltApp;
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database, { subscribers: 300 });
});
afterEach(() => test.drop());

interface AlertRow {
  readonly organization_id: number;
  readonly app_id: number | null;
  readonly kind: string;
  readonly detail: Record<string, unknown>;
}
const alerts = () => test.database.query<AlertRow>(`SELECT * FROM alerts ORDER BY id`);
const kinds = async () => (await alerts()).map(({ kind }) => kind);
const sends = () =>
  test.database.query<{ state: string; more: number }>(`SELECT state, more FROM alert_sends ORDER BY id`);
/** Two engines at the same time, and one again. */
async function findThrice(): Promise<void> {
  await Promise.all([createAlertStore(test.database).find(), createAlertStore(test.database).find()]);
  await createAlertStore(test.database).find();
}
const change = (id: number, set: string) =>
  test.database.query(`UPDATE deliveries SET ${set} WHERE id = $1`, [id]);

async function failDelivery(ago = '1 minute'): Promise<number> {
  const id = await buildDelivery(test.database, app.id, { status: 'failed' });
  await change(id, `completed_at = now() - interval '${ago}', error_message = 'No key.'`);
  return id;
}

let nextSeq = 0;
/** A delivery to a thousand, after which this number unsubscribed. */
async function ended(hoursAgo: number, unsubscribed: number): Promise<void> {
  const id = await buildDelivery(test.database, app.id, { status: 'success' });
  await change(id, `success_count = 1000, completed_at = now() - interval '${hoursAgo} hours'`);
  await test.database.query(
    `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() - interval '${hoursAgo} hours' + interval '10 minutes'
     WHERE app_id = $1 AND seq BETWEEN $2 AND $3`,
    [app.id, nextSeq, nextSeq + unsubscribed - 1],
  );
  nextSeq += unsubscribed;
}
beforeEach(() => {
  nextSeq = 0;
});

describe('looking for alerts', () => {
  it('of a kind that cannot be found keep none of another', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    await failDelivery();
    await test.database.query('ALTER TABLE push_service_standings RENAME TO elsewhere');
    await expect(createAlertStore(test.database).find()).rejects.toThrow('push_service_standings');
    expect(await kinds()).toEqual(['delivery-failed']);
    expect(await sends()).toMatchObject([{ state: 'waiting' }]);
  });

  it('finds a failed delivery once, over several engines, with a send for each channel that wants it', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    await buildAlertChannel(test.database, app.organizationId, { alertKinds: ['delivery-stuck'] });
    await failDelivery();
    await findThrice();
    expect(await alerts()).toMatchObject([
      { kind: 'delivery-failed', app_id: app.id, detail: { name: 'Morning', reason: 'No key.' } },
    ]);
    expect(await sends()).toEqual([{ state: 'waiting', more: 0 }]);
  });

  it('notes nothing for an organization without a channel, nor what failed before its channel was made', async () => {
    await failDelivery();
    await findThrice();
    await buildAlertChannel(test.database, app.organizationId);
    await test.database.query(`UPDATE alert_channels SET created_at = now()`);
    await findThrice();
    expect(await alerts()).toEqual([]);
  });

  it('gives an alert to the app’s organization alone', async () => {
    const other = await buildApp(test.database);
    await buildAlertChannel(test.database, app.organizationId);
    const foreign = await buildAlertChannel(test.database, other.organizationId);
    await failDelivery();
    await findThrice();
    expect(await alerts()).toMatchObject([{ organization_id: app.organizationId }]);
    expect(await test.database.query(`SELECT FROM alert_sends WHERE channel_id = $1`, [foreign])).toEqual([]);
  });

  it('finds a delivery that made no progress for an hour, and not one that did', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    for (const span of [`interval '2 hours'`, `interval '1 minute'`]) {
      const id = await buildDelivery(test.database, app.id, { status: 'processing' });
      await change(id, `created_at = now() - interval '3 hours', started_at = now() - interval '3 hours'`);
      await test.database.query(
        `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, span)
         VALUES ($1, $2, 0, '{0}', 1, 'waiting', extract(epoch FROM now() - ${span})::bigint / 5)`,
        [id, app.id],
      );
    }
    await findThrice();
    expect(await kinds()).toEqual(['delivery-stuck']);
  });

  it('finds that a push service began and stopped to limit an app, once each', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    await test.database.query(`UPDATE alert_channels SET created_at = now() - interval '3 hours'`);
    await buildLimit(test.database, app.id, { hoursAgo: 50, endedHoursAgo: 30 });
    await findThrice();
    expect(await kinds()).toEqual([]);
    const id = await buildLimit(test.database, app.id, { hoursAgo: 2, probableHours: 24 });
    await buildLimit(test.database, app.id, { hoursAgo: 4, service: 'wns' });
    await findThrice();
    await test.database.query('UPDATE push_service_standings SET allowed_per_minute = 1200 WHERE id = $1', [
      id,
    ]);
    await findThrice();
    await test.database.query('UPDATE push_service_standings SET ended_at = now() WHERE id = $1', [id]);
    await findThrice();
    // That of WNS began before the channel was made.
    expect((await alerts()).map(({ detail }) => detail)).toEqual([
      {
        ...{ service: 'fcm', standing: 'limited', allowed_per_minute: 1_000, ended: null },
        ...{ since: expect.stringMatching(/^20.* UTC$/), probable_end: expect.stringMatching(/^20.* UTC$/) },
      },
      expect.objectContaining({ standing: 'normal', allowed_per_minute: 1_200, ended: expect.any(String) }),
    ]);
  });

  it('finds unusual unsubscribing against what is typical for the app', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    for (const day of [9, 8, 7, 6, 5]) await ended(day * 24, 8);
    await ended(3, 23);
    await findThrice();
    expect(await kinds()).toEqual([]);
    await ended(2, 60);
    await test.database.query(`UPDATE alert_channels SET created_at = now() - interval '1 day'`);
    await findThrice();
    expect(await alerts()).toMatchObject([
      { kind: 'unusual-unsubscribing', detail: { unsubscribed: 60, times: '7.5' } },
    ]);
  });

  it('finds late ad statistics, for organizations that may see earnings, once for each standstill', async () => {
    const blind = await buildApp(test.database);
    for (const { organizationId } of [app, blind]) await buildAlertChannel(test.database, organizationId);
    await test.database.query(
      `INSERT INTO revenue_domains (organization_id, domain) VALUES ($1, 'news.example')`,
      [app.organizationId],
    );
    await test.database.query(
      `INSERT INTO ad_sources (source, complete_until) VALUES ('a', now() - interval '47 hours')`,
    );
    await findThrice();
    expect(await kinds()).toEqual([]);
    await test.database.query(`UPDATE ad_sources SET complete_until = now() - interval '49 hours'`);
    await findThrice();
    expect(await alerts()).toMatchObject([
      { kind: 'ad-statistics-late', organization_id: app.organizationId, app_id: null },
    ]);
  });

  it('finds that a feed broke, after three checks, and that it works again, once each', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    await test.database.query(
      `INSERT INTO campaigns (app_id, kind, name, settings, status, next_step_at)
       VALUES ($1, 'feed', 'News', '{}', 'running', now())`,
      [app.id],
    );
    const look = async (failures: number, since: string | null): Promise<void> => {
      await test.database.query(`UPDATE campaigns SET progress = $1, error_message = $2`, [
        JSON.stringify({ feed: { failures, failingSince: since } }),
        failures === 0 ? null : 'The feed answered 404.',
      ]);
      await findThrice();
    };
    await look(2, '2026-11-23T08:00:00Z');
    expect(await kinds()).toEqual([]);
    for (const failures of [3, 4]) await look(failures, '2026-11-23T08:00:00Z');
    await look(0, null);
    await look(2, '2026-11-23T10:00:00Z');
    await look(3, '2026-11-23T10:00:00Z');
    await look(0, null);
    expect((await alerts()).map(({ kind, app_id, detail }) => [kind, app_id, detail.state])).toEqual([
      ['feed-broken', app.id, 'broken'],
      ['feed-broken', app.id, 'working'],
      ['feed-broken', app.id, 'broken'],
      ['feed-broken', app.id, 'working'],
    ]);
    expect((await alerts())[0]?.detail).toMatchObject({ name: 'News', reason: 'The feed answered 404.' });
    await look(3, '2026-11-23T12:00:00Z');
    await test.database.query(`UPDATE campaigns SET status = 'cancelled', next_step_at = NULL`);
    await look(0, null);
    expect(await alerts()).toHaveLength(5);
  });

  it('lets ten of a kind through in an hour, and then sums up the rest in one', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    for (let i = 0; i < 14; i++) await failDelivery();
    await findThrice();
    const states = async () => (await sends()).map(({ state }) => state);
    expect((await states()).filter((state) => state === 'waiting').length).toBe(10);
    expect((await states()).filter((state) => state === 'held').length).toBe(4);
    await test.database.query(`UPDATE alert_sends SET released_at = now() - interval '61 minutes'`);
    await findThrice();
    expect((await sends()).slice(10)).toEqual([
      { state: 'waiting', more: 3 },
      ...Array.from({ length: 3 }, () => ({ state: 'summed', more: 0 })),
    ]);
  });

  it('goes with its app', async () => {
    await buildAlertChannel(test.database, app.organizationId);
    await failDelivery();
    await findThrice();
    await test.database.query(`UPDATE apps SET deleted_at = now() - interval '1 minute' WHERE id = $1`, [
      app.id,
    ]);
    const store = createRemovalStore(test.database, { graceSeconds: 0 });
    while ((await store.removeOfDeletedApp(1_000)) > 0);
    expect([await alerts(), await sends()]).toEqual([[], []]);
  });
});
