// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalyticsPort } from '../../api/serve/analytics-port.ts';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import { createEventStore } from '../../engine/adapters/clickhouse/event-store.ts';
import { createPgBossLog } from '../../engine/adapters/pgboss/log.ts';
import { createEngagementStore } from '../../engine/adapters/postgres/record/engagement-store.ts';
import type { Log } from '../../engine/contract/log.ts';
import type { RecordStage } from '../../engine/intake/consume-batches.ts';
import { createEventsStage } from '../../engine/record/events-stage.ts';
import {
  appBody,
  callAs,
  createMember,
  createTestApi,
  deliveryBody,
  newEndpoint,
  newKeys,
  type TestApi,
} from '../api/support.ts';
import { acceptFor } from '../support/builders.ts';
import { until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

const ORIGIN = 'https://news.example.com';
const READERS = ['ann', 'ben', 'cem', 'dia'];
const secretOf = (reader: string): string => reader[0]?.repeat(43) ?? '';

/** The API over HTTP, the log on Postgres, record, and the embedded ClickHouse: all but the sending itself. */
describe('a click, from the browser to every figure', () => {
  let log: Log;
  let logDatabase: TestDatabase;
  let clickhouse: ClickHouse;
  let api: TestApi;
  let stage: RecordStage;
  let url: string;
  let call: ReturnType<typeof callAs>;
  let identifier: string;
  beforeAll(async () => {
    clickhouse = await openTestClickHouse();
    logDatabase = await createTestDatabase();
    log = await createPgBossLog({ url: logDatabase.url });
    api = await createTestApi({
      analytics: createAnalyticsPort(createAnalytics(clickhouse), createEarnings(clickhouse)),
      log,
    });
    stage = createEventsStage({
      log,
      store: createEventStore(clickhouse),
      engagement: createEngagementStore(api.database),
      engagementAnswers: () => api.database.ping(),
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      metrics: { recordBatch: () => {}, backPressurePause: () => {} },
    });
    await stage.start();
    url = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/public`;
    call = callAs(api.app, await createMember(api.database));
    identifier = (await call('POST', '/apps', appBody({ site_domain: ORIGIN }))).json().data.identifier;
  });
  afterAll(async () => {
    await api.close();
    await stage.close(1_000);
    await log.close(1_000);
    await clickhouse.close();
    await logDatabase.drop();
  });

  async function post(place: string, body: object): Promise<number> {
    const answer = await fetch(`${url}/${place}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, 'x-app-id': identifier },
      body: JSON.stringify(body),
    });
    await answer.body?.cancel();
    return answer.status;
  }

  /** A delivery that reached every reader, and what its notification carries for beacons. */
  async function deliver(): Promise<{ id: number; delivery: string; proof: string }> {
    const { id } = (await call('POST', `/apps/${identifier}/deliveries`, deliveryBody())).json().data;
    const [row] = await api.database.query<{ plaintext: Buffer }>(
      `UPDATE deliveries SET status = 'success', success_count = $2, completed_at = now() WHERE id = $1
       RETURNING plaintext`,
      [id, READERS.length],
    );
    await acceptFor(
      api.database,
      id,
      READERS.map((_, seq) => seq),
    );
    const { delivery, proof } = JSON.parse(String(row?.plaintext)).notification.data;
    return { id, delivery, proof };
  }

  const clickCount = async (id: number): Promise<number> =>
    (await call('GET', `/apps/${identifier}/deliveries/${id}`)).json().data.click_count;
  const figures = async (question: string) =>
    (await call('GET', `/apps/${identifier}/analytics/${question}`)).json();

  it('counts once, however often it is sent', async () => {
    for (const userId of READERS) {
      const subscription = { endpoint: newEndpoint(), keys: newKeys() };
      const browserSecret = secretOf(userId);
      expect(await post('subscribe', { userId, browserSecret, subscription })).toBe(200);
    }
    const first = await deliver();
    const second = await deliver();
    const report = (of: typeof first, reader: string, type: string, id: string) =>
      post('beacon', {
        ...{ delivery: of.delivery, proof: of.proof },
        ...(reader === 'stranger' ? { userId: 'ann' } : { browserSecret: secretOf(reader) }),
        events: [{ id, type }],
      });
    const statuses = await Promise.all([
      report(first, 'ann', 'displayed', 'display-ann'),
      report(first, 'ben', 'displayed', 'display-ben'),
      report(first, 'ben', 'closed', 'closed-ben'),
      report(first, 'ann', 'clicked', 'click-ann-1'),
      report(first, 'ann', 'clicked', 'click-ann-1'),
      report(first, 'ann', 'clicked', 'click-ann-2'),
      report(first, 'cem', 'clicked', 'click-cem-1'),
      report(first, 'dia', 'clicked', 'click-dia-1'),
      report(first, 'stranger', 'clicked', 'click-claimed'),
      report(second, 'ann', 'clicked', 'click-ann-3'),
    ]);
    expect(new Set(statuses)).toEqual(new Set([204]));
    await until('the clicks are recorded', async () => (await clickCount(first.id)) === 3);
    // Reported again later, in another batch.
    await report(first, 'ann', 'clicked', 'click-ann-1');
    await report(first, 'stranger', 'clicked', 'click-claimed');
    await report(second, 'ann', 'clicked', 'click-ann-9');
    await report(second, 'ben', 'clicked', 'click-ben-9');
    await until('the later ones too', async () => (await clickCount(second.id)) === 2);
    expect(await clickCount(first.id)).toBe(3);

    expect(await figures('overview')).toMatchObject({
      total_subscribers: 4,
      total_deliveries: 2,
      total_clicks: 5,
      avg_click_rate: 62.5,
    });
    expect((await figures('subscribers?days=1')).growth).toMatchObject([{ new_subscribers: 4 }]);
    expect(await figures('deliveries?days=1')).toMatchObject({
      daily_stats: [{ total: 2, successful: 2, notifications_sent: 8, clicks: 5 }],
      status_breakdown: { success: 2, partial: 0, failed: 0, cancelled: 0 },
    });
    expect(await figures('engagement?days=1')).toMatchObject({
      engagement_by_day: [{ avg_click_rate: 62.5, total_clicks: 5, total_sent: 8 }],
      top_performing_deliveries: [
        { id: first.id, click_count: 3, click_rate: 75 },
        { id: second.id, click_count: 2, click_rate: 50 },
      ],
    });
  });

  it('is on the subscription that clicked, with its time', async () => {
    const rows = await api.database.query<{ user_identity: string; seq: number; clicked: boolean }>(
      `SELECT user_identity, seq, last_clicked_at > now() - interval '1 minute' AS clicked FROM subscriptions ORDER BY seq`,
    );
    expect(rows.map(({ user_identity, clicked }) => [user_identity, clicked])).toEqual([
      ['ann', true],
      ['ben', true],
      ['cem', true],
      ['dia', true],
    ]);
    const [app] = await api.database.query<{ id: number }>('SELECT id FROM apps');
    const clicks = await createAnalytics(clickhouse).subscriptionClicks(
      app?.id as never,
      rows.map(({ seq }) => seq),
    );
    expect(rows.map(({ seq }) => clicks.get(seq) ?? 0)).toEqual([2, 1, 1, 1]);
  });

  it('of a test is counted on its own page, and nowhere else', async () => {
    const { id, delivery, proof } = await deliver();
    await api.database.query(
      `UPDATE deliveries SET test = true, campaign_part = '{"kind": "named", "seqs": [0, 1]}' WHERE id = $1`,
      [id],
    );
    const clickedAt = () => api.database.query('SELECT last_clicked_at FROM subscriptions ORDER BY seq');
    const all = async () => {
      await api.database.query('DELETE FROM analytics_cache');
      const pages = ['overview', 'deliveries?days=1', 'engagement?days=1', 'funnel?days=1'];
      const { data } = (await call('GET', `/apps/${identifier}/subscriptions`)).json();
      const readers = data.map((each: Record<string, unknown>) => each.notifications_clicked);
      return [await Promise.all(pages.map(figures)), readers, await clickedAt()];
    };
    const before = await all();
    const events = [{ id: 'click-test', type: 'clicked' }];
    await post('beacon', { delivery, proof, browserSecret: secretOf('ann'), events });
    await until('it is recorded', async () => (await clickCount(id)) === 1);
    expect(await all()).toEqual(before);
    const results = (await call('GET', `/apps/${identifier}/deliveries/${id}/test-results`)).json().data;
    expect(results.browsers.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      'accepted',
      'clicked',
    ]);
  });
});
