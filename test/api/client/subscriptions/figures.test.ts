// tier: system, clickhouse
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalyticsPort } from '../../../../api/serve/analytics-port.ts';
import { createAnalytics } from '../../../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../../../engine/adapters/clickhouse/clickhouse.ts';
import { createEarnings } from '../../../../engine/adapters/clickhouse/earnings.ts';
import { createEventStore } from '../../../../engine/adapters/clickhouse/event-store.ts';
import { createEngagementStore } from '../../../../engine/adapters/postgres/record/engagement-store.ts';
import { systemClock } from '../../../../engine/contract/concurrency/clock.ts';
import type { ReportedEvent } from '../../../../engine/contract/topics.ts';
import type { RecordStage } from '../../../../engine/intake/consume-batches.ts';
import { createEventsStage } from '../../../../engine/record/events-stage.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { cases } from '../../../support/cases.ts';
import { until } from '../../../support/engine-harness.ts';
import { createMemoryLog } from '../../../support/memory-log/log.ts';
import { createMemoryStore } from '../../../support/memory-log/store.ts';
import { createSentShards } from '../../../support/sent-shards.ts';
import { openTestClickHouse } from '../../../support/test-clickhouse.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../../support.ts';
import {
  clicksOf,
  type History,
  histories,
  listOf,
  modelOf,
  type Question,
  questions,
  type Shown,
} from './model.ts';

/** Histories through the engine's stores, record and both databases, read again over the API. */
describe('the figures of each subscription in lists', () => {
  const log = createMemoryLog({ store: createMemoryStore(), clock: systemClock });
  let clickhouse: ClickHouse;
  let api: TestApi;
  let stage: RecordStage;
  let batches = 0;
  beforeAll(async () => {
    clickhouse = await openTestClickHouse();
    const analytics = createAnalyticsPort(createAnalytics(clickhouse), createEarnings(clickhouse));
    api = await createTestApi({ analytics, log });
    stage = createEventsStage({
      log,
      store: createEventStore(clickhouse),
      engagement: createEngagementStore(api.database),
      engagementAnswers: () => api.database.ping(),
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      metrics: { recordBatch: () => {}, backPressurePause: () => {} },
    });
    await stage.start();
  });
  afterAll(async () => {
    await stage.close(1_000);
    await api.close();
    await clickhouse.close();
  });

  async function insertSubscriptions(app: BuiltApp, { subscriptions }: History): Promise<void> {
    await api.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, user_identity, status, unsubscribed_at, device_type,
         browser_name, country, tags, created_at, last_seen_at)
       SELECT $1, seq, 'https://push.example/' || seq, '', '', user_identity, status, unsubscribed_at, device_type,
         browser_name, country, tags, created_at, last_seen_at
       FROM jsonb_to_recordset($2) AS given (seq integer, user_identity text, status text, unsubscribed_at timestamptz,
         device_type text, browser_name text, country text, tags jsonb, created_at timestamptz, last_seen_at timestamptz)`,
      [app.id, JSON.stringify(subscriptions)],
    );
    const active = subscriptions.filter(({ status }) => status === 'subscribed').length;
    await api.database.query(
      `UPDATE apps SET next_seq = $2, subscriber_count = $2, active_subscriber_count = $3 WHERE id = $1`,
      [app.id, subscriptions.length, active],
    );
  }

  /** In the order they come; each under its batch's name, some batches twice, and all are recorded in the end. */
  async function report(
    app: BuiltApp,
    deliveries: readonly number[],
    { batches: reported }: History,
  ): Promise<void> {
    const named = reported.map(({ events, again }) => ({ again, batch_id: `batch-${batches++}`, events }));
    for (const { again, batch_id, events } of [...named, ...named.filter((batch) => batch.again)]) {
      const value = {
        batch_id,
        events: events.map(
          ({ delivery, ...event }): ReportedEvent => ({
            ...event,
            app_id: app.id,
            delivery_id: deliveries[delivery] ?? 1,
          }),
        ),
      };
      await log.publish('events', [{ key: batch_id, value }, ...(again ? [{ key: batch_id, value }] : [])]);
    }
    await until('all events to be recorded', async () => (await log.lag('events')) === 0);
  }

  const idsOf = async (app: BuiltApp): Promise<Map<number, number>> => {
    const rows = await api.database.query<{ seq: number; id: number }>(
      `SELECT seq, id FROM subscriptions WHERE app_id = $1`,
      [app.id],
    );
    return new Map(rows.map(({ seq, id }) => [id, seq]));
  };

  it('equal those of a plain model, for any history of sends, clicks and deletions, in any order and filter', async () => {
    await fc.assert(
      fc.asyncProperty(histories, questions, async (history, asked) => {
        const app = await buildApp(api.database);
        const call = callAs(
          api.app,
          await createMember(api.database, { organizationId: app.organizationId }),
        );
        const path = `/apps/${app.identifier}/subscriptions`;
        await insertSubscriptions(app, history);
        const seqOf = await idsOf(app);
        const sender = createSentShards(api.database, app);
        const deliveries: number[] = [];
        for (const accepted of history.sends)
          deliveries.push(await sender.send((seq) => accepted.includes(seq)));
        await report(app, deliveries, history);
        for (const [id, seq] of seqOf)
          if (history.deleted.includes(seq))
            expect((await call('DELETE', `${path}/${id}`)).statusCode).toBe(204);

        const clicks = clicksOf(history);
        const listed = (await call('GET', `/apps/${app.identifier}/deliveries`)).json().data;
        // Only subscribers who were sent a delivery clicked it.
        const sentTo = (seqs: readonly number[]): number =>
          history.subscriptions.filter(({ seq, status }) => status === 'subscribed' && seqs.includes(seq))
            .length;
        const within = clicks.map((count, n) => Math.min(count, sentTo(history.sends[n] ?? [])));
        expect(listed.map((each: { click_count: number }) => each.click_count)).toEqual(within.toReversed());
        const overview = (await call('GET', `/apps/${app.identifier}/analytics/overview`)).json();
        expect(overview.total_clicks).toBe(within.reduce((sum, each) => sum + each, 0));

        const model = modelOf(history);
        for (const question of asked) {
          const answer = await call('GET', `${path}?${queryOf(question)}`);
          expect(answer.statusCode, answer.body).toBe(200);
          const { data, meta } = answer.json();
          const shown = data.map((row: Shown & { id: number }) => shownOf(row, seqOf.get(row.id) ?? -1));
          const expected = listOf(model, question);
          expect([question, shown, meta.total]).toEqual([question, expected.page, expected.total]);
        }
      }),
      { numRuns: cases(5, 15), interruptAfterTimeLimit: 90_000 },
    );
  });
});

const queryOf = ({ sort, direction, filters, page, perPage }: Question): string =>
  new URLSearchParams({
    sort,
    direction,
    ...filters,
    page: String(page),
    per_page: String(perPage),
  }).toString();

const shownOf = (row: Shown, seq: number): Shown => ({
  seq,
  notifications_sent: row.notifications_sent,
  notifications_clicked: row.notifications_clicked,
  click_rate: row.click_rate,
  last_clicked_at: row.last_clicked_at,
  last_seen_at: row.last_seen_at,
});
