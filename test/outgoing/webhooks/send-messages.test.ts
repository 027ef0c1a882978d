// tier: postgres
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointContext } from '../../../engine/contract/webhooks.ts';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { type BuiltApp, buildApp, testSealer } from '../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import {
  type Answering,
  buildEndpoint,
  buildMessage,
  createTestMessages,
  endpointRow,
  messagesOf,
  type Receiver,
  startReceiver,
} from '../../support/webhooks.ts';

let test: TestDatabase;
let app: BuiltApp;
const receivers: Receiver[] = [];
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database);
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) receiver.close();
  await test.drop();
});

async function receiver(answer: Answering | number, headers?: Record<string, string>): Promise<Receiver> {
  const started = await startReceiver(answer, headers);
  receivers.push(started);
  return started;
}
const endpointAt = ({ url }: { url: string }, of = app) =>
  buildEndpoint(test.database, of.organizationId, { url });
const dueNow = async () => {
  await test.database.query(`UPDATE webhook_messages SET due_at = now() WHERE state = 'waiting'`);
  await test.database.query(`UPDATE webhook_endpoints SET paused_until = NULL`);
};
/** When it is sent to again. */
async function nextDueMs(endpoint: number): Promise<number> {
  const [row] = await test.database.query<{ at: Date }>(
    `SELECT greatest(min(due_at), paused_until) AS at FROM webhook_messages
     JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id
     WHERE endpoint_id = $1 AND webhook_messages.state = 'waiting' GROUP BY paused_until`,
    [endpoint],
  );
  return row?.at.getTime() ?? 0;
}
const idsOf = ({ got }: Receiver) => got.map((each) => each.headers['webhook-id']);
const nobody = { busyOrganizations: [], busyEndpoints: [], usedEndpoints: [] };

describe('sending webhooks', () => {
  it('signs by Standard Webhooks, and keeps the answer', async () => {
    const at = await receiver(() => ({ status: 202, body: `got it\0${'x'.repeat(5_000)}` }));
    const endpoint = await endpointAt(at);
    await buildMessage(test.database, endpoint, { data: { status: 'success' } });
    await createTestMessages(test.database).sendAll();
    const { headers = {}, body = '' } = at.got[0] ?? {};
    const verifier = new Webhook(`whsec_${Buffer.alloc(32, 5).toString('base64')}`);
    expect(verifier.verify(body, headers as Record<string, string>)).toEqual({
      type: 'delivery.success',
      timestamp: expect.stringMatching(/Z$/),
      data: { status: 'success' },
    });
    expect(() => verifier.verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    const [message] = await messagesOf(test.database, endpoint);
    expect(message).toMatchObject({
      state: 'sent',
      attempts: 1,
      answers: [{ status: 202, words: 'answered 202' }],
    });
    expect(message?.answers[0]?.body).toBe(`got it\ufffd${'x'.repeat(1_024 - 7)}`);
    expect(await endpointRow(test.database, endpoint)).toMatchObject({ failures: 0, failing: false });
  });

  it('signs with both secrets for a day after a rotation, and then with the new one', async () => {
    const at = await receiver(204);
    const endpoint = await endpointAt(at);
    const fresh = Buffer.alloc(32, 9);
    await test.database.query(
      `UPDATE webhook_endpoints SET old_secret_sealed = secret_sealed, secret_sealed = $2,
         old_secret_until = now() + interval '24 hours' WHERE id = $1`,
      [endpoint, testSealer.seal(fresh, endpointContext(endpoint))],
    );
    await buildMessage(test.database, endpoint);
    await createTestMessages(test.database).sendAll();
    await test.database.query(`UPDATE webhook_endpoints SET old_secret_until = now()`);
    await buildMessage(test.database, endpoint);
    await createTestMessages(test.database).sendAll();
    const verified = at.got.map(({ body, headers }) =>
      [Buffer.alloc(32, 5), fresh].map((key) => {
        try {
          new Webhook(`whsec_${key.toString('base64')}`).verify(body, headers as Record<string, string>);
          return true;
        } catch {
          return false;
        }
      }),
    );
    expect(verified).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('repeats a message under its id after a crash between sending and its note', async () => {
    const at = await receiver(200);
    const endpoint = await endpointAt(at);
    await buildMessage(test.database, endpoint);
    await buildMessage(test.database, endpoint);
    const { store, sendMessage, sendAll } = createTestMessages(test.database);
    for (const claimed of await store.claim(1, nobody)) await sendMessage(claimed);
    // The process is gone, its lease is not: nobody sends the message, nor the one after it.
    await sendAll();
    expect(at.got.length).toBe(1);
    await dueNow();
    await sendAll();
    const [first, repeat, second] = idsOf(at);
    expect([at.got.length, repeat]).toEqual([3, first]);
    expect(second).not.toBe(first);
    expect(at.got[1]?.body).toBe(at.got[0]?.body);
    expect(await messagesOf(test.database, endpoint)).toMatchObject([
      { state: 'sent', attempts: 2 },
      { state: 'sent', attempts: 1 },
    ]);
  });

  it('ignores the note of an attempt whose lease another engine has taken', async () => {
    const endpoint = await endpointAt({ url: 'https://hook.example/' });
    await buildMessage(test.database, endpoint);
    const { store } = createTestMessages(test.database);
    const [first] = await store.claim(1, nobody);
    await dueNow();
    const [second] = await store.claim(1, nobody);
    if (first === undefined || second === undefined) throw new Error('nothing was claimed');
    const answer = { at: '', status: 410, words: 'answered 410', body: '', took_ms: 1 };
    await store.note(first, { kind: 'unwanted' }, answer);
    expect(await endpointRow(test.database, endpoint)).toMatchObject({ enabled: true, failures: 0 });
    expect(await messagesOf(test.database, endpoint)).toMatchObject([{ state: 'waiting', answers: [] }]);
    await store.note(second, { kind: 'sent' }, { ...answer, status: 200 });
    expect(await messagesOf(test.database, endpoint)).toMatchObject([{ state: 'sent' }]);
  });

  it('keeps the order of a delivery over failures, and other deliveries do not wait for it', async () => {
    let failsFor = 'delivery.queued';
    const at = await receiver(({ type }) => ({ status: type === failsFor ? 500 : 200 }));
    const endpoint = await endpointAt(at);
    for (const type of ['delivery.pending', 'delivery.queued', 'delivery.success'])
      await buildMessage(test.database, endpoint, { type });
    await buildMessage(test.database, endpoint, { type: 'delivery.failed', subject: 'delivery 2' });
    const { sendAll } = createTestMessages(test.database);
    const taken = () => at.got.map(({ type }) => type);
    await sendAll();
    await test.database.query(`UPDATE webhook_endpoints SET paused_until = NULL`);
    await sendAll();
    expect(taken().toSorted()).toEqual(['delivery.failed', 'delivery.pending', 'delivery.queued']);
    failsFor = '';
    await dueNow();
    await sendAll();
    expect(taken().slice(3)).toEqual(['delivery.queued', 'delivery.success']);
    expect(await endpointRow(test.database, endpoint)).toMatchObject({ failures: 0, failing: false });
  });

  it('goes on with what comes after a message that was given up', async () => {
    const at = await receiver(({ type }) => ({ status: type === 'delivery.queued' ? 500 : 200 }));
    const endpoint = await endpointAt(at);
    for (const type of ['delivery.queued', 'delivery.success'])
      await buildMessage(test.database, endpoint, { type });
    const other = await buildMessage(test.database, endpoint, { subject: 'delivery 2' });
    const { sendAll } = createTestMessages(test.database);
    await sendAll();
    await test.database.query(
      `UPDATE webhook_messages SET first_attempt_at = now() - interval '3 days' WHERE id <> $1`,
      [other],
    );
    await dueNow();
    await sendAll();
    await dueNow();
    await sendAll();
    expect((await messagesOf(test.database, endpoint)).map(({ state }) => state)).toEqual([
      'failed',
      'sent',
      'sent',
    ]);
  });

  it('retries for three days, then disables the endpoint with the reason; an hour apart at most', async () => {
    const at = await receiver(503);
    const endpoint = await endpointAt(at);
    await buildMessage(test.database, endpoint);
    await buildMessage(test.database, endpoint, { subject: 'delivery 2' });
    const startMs = Date.now();
    let nowMs = startMs;
    const { sendAll } = createTestMessages(test.database, { now: () => new Date(nowMs) });
    const times: number[] = [];
    while (
      (await endpointRow(test.database, endpoint))?.enabled === true &&
      nowMs < startMs + 90 * 3_600_000
    ) {
      const dueMs = await nextDueMs(endpoint);
      const before = at.got.length;
      if (dueMs > nowMs) {
        nowMs = Math.max(nowMs, dueMs - 1_000);
        await sendAll();
        expect(at.got.length, 'sent before it was due').toBe(before);
      }
      nowMs = Math.max(nowMs, dueMs);
      await sendAll();
      expect(at.got.length).toBeGreaterThan(before);
      times.push(nowMs);
    }
    const hours = (nowMs - startMs) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThan(74);
    expect(Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toBeLessThanOrEqual(
      3_720_000,
    );
    // One probe at a time, however much waits.
    expect(at.got.length).toBeLessThan(90);
    expect((await endpointRow(test.database, endpoint))?.disabled_reason).toBe(
      'Every attempt of 3 days failed; the last one: answered 503',
    );
    const messages = await messagesOf(test.database, endpoint);
    expect(messages.map(({ state }) => state)).toEqual(['failed', 'failed']);
    for (const { answers } of messages) expect(answers.length).toBeLessThanOrEqual(20);
  });

  it('disables an endpoint that answers 410 at once', async () => {
    const at = await receiver(410);
    const endpoint = await endpointAt(at);
    await buildMessage(test.database, endpoint);
    await buildMessage(test.database, endpoint);
    await createTestMessages(test.database).sendAll();
    expect(await endpointRow(test.database, endpoint)).toMatchObject({
      enabled: false,
      disabled_reason: 'The receiver wants no more: answered 410',
    });
    expect((await messagesOf(test.database, endpoint)).map(({ state }) => state)).toEqual([
      'failed',
      'failed',
    ]);
    expect(at.got.length).toBe(1);
  });

  it('refuses private addresses alike, whether somebody listens there or not', async () => {
    const at = await receiver(200);
    const { sendAll } = createTestMessages(test.database, { addresses: createPublicAddresses() });
    const endpoints: number[] = [];
    for (const url of [
      at.url,
      'http://127.0.0.1:1/',
      'http://localhost:1/',
      'http://[::1]/',
      'ftp://a.example/',
    ]) {
      endpoints.push(await endpointAt({ url }));
      await buildMessage(test.database, endpoints.at(-1) ?? 0);
    }
    await sendAll();
    for (const endpoint of endpoints)
      expect((await messagesOf(test.database, endpoint))[0]?.answers).toMatchObject([
        { status: null, words: 'could not be reached on the public internet', body: '' },
      ]);
    expect(at.got).toEqual([]);
  });

  it('follows no redirect', async () => {
    const inside = await receiver(200);
    const at = await receiver(302, { location: inside.url });
    const endpoint = await endpointAt(at);
    await buildMessage(test.database, endpoint);
    await createTestMessages(test.database).sendAll();
    expect((await messagesOf(test.database, endpoint))[0]?.answers[0]?.words).toBe(
      'answered 302: redirects are not followed',
    );
    expect(inside.got).toEqual([]);
  });

  it('lets a receiver that hangs hold up neither another endpoint nor another organization', async () => {
    const hanging = await receiver(0);
    const healthy = await receiver(200);
    const other = await buildApp(test.database);
    const slow = await endpointAt(hanging);
    for (let i = 0; i < 40; i++) await buildMessage(test.database, slow, { subject: `delivery ${i}` });
    const sibling = await endpointAt(healthy);
    const foreign = await endpointAt(healthy, other);
    await buildMessage(test.database, sibling);
    await buildMessage(test.database, foreign);
    const { messages } = createTestMessages(test.database, { deadlineMs: 60_000 });
    while ((await messages.step()) > 0);
    for (const endpoint of [sibling, foreign])
      await expect.poll(async () => (await messagesOf(test.database, endpoint))[0]?.state).toBe('sent');
    await expect.poll(() => hanging.got.length).toBe(4);
    hanging.close();
    await messages.idle();
  });

  it('sends one message at a time to an endpoint that fails, however much waits', async () => {
    const hanging = await receiver(0);
    const endpoint = await endpointAt(hanging);
    await test.database.query(`UPDATE webhook_endpoints SET failures = 1, failing_since = now()`);
    for (let i = 0; i < 5; i++) await buildMessage(test.database, endpoint, { subject: `delivery ${i}` });
    const { messages } = createTestMessages(test.database, { deadlineMs: 60_000 });
    let begun = 0;
    for (let i = 0; i < 5; i++) begun += await messages.step();
    expect(begun).toBe(1);
    hanging.close();
    await messages.idle();
  });

  it('ends at the deadline where a receiver answers and its body never ends', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200).write('a');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const endpoint = await endpointAt({ url: `http://127.0.0.1:${port}/` });
    await buildMessage(test.database, endpoint);
    await createTestMessages(test.database, { deadlineMs: 200 }).sendAll();
    expect(await messagesOf(test.database, endpoint)).toMatchObject([
      { state: 'sent', answers: [{ status: 200 }] },
    ]);
    server.closeAllConnections();
    server.close();
  });
});
