// tier: postgres
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { startNotify } from '../../engine/compose/outgoing-loops.ts';
import { buildAlertChannel } from '../support/alerts.ts';
import { buildApp, buildDelivery, testSealer } from '../support/builders.ts';
import { loopbackAllowed } from '../support/images.ts';
import { createTestDatabase } from '../support/postgres.ts';

it('two engines send an alert of a failed delivery by themselves, once', async () => {
  const test = await createTestDatabase();
  const ids: unknown[] = [];
  const server = createServer((request, response) => {
    ids.push(request.headers['webhook-id']);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const app = await buildApp(test.database);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await buildAlertChannel(test.database, app.organizationId, { address });
  const id = await buildDelivery(test.database, app.id, { status: 'failed' });
  await test.database.query(`UPDATE deliveries SET completed_at = now() WHERE id = $1`, [id]);
  const parts = {
    database: test.database,
    sealer: testSealer,
    logger: createLogger({ level: 'silent', role: 'engine' }),
    mail: { smtpUrl: null, mailFrom: null },
    addresses: loopbackAllowed,
  };
  const engines = [startNotify(parts), startNotify(parts)];
  const look = setInterval(() => {
    for (const engine of engines) engine.nudge('alerts');
  }, 100);
  const states = () => test.database.query(`SELECT state FROM alert_sends`);
  await expect.poll(states).toEqual([{ state: 'sent' }]);
  clearInterval(look);
  await Promise.all(engines.map((engine) => engine.close()));
  expect(ids).toHaveLength(1);
  server.close();
  await test.drop();
});
