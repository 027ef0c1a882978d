import { buildAlertChannel } from '../../support/alerts.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import type { Stand } from './stand.ts';

/** A channel of each kind, one of them disabled, and alerts in each state of a send. */
export async function fillAlerts({ api }: Stand, organizationId: number, app: string): Promise<void> {
  const { database } = api;
  const appId = await appIdOf(database, app);
  const mail = await buildAlertChannel(database, organizationId, {
    kind: 'email',
    address: 'a.rather.long.name.of.somebody.in.operations@newsroom.example.com',
    alertKinds: ['delivery-failed'],
  });
  const hook = await buildAlertChannel(database, organizationId, {
    address: 'https://operations.example.com/broadside/alerts/of/the/newsroom',
  });
  const slack = await buildAlertChannel(database, organizationId, {
    kind: 'slack',
    address: 'https://hooks.slack.com',
  });
  await database.query(
    `UPDATE alert_channels SET enabled = false, disabled_reason = 'The receiver wants no more: answered 410' WHERE id = $1`,
    [slack],
  );
  for (const [index, [kind, detail]] of happened.entries()) {
    await database.query(
      `WITH alert AS (
         INSERT INTO alerts (organization_id, app_id, kind, key, detail)
         VALUES ($1, $2, $3, $4, $5) RETURNING id
       )
       INSERT INTO alert_sends (alert_id, channel_id, state, attempts, more, last_answer, last_at)
       SELECT alert.id, sent.* FROM alert, (VALUES
         ($6::bigint, 'sent', 1, 3, '250 2.0.0 OK', now()),
         ($7::bigint, 'waiting', 2, 0, 'answered 503', now()),
         ($8::bigint, 'failed', 1, 0, 'answered 410', now())) AS sent`,
      [
        organizationId,
        'delivery' in detail ? appId : null,
        kind,
        `world-${index}`,
        detail,
        mail,
        hook,
        slack,
      ],
    );
  }
}

const delivery = 'dlv_4f0c2c1d';
const happened = [
  ['delivery-failed', { delivery, name: 'Morning', reason: 'The audience could not be read.' }],
  ['delivery-stuck', { delivery, name: 'Noon', minutes: 60 }],
  [
    'standing-changed',
    {
      ...{ service: 'fcm', standing: 'limited', since: '2026-01-31 09:12 UTC', allowed_per_minute: 1_000 },
      ...{ probable_end: '2026-02-01 09:12 UTC', ended: null },
    },
  ],
  ['unusual-unsubscribing', { delivery, name: 'Evening', unsubscribed: 41, times: '4.2' }],
  ['ad-statistics-late', { complete_until: '2026-01-29 00:00 UTC' }],
  [
    'feed-broken',
    { campaign: 7, name: 'News feed', state: 'broken', failures: 3, reason: 'The feed answered 404.' },
  ],
  ['test', {}],
] as const;
