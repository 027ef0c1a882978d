// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookUpkeep } from '../../../engine/adapters/postgres/outgoing/webhook-upkeep.ts';
import { createSweeps } from '../../../engine/adapters/postgres/removal/sweeps.ts';
import { MAX_WAITING } from '../../../engine/contract/webhooks.ts';
import { type BuiltApp, buildApp, buildSubscriptions } from '../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { buildEndpoint, buildMessage, messagesOf } from '../../support/webhooks.ts';

let test: TestDatabase;
let app: BuiltApp;
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database);
});
afterEach(() => test.drop());

const countOf = async (endpoint: number): Promise<Record<string, number>> => {
  const messages = await messagesOf(test.database, endpoint);
  return Object.fromEntries(
    Object.entries(Object.groupBy(messages, ({ state }) => state)).map(([state, of]) => [
      state,
      of?.length ?? 0,
    ]),
  );
};
const buildMany = (endpoint: number, count: number, state: string) =>
  test.database.query(
    `INSERT INTO webhook_messages (endpoint_id, type, subject, data, state, ended_at)
     SELECT $1, 'delivery.success', 'delivery ' || n, '{}', $3, CASE WHEN $3 <> 'waiting' THEN now() END
     FROM generate_series(1, $2::integer) AS n`,
    [endpoint, count, state],
  );

describe('the queue of an endpoint', () => {
  it('is bounded: the oldest are given up', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    await buildMany(endpoint, MAX_WAITING + 50, 'waiting');
    await createWebhookUpkeep(test.database).tidy();
    expect(await countOf(endpoint)).toEqual({ waiting: MAX_WAITING, failed: 50 });
    const [oldest] = await messagesOf(test.database, endpoint);
    expect(oldest?.state).toBe('failed');
  });

  it('is given up where the endpoint is disabled, and removed where it is gone', async () => {
    const disabled = await buildEndpoint(test.database, app.organizationId);
    await buildMessage(test.database, disabled);
    await test.database.query(`UPDATE webhook_endpoints SET enabled = false`);
    await buildMessage(test.database, 1_000_000);
    await createWebhookUpkeep(test.database).tidy();
    expect(await countOf(disabled)).toEqual({ failed: 1 });
    expect(await messagesOf(test.database, 1_000_000)).toEqual([]);
  });
});

describe('the log of an endpoint', () => {
  it('keeps the newest, for seven days', async () => {
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    await buildMany(endpoint, 20_100, 'sent');
    await createWebhookUpkeep(test.database).tidy();
    expect(await countOf(endpoint)).toEqual({ sent: 20_000 });
    await test.database.query(
      `UPDATE webhook_messages SET ended_at = now() - interval '6 days' WHERE id % 2 = 0`,
    );
    await test.database.query(
      `UPDATE webhook_messages SET ended_at = now() - interval '8 days' WHERE id % 2 = 1`,
    );
    for (let left = true; left; ) {
      left = false;
      for (const sweep of createSweeps(test.database)) left = (await sweep()) > 0 || left;
    }
    expect(await countOf(endpoint)).toEqual({ sent: 10_000 });
  });
});

describe('changes of readers', () => {
  const queueBatches = () => createWebhookUpkeep(test.database).queueBatches();
  const age = () =>
    test.database.query(`UPDATE webhook_cursors SET told_until = told_until - interval '10 minutes'`);

  it('are queued in windows that follow each other, if there were any', async () => {
    const other = await buildApp(test.database);
    await buildSubscriptions(test.database, other.id, 5);
    const endpoint = await buildEndpoint(test.database, app.organizationId, {
      types: ['subscriptions.changed'],
    });
    await queueBatches();
    expect(await messagesOf(test.database, endpoint)).toEqual([]);
    await age();
    await buildSubscriptions(test.database, app.id, 4);
    await test.database.query(
      `UPDATE subscriptions SET created_at = now() - interval '5 minutes' WHERE app_id = $1`,
      [app.id],
    );
    await test.database.query(
      `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() - interval '4 minutes'
       WHERE app_id = $1 AND seq = 0`,
      [app.id],
    );
    await queueBatches();
    await queueBatches();
    expect((await messagesOf(test.database, endpoint)).map(({ data }) => data)).toEqual([
      {
        app: app.identifier,
        from: expect.any(String),
        until: expect.any(String),
        subscribed: 4,
        unsubscribed: 1,
      },
    ]);
  });

  it('are not queued for a time in which nobody wanted them', async () => {
    await test.database.query(`INSERT INTO webhook_cursors VALUES ($1, now() - interval '1 year')`, [app.id]);
    await queueBatches();
    await buildSubscriptions(test.database, app.id, 4);
    await test.database.query(`UPDATE subscriptions SET created_at = now() - interval '1 day'`);
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    await queueBatches();
    expect(await messagesOf(test.database, endpoint)).toEqual([]);
  });
});

describe('the completeness of ad statistics', () => {
  const until = (source: string, time: string) =>
    test.database.query(
      `INSERT INTO ad_sources (source, complete_until) VALUES ($1, $2)
       ON CONFLICT (source) DO UPDATE SET complete_until = excluded.complete_until`,
      [source, time],
    );

  it('is queued when all sources moved on, to organizations that may see earnings', async () => {
    const other = await buildApp(test.database);
    const blind = await buildEndpoint(test.database, other.organizationId);
    const endpoint = await buildEndpoint(test.database, app.organizationId);
    await test.database.query(
      `INSERT INTO revenue_domains (organization_id, domain) VALUES ($1, 'news.example')`,
      [app.organizationId],
    );
    const { queueBatches } = createWebhookUpkeep(test.database);
    await until('one', '2026-11-20T00:00:00Z');
    await until('two', '2026-11-20T00:00:00Z');
    await queueBatches();
    await until('one', '2026-11-21T00:00:00Z');
    await queueBatches();
    expect(await messagesOf(test.database, endpoint)).toEqual([]);
    await until('two', '2026-11-22T00:00:00Z');
    await queueBatches();
    await queueBatches();
    expect(await messagesOf(test.database, endpoint)).toMatchObject([
      { type: 'reports.complete', data: { complete_until: '2026-11-21T00:00:00+00:00' } },
    ]);
    expect(await messagesOf(test.database, blind)).toEqual([]);
  });
});
