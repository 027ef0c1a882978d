// tier: postgres
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AT_ONCE_OF_ORGANIZATION } from '../../../reporting/schedules/run.ts';
import { cases } from '../../support/cases.ts';
import { startReceiver } from '../../support/webhooks.ts';
import { createTestReporting, type TestReporting, until } from '../support.ts';
import {
  fireNow,
  isDone,
  type Owned,
  ownerOf,
  runThat,
  startTestSchedules,
  type TestSchedules,
  toReceiver,
} from './support.ts';

/** One organization's schedules are broken, and another one's come through. */

const webhook = { cron: '0 7 1 1 *', webhook: { url: 'https://hook.example/reports' } };

let reporting: TestReporting;
let own: TestSchedules;
beforeEach(async () => {
  reporting = await createTestReporting();
  own = await startTestSchedules(reporting);
});
afterEach(async () => {
  await own.close();
  await reporting.close();
});

const owner = (): Promise<Owned> => ownerOf(reporting, own.app);

/** A schedule that is due now. */
async function goodOne(url: string): Promise<{ readonly sound: Owned; readonly id: number }> {
  const sound = await owner();
  const { id } = await sound.schedule(webhook);
  await toReceiver(reporting, id, url);
  await fireNow(reporting, id);
  return { sound, id };
}

it('of an organization whose receivers never answer leave others their turn', async () => {
  const silent: ServerResponse[] = [];
  const server = createServer((_request, response) => void silent.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hung = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const receiver = await startReceiver(200);
  const slow = await owner();
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await slow.schedule(webhook)).id));
  for (const id of ids) await toReceiver(reporting, id, hung);
  await reporting.database.query('UPDATE report_schedules SET next_at = now() WHERE id = ANY ($1)', [ids]);
  own.schedules.wake();
  await until(async () => silent.length > 0);
  const { sound, id } = await goodOne(receiver.url);
  await runThat(reporting, own, sound, id, isDone);
  expect(silent.length).toBeLessThanOrEqual(AT_ONCE_OF_ORGANIZATION);
  await own.schedules.close();
  receiver.close();
  server.closeAllConnections();
  server.close();
});

const odd = fc.oneof(
  fc.constantFrom('', 'constructor', '__proto__', 'infinity', '0 0 30 2 *', '9999-12-31', '\\ud800', 'NaN'),
  fc.string({ maxLength: 20, unit: fc.constantFrom(...'aZ0 *-/,:+{}[]"') }),
);
/** As a newer release, or nobody, would have written them. */
const poison = fc.record({
  cron: fc.option(odd),
  zone: odd,
  format: fc.oneof(fc.constantFrom('csv', 'parquet'), odd),
  destination: fc.oneof(
    fc.json({ maxDepth: 2 }),
    odd.map((kind) => JSON.stringify({ kind })),
  ),
  period: fc.option(odd),
  request: fc.oneof(
    fc.json({ maxDepth: 2 }),
    fc.record({ selectedDate: fc.tuple(odd, odd), timezone: odd }).map((one) => JSON.stringify(one)),
  ),
  nextAt: fc.constantFrom('-infinity', '0001-01-01 BC', '2026-01-01', 'now'),
  sealed: fc.option(fc.constant('\\x00')),
});

const write = `WITH saved AS (UPDATE saved_reports SET period = $2, request = $3 WHERE id = $1 RETURNING id)
  INSERT INTO report_schedules (organization_id, saved_id, token_id, made_by, cron, zone, format, destination, next_at, secret_sealed)
  SELECT organization_id, $1, (SELECT id FROM report_tokens WHERE user_id = $9), $9, $4, $5, $6, $7, $8, $10
  FROM users WHERE id = $9 AND EXISTS (SELECT FROM saved) RETURNING id`;

it('of rows that nobody can read leave others their turn', async () => {
  const receiver = await startReceiver(200);
  const property = fc.asyncProperty(fc.array(poison, { minLength: 1, maxLength: 6 }), async (rows) => {
    for (const { cron, zone, format, destination, period, request, nextAt, sealed } of rows) {
      const { userId, savedId } = await owner();
      const values = [savedId, period, request, cron, zone, format, destination, nextAt, userId, sealed];
      const [row] = await reporting.database.query<{ id: number }>(write, values);
      await reporting.database.query(
        `INSERT INTO report_runs (schedule_id, key, today, due_at) VALUES ($1, 'by hand', 'infinity', '-infinity'),
           ($1, 'again', '2026-01-01', now() - interval '1 year')`,
        [row?.id],
      );
    }
    const { sound, id } = await goodOne(receiver.url);
    expect(await runThat(reporting, own, sound, id, isDone)).toMatchObject({ attempts: 0 });
  });
  await fc.assert(property, { numRuns: cases(4, 40) });
  receiver.close();
});
