// tier: postgres
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFindDue } from '../../engine/adapters/postgres/due-work.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildAlertChannel } from '../support/alerts.ts';
import { acceptFor, buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { buildEndpoint, buildMessage } from '../support/webhooks.ts';

const MINUTE_MS = 60_000;

describe('what may be due', () => {
  let test: TestDatabase;
  let appId: AppId;
  let organizationId: number;
  beforeAll(async () => {
    test = await createTestDatabase();
    ({ id: appId, organizationId } = await buildApp(test.database));
  });
  afterAll(() => test.drop());

  const at = (minutes: number): Date => new Date(Date.now() + minutes * MINUTE_MS);
  const find = async () => {
    const beside: string[] = [];
    const sending = await createFindDue(test.database, (work) => beside.push(work))();
    return [...sending, ...beside];
  };
  const run = (text: string) => test.database.query(text, [appId]);
  const campaign = (kind: 'feed' | 'recurring', minutes: number) =>
    test.database.query(
      `INSERT INTO campaigns (app_id, kind, name, settings, progress, next_step_at)
       VALUES ($1, $2, 'Morning', '{}', '{}', $3)`,
      [appId, kind, at(minutes)],
    );
  const welcome = async (minutes: number) => {
    await run(`INSERT INTO welcome_templates (app_id, enabled, title, body, url, delay_minutes)
      VALUES ($1, true, 'Hello', 'World', 'https://news.example/', 0)`);
    await test.database.query('INSERT INTO welcomes (app_id, seq, due_at) VALUES ($1, 1, $2)', [
      appId,
      at(minutes),
    ]);
  };
  const queued = async (assignment: string) => {
    await buildDelivery(test.database, appId, { status: 'queued' });
    await run(`UPDATE deliveries SET ${assignment} WHERE app_id = $1`);
  };
  const heldOf = async (state: 'running' | 'settled', assignment: string) => {
    const ended = await buildDelivery(test.database, appId, { status: 'cancelled' });
    await acceptFor(test.database, ended, [1], { state });
    await run(`UPDATE shards SET ${assignment} WHERE app_id = $1`);
  };
  const sampled = async (secondsAgo: number) => {
    const id = await buildDelivery(test.database, appId, { status: 'processing' });
    await test.database.query(
      `INSERT INTO progress_samples (delivery_id, at, ended) VALUES ($1, now() - make_interval(secs => $2), 0)`,
      [id, secondsAgo],
    );
  };
  const end = () => run(`UPDATE deliveries SET status = 'success' WHERE app_id = $1`);
  const webhook = async ({ enabled = true, paused }: { enabled?: boolean; paused?: Date }) => {
    const id = await buildEndpoint(test.database, organizationId);
    await buildMessage(test.database, id);
    await test.database.query('UPDATE webhook_endpoints SET enabled = $2, paused_until = $3 WHERE id = $1', [
      id,
      enabled,
      paused,
    ]);
  };
  const alert = async (minutes: number) => {
    const channel = await buildAlertChannel(test.database, organizationId);
    await test.database.query(
      `WITH alert AS (
         INSERT INTO alerts (organization_id, kind, key) VALUES ($1, 'delivery-failed', '1') RETURNING id)
       INSERT INTO alert_sends (alert_id, channel_id, state, due_at) SELECT id, $2, 'waiting', $3 FROM alert`,
      [organizationId, channel, at(minutes)],
    );
  };
  const email = (endsInMinutes: number) =>
    test.database.query(
      `INSERT INTO letters (kind, address, ends_at) VALUES ('invitation', 'ada@example.com', $1)`,
      [at(endsInMinutes)],
    );
  const clear = async () => {
    await test.database.query('DELETE FROM progress_samples');
    for (const table of ['blocks', 'shards', 'deliveries', 'campaigns', 'welcomes', 'welcome_templates'])
      await run(`DELETE FROM ${table} WHERE app_id = $1`);
    const others = ['webhook_messages', 'webhook_endpoints', 'alert_sends', 'alerts', 'alert_channels'];
    for (const table of [...others, 'letters']) await test.database.query(`DELETE FROM ${table}`);
  };

  const cases: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
    ['nothing on an empty installation', async () => {}, []],
    [
      'a delivery whose time has come',
      () => buildDelivery(test.database, appId, { status: 'scheduled', scheduledAt: at(-1) }),
      ['schedule'],
    ],
    [
      'none that is still to come',
      () => buildDelivery(test.database, appId, { status: 'scheduled', scheduledAt: at(1) }),
      [],
    ],
    [
      'shards of a delivery that runs',
      () => buildDelivery(test.database, appId, { status: 'processing' }),
      ['schedule', 'samples'],
    ],
    ['no sample where one was just taken', () => sampled(0), ['schedule']],
    ['samples that are to be removed', () => sampled(60).then(() => end()), ['samples']],
    ['a webhook', () => webhook({}), ['webhooks']],
    ['no webhook of an endpoint that is paused', () => webhook({ paused: at(1) }), []],
    ['no webhook of one that is disabled', () => webhook({ enabled: false }), []],
    ['an alert', () => alert(-1), ['alerts']],
    ['no alert before its next attempt', () => alert(1), []],
    ['an e-mail', () => email(1), ['emails']],
    ['no e-mail whose link has ended', () => email(-1), []],
    [
      'a shard that a dead engine held of a cancelled delivery',
      () => heldOf('running', `due_at = now()`),
      ['schedule'],
    ],
    ['none of deliveries that have ended', () => heldOf('settled', `due_at = now()`), []],
    [
      'a message that the log may have lost',
      () => queued(`updated_at = now() - interval '6 minutes'`),
      ['schedule'],
    ],
    ['a plan that was postponed', () => queued(`plan_after = now() - interval '1 second'`), ['schedule']],
    ['none that was queued a moment ago', () => queued('plan_after = NULL'), []],
    ['a campaign’s step', () => campaign('recurring', -1), ['campaigns']],
    ['a feed', () => campaign('feed', -1), ['feeds']],
    ['no campaign before its time', () => campaign('feed', 1).then(() => campaign('recurring', 1)), []],
    ['welcomes', () => welcome(-1), ['welcomes']],
    ['no welcome before its time', () => welcome(1), []],
  ];
  it.each(cases)('is %s', async (_what, make, expected) => {
    await make();
    try {
      expect(await find()).toEqual(expected);
    } finally {
      await clear();
    }
  });
});
