// tier: postgres
import { expect, it } from 'vitest';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { startWebhooks } from '../../../engine/compose/webhook-loops.ts';
import { buildApp, buildDelivery, testSealer } from '../../support/builders.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { buildEndpoint, messagesOf, startReceiver } from '../../support/webhooks.ts';

const states = ['queued', 'processing', 'success'];
const DELIVERIES = 20;

it('two engines send the states of deliveries by themselves, each once and in order', async () => {
  const test = await createTestDatabase();
  // Every seventh request fails once.
  const at = await startReceiver((_, place) => ({ status: place % 7 === 3 ? 500 : 204 }));
  const app = await buildApp(test.database);
  const endpoint = await buildEndpoint(test.database, app.organizationId, { url: at.url });
  const parts = {
    database: test.database,
    sealer: testSealer,
    logger: createLogger({ level: 'silent', role: 'engine' }),
    addresses: loopbackAllowed,
  };
  const engines = [startWebhooks(parts), startWebhooks(parts)];
  const ids = await Promise.all(
    Array.from({ length: DELIVERIES }, () => buildDelivery(test.database, app.id, { status: 'pending' })),
  );
  for (const status of states)
    await Promise.all(
      ids.map((id) => test.database.query(`UPDATE deliveries SET status = $2 WHERE id = $1`, [id, status])),
    );
  // Pauses after a failure are for real receivers.
  const impatient = setInterval(() => {
    for (const engine of engines) engine.nudge('webhooks');
    void test.database.query(`UPDATE webhook_endpoints SET paused_until = NULL`);
    void test.database.query(`UPDATE webhook_messages SET due_at = now() WHERE state = 'waiting' AND answers <> '[]'
      AND attempts = jsonb_array_length(answers)`);
  }, 50);
  const allSent = async () =>
    (await messagesOf(test.database, endpoint)).filter(({ state }) => state === 'sent');
  await expect.poll(async () => (await allSent()).length).toBe(DELIVERIES * 4);
  clearInterval(impatient);
  await Promise.all(engines.map((engine) => engine.close()));
  at.close();
  const taken = at.got.filter((_, place) => place % 7 !== 3);
  expect(new Set(taken.map(({ headers }) => headers['webhook-id'])).size).toBe(DELIVERIES * 4);
  expect(taken).toHaveLength(DELIVERIES * 4);
  for (const id of ids) {
    const order = taken.map(({ body }) => JSON.parse(body).data).filter((data) => data.delivery_id === id);
    expect(order.map(({ status }) => status)).toEqual(['pending', ...states]);
  }
  await test.drop();
});
