// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completeDelivery } from '../../../engine/adapters/postgres/deliveries/complete-delivery.ts';
import { createWebhookUpkeep } from '../../../engine/adapters/postgres/outgoing/webhook-upkeep.ts';
import { type BuiltApp, buildAccepted, buildApp, buildDelivery } from '../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { buildLimit } from '../../support/standings.ts';
import { buildEndpoint, messagesOf } from '../../support/webhooks.ts';

let test: TestDatabase;
let app: BuiltApp;
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database);
});
afterEach(() => test.drop());

const typesOf = async (endpointId: number): Promise<string[]> =>
  (await messagesOf(test.database, endpointId)).map(({ type }) => type);
const setStatus = (id: number, status: string) =>
  test.database.query(`UPDATE deliveries SET status = $2 WHERE id = $1`, [id, status]);

async function buildCampaign(kind: string, settings: object = {}): Promise<number> {
  const [row] = await test.database.query<{ id: number }>(
    `INSERT INTO campaigns (app_id, kind, name, settings) VALUES ($1, $2, 'Weekly', $3) RETURNING id`,
    [app.id, kind, settings],
  );
  return row?.id ?? 0;
}

describe('messages are queued', () => {
  it('for each state of a delivery, in order, with its counts', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    const { id, identifier } = await buildAccepted(test.database, app.id, [1, 2, 3]);
    await setStatus(id, 'processing');
    await test.database.query(
      `UPDATE shards SET audience_count = 3, accepted_count = 3 WHERE delivery_id = $1`,
      [id],
    );
    await completeDelivery(test.database, id);
    expect(await typesOf(endpoint)).toEqual(['delivery.success', 'delivery.processing', 'delivery.success']);
    const last = (await messagesOf(test.database, endpoint)).at(-1);
    expect(last).toMatchObject({ subject: `delivery ${id}`, state: 'waiting', attempts: 0 });
    expect(last?.data).toMatchObject({
      ...{ app: app.identifier, delivery: identifier, delivery_id: id, name: 'Morning', status: 'success' },
      ...{ previous_status: 'processing', success_count: 3, failed_count: 0, error_message: null },
      completed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
  });

  it('in the transaction of the state, and not when that is rolled back', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    const id = await buildDelivery(test.database, app.id);
    const failing = test.database.transaction(async (sql) => {
      await sql.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
      throw new Error('it died');
    });
    await expect(failing).rejects.toThrow('it died');
    expect(await typesOf(endpoint)).toEqual(['delivery.pending']);
  });

  it('and a change of state neither waits nor fails while their endpoint is being deleted', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    const id = await buildDelivery(test.database, app.id);
    await test.database.transaction(async (sql) => {
      await sql.query(`DELETE FROM webhook_endpoints WHERE id = $1`, [endpoint]);
      await setStatus(id, 'queued');
    });
    expect(await typesOf(endpoint)).toEqual(['delivery.queued']);
    await createWebhookUpkeep(test.database).tidy();
    expect(await typesOf(endpoint)).toEqual([]);
  });

  it('for a change of the state alone, and for no rehearsal', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    const id = await buildDelivery(test.database, app.id, { status: 'processing' });
    await setStatus(id, 'processing');
    await test.database.query(`UPDATE deliveries SET open_shards = open_shards + 1 WHERE id = $1`, [id]);
    await test.database.query(
      `INSERT INTO deliveries (app_id, identifier, name, title, body, url, status, ttl_seconds, plaintext, rehearsal)
       VALUES ($1, 'dlv_rehearsal', 'a', 'a', 'a', 'https://a.example', 'pending', 60, '', true)`,
      [app.id],
    );
    expect(await typesOf(endpoint)).toEqual(['delivery.processing']);
  });

  it('for the endpoints of the organization that want them, and for nobody else', async () => {
    const other = await buildApp(test.database);
    const foreign = await buildEndpoint(test.database, other.organizationId);
    const wanting = await buildEndpoint(test.database, app.organizationId, { types: ['delivery.failed'] });
    const disabled = await buildEndpoint(test.database, app.organizationId);
    await test.database.query(`UPDATE webhook_endpoints SET enabled = false WHERE id = $1`, [disabled]);
    await setStatus(await buildDelivery(test.database, app.id), 'failed');
    expect(await typesOf(foreign)).toEqual([]);
    expect(await typesOf(wanting)).toEqual(['delivery.failed']);
    expect(await typesOf(disabled)).toEqual([]);
  });

  it('for the states of a campaign, unless it is a rehearsal', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    const id = await buildCampaign('recurring');
    await test.database.query(`UPDATE campaigns SET status = 'running' WHERE id = $1`, [id]);
    await buildCampaign('recurring', { options: { rehearsal: true } });
    expect(await typesOf(endpoint)).toEqual(['campaign.scheduled', 'campaign.running']);
    const [, running] = await messagesOf(test.database, endpoint);
    expect(running?.data).toMatchObject({
      ...{ app: app.identifier, campaign_id: id, kind: 'recurring', name: 'Weekly' },
      ...{ status: 'running', previous_status: 'scheduled' },
    });
  });

  it('once when a feed breaks, and once when it works again', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId, {
      types: ['feed.broken', 'feed.working'],
    });
    const id = await buildCampaign('feed');
    const fail = (failures: number) =>
      test.database.query(
        `UPDATE campaigns SET progress = $2, error_message = 'It answers 500.', next_step_at = now() WHERE id = $1`,
        [id, { feed: { failures } }],
      );
    for (const failures of [0, 1, 0, 1, 2]) await fail(failures);
    expect(await typesOf(endpoint)).toEqual([]);
    // Three in a row; a person changes it, which begins anew; it fails on, and works at last.
    for (const failures of [3, 4, 1, 2, 3, 1, 0, 1, 0]) await fail(failures);
    expect(await messagesOf(test.database, endpoint)).toMatchObject([
      { type: 'feed.broken', data: { campaign_id: id, failures: 3, error_message: 'It answers 500.' } },
      { type: 'feed.working', data: { failures: 0, error_message: null } },
    ]);
  });

  it('when a push service begins to limit an app, and when that ends', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId, {
      types: ['app.standing.changed'],
    });
    const foreign = await buildEndpoint(test.database, (await buildApp(test.database)).organizationId, {
      types: ['app.standing.changed'],
    });
    const id = await buildLimit(test.database, app.id, { probableHours: 24 });
    for (const set of ['allowed_per_minute = 1200', 'ended_at = now()', 'ended_at = now()'])
      await test.database.query(`UPDATE push_service_standings SET ${set} WHERE id = $1`, [id]);
    const time = expect.stringMatching(/^20.*\+00:00$/);
    expect((await messagesOf(test.database, endpoint)).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'app.standing.changed',
        data: {
          ...{ app: app.identifier, push_service: 'fcm', standing: 'limited', allowed_per_minute: 1_000 },
          ...{ limited_since: time, probable_end_at: time, ended_at: null },
        },
      },
      {
        type: 'app.standing.changed',
        data: {
          ...{ app: app.identifier, push_service: 'fcm', standing: 'normal', allowed_per_minute: 1_200 },
          ...{ limited_since: time, probable_end_at: time, ended_at: time },
        },
      },
    ]);
    expect(await messagesOf(test.database, foreign)).toEqual([]);
  });

  it('and go with their endpoint, and with its organization', async () => {
    const one = await buildEndpoint(test.database, app.organizationId);
    const { organizationId } = await buildApp(test.database);
    const two = await buildEndpoint(test.database, organizationId);
    await buildDelivery(test.database, app.id);
    await test.database.query(`DELETE FROM webhook_endpoints WHERE id = $1`, [one]);
    expect(await typesOf(one)).toEqual([]);
    await test.database.query(`DELETE FROM apps WHERE organization_id = $1`, [organizationId]);
    await test.database.query(`DELETE FROM organizations WHERE id = $1`, [organizationId]);
    expect(await test.database.query(`SELECT FROM webhook_endpoints WHERE id = $1`, [two])).toEqual([]);
  });
});
