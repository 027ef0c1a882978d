import { buildEndpoint, buildMessage } from '../../support/webhooks.ts';
import type { Stand } from './stand.ts';

/** One that works, with a message in each state, and one that Broadside disabled. @returns the first one's id. */
export async function fillWebhooks({ api: { database } }: Stand, organizationId: number): Promise<number> {
  const webhook = await buildEndpoint(database, organizationId, {
    url: 'https://cms.newsroom.example.com/receivers/broadside?tenant=news&key=a0b1c2d3e4f5',
  });
  const disabled = await buildEndpoint(database, organizationId, {
    url: 'https://old.example.com/in',
    types: ['delivery.failed'],
  });
  await database.query(
    `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'Every attempt of 3 days failed; the last one: answered 503'
     WHERE id = $1`,
    [disabled],
  );
  await database.query(
    `UPDATE webhook_endpoints SET description = 'Newsroom', old_secret_until = now() + interval '1 day' WHERE id = $1`,
    [webhook],
  );
  const data = { app: 'example-news-k3x9qa', delivery: 'dlv_4f0c2c1d', name: 'Morning' };
  for (const [state, status, words] of answers) {
    const id = await buildMessage(database, webhook, { data, subject: state });
    const answer = { at: '2026-01-31T12:00:00Z', status, words, body: '{"ok": "perhaps"}', took_ms: 1_204 };
    await database.query(
      `UPDATE webhook_messages SET state = $2, attempts = 2, answers = $3, due_at = now() + interval '1 hour',
         ended_at = CASE WHEN $2 <> 'waiting' THEN now() END WHERE id = $1`,
      [id, state, JSON.stringify([answer])],
    );
  }
  return webhook;
}

const answers = [
  ['sent', 204, 'answered 204'],
  ['failed', null, 'could not be reached on the public internet'],
  ['waiting', 503, 'answered 503'],
] as const;
