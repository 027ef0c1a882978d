// tier: postgres
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from '../../../engine/adapters/mail/mailer.ts';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { endOf } from '../../../engine/outgoing/alerts/send-step.ts';
import { buildAlertChannel, createTestSender } from '../../support/alerts.ts';
import { type BuiltApp, buildApp } from '../../support/builders.ts';
import { mailServer } from '../../support/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

let test: TestDatabase;
let app: BuiltApp;
const servers: Server[] = [];
beforeEach(async () => {
  test = await createTestDatabase();
  app = await buildApp(test.database);
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await test.drop();
});

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** @param status 0: never answers. */
async function receiver(status: number, location?: string): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    got.push({ headers: request.headers, body });
    if (status > 0) response.writeHead(status, location === undefined ? {} : { location }).end('secret');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

/** An alert with a send to the channel, due now. */
async function buildSend(
  channelId: number,
  { name = 'Morning', key = 'one', of = app } = {},
): Promise<number> {
  const [row] = await test.database.query<{ id: number }>(
    `WITH alert AS (
       INSERT INTO alerts (organization_id, app_id, kind, key, detail) VALUES ($1, $2, 'delivery-failed', $3, $4) RETURNING id)
     INSERT INTO alert_sends (alert_id, channel_id, state, due_at) SELECT id, $5, 'waiting', now() FROM alert RETURNING id`,
    [of.organizationId, of.id, key, { name, delivery: 'dlv_1', reason: 'No key.' }, channelId],
  );
  return row?.id ?? 0;
}
const sendRow = async (id: number) =>
  (
    await test.database.query<{ state: string; attempts: number; last_answer: string | null; waits: number }>(
      `SELECT state, attempts, last_answer, round(extract(epoch FROM due_at - last_at))::integer AS waits FROM alert_sends WHERE id = $1`,
      [id],
    )
  )[0];
const channelRow = async (id: number) =>
  (
    await test.database.query<{ enabled: boolean; disabled_reason: string | null; failing: boolean }>(
      `SELECT enabled, disabled_reason, failing_since IS NOT NULL AS failing FROM alert_channels WHERE id = $1`,
      [id],
    )
  )[0];
const dueNow = () => test.database.query(`UPDATE alert_sends SET due_at = now() WHERE state = 'waiting'`);

describe('sending alerts', () => {
  it('signs a webhook by Standard Webhooks and notes the answer', async () => {
    const { url, got } = await receiver(204);
    const secret = Buffer.alloc(24, 5);
    const id = await buildSend(
      await buildAlertChannel(test.database, app.organizationId, { address: url, secret }),
    );
    await createTestSender(test.database).sendAll();
    expect(await sendRow(id)).toMatchObject({ state: 'sent', attempts: 1, last_answer: 'answered 204' });
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    const verifier = new Webhook(`whsec_${secret.toString('base64')}`);
    expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'alert.delivery-failed',
      data: { app: app.identifier, title: 'A delivery failed (Daily Example)', more: 0 },
    });
    expect(() => verifier.verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  it('sends Slack text and blocks to the sealed URL, its markup escaped', async () => {
    const { url, got } = await receiver(200);
    const slack = { kind: 'slack', address: 'https://hooks.slack.com', secret: url } as const;
    await buildSend(await buildAlertChannel(test.database, app.organizationId, slack), {
      name: '<!channel>',
    });
    await createTestSender(test.database).sendAll();
    const body = JSON.parse(got[0]?.body ?? '{}') as { text: string; blocks: unknown[] };
    expect(body.text).toContain('“&lt;!channel&gt;” (dlv_1) failed. No key.');
    expect(body.blocks).toHaveLength(1);
    expect(got[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('repeats a send under the same id after a crash between sending and its note', async () => {
    const { url, got } = await receiver(200);
    const id = await buildSend(await buildAlertChannel(test.database, app.organizationId, { address: url }));
    const { store, sendAlert, sendAll } = createTestSender(test.database);
    for (const claimed of await store.claim(1, [])) await sendAlert(claimed);
    await sendAll();
    expect(got.length).toBe(1);
    // The lease of the process that died ends.
    await dueNow();
    await sendAll();
    expect(got.map(({ headers }) => headers['webhook-id'])).toEqual([`alert_${id}`, `alert_${id}`]);
    expect(got[0]?.body).toBe(got[1]?.body);
    expect(await sendRow(id)).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('ignores the note of an attempt whose lease another engine has taken', async () => {
    const channelId = await buildAlertChannel(test.database, app.organizationId);
    const id = await buildSend(channelId);
    const { store } = createTestSender(test.database);
    const [first] = await store.claim(1, []);
    await dueNow();
    const [second] = await store.claim(1, []);
    if (first === undefined || second === undefined) throw new Error('nothing was claimed');
    await store.note(first, { kind: 'unwanted', answer: 'answered 410' });
    expect([await sendRow(id), await channelRow(channelId)]).toMatchObject([
      { state: 'waiting' },
      { enabled: true },
    ]);
    await store.note(second, { kind: 'sent', answer: 'answered 200' });
    expect(await sendRow(id)).toMatchObject({ state: 'sent' });
  });

  it('never lets two engines claim one send', async () => {
    await buildSend(await buildAlertChannel(test.database, app.organizationId));
    const { store } = createTestSender(test.database);
    const claims = await Promise.all(Array.from({ length: 6 }, () => store.claim(5, [])));
    expect(claims.flat().length).toBe(1);
  });

  it('retries with growing pauses to a bound', async () => {
    const { url } = await receiver(500);
    const id = await buildSend(await buildAlertChannel(test.database, app.organizationId, { address: url }));
    const { sendAll } = createTestSender(test.database);
    await sendAll();
    expect(await sendRow(id)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      waits: 5,
      last_answer: 'answered 500',
    });
    await test.database.query(`UPDATE alert_sends SET attempts = 8`);
    await dueNow();
    await sendAll();
    expect(await sendRow(id)).toMatchObject({ state: 'failed', attempts: 9 });
    const refused = { kind: 'refused', answer: '', forGood: false } as const;
    const pauses = Array.from({ length: 8 }, (_, index) => endOf(index + 1, refused));
    const ms = pauses.map((end) => (end.kind === 'again' ? end.afterMs : 0));
    expect(ms).toEqual(ms.toSorted((a, b) => a - b));
  });

  it('disables a channel that failed for two days, with the reason, and one that answers 410 at once', async () => {
    const { url } = await receiver(500);
    const failing = await buildAlertChannel(test.database, app.organizationId, { address: url });
    const [first, second] = [await buildSend(failing), await buildSend(failing, { key: 'two' })];
    const { sendAll } = createTestSender(test.database);
    await sendAll();
    expect(await channelRow(failing)).toEqual({ enabled: true, disabled_reason: null, failing: true });
    await test.database.query(`UPDATE alert_channels SET failing_since = now() - interval '49 hours'`);
    await dueNow();
    await sendAll();
    expect(await channelRow(failing)).toMatchObject({
      enabled: false,
      disabled_reason: 'Every attempt of 2 days failed; the last one: answered 500',
    });
    for (const id of [first, second]) expect((await sendRow(id))?.state).toBe('failed');
    const gone = await receiver(410);
    const unwanted = await buildAlertChannel(test.database, app.organizationId, { address: gone.url });
    await buildSend(unwanted, { key: 'three' });
    await sendAll();
    expect((await channelRow(unwanted))?.disabled_reason).toBe('The receiver wants no more: answered 410');
  });

  it('refuses private addresses alike, whether somebody listens there or not', async () => {
    const { url, got } = await receiver(200);
    const { sendAll } = createTestSender(test.database, { addresses: createPublicAddresses() });
    const ids: number[] = [];
    for (const address of [
      url,
      'http://127.0.0.1:1/',
      'http://localhost:1/',
      'http://[::1]/',
      'ftp://a.example/',
    ])
      ids.push(
        await buildSend(await buildAlertChannel(test.database, app.organizationId, { address }), {
          key: address,
        }),
      );
    await sendAll();
    for (const id of ids)
      expect(await sendRow(id)).toMatchObject({ last_answer: 'could not be reached on the public internet' });
    expect(got).toEqual([]);
  });

  it('follows no redirect', async () => {
    const inside = await receiver(200);
    const { url } = await receiver(302, inside.url);
    const id = await buildSend(await buildAlertChannel(test.database, app.organizationId, { address: url }));
    await createTestSender(test.database).sendAll();
    expect((await sendRow(id))?.last_answer).toBe('answered 302: redirects are not followed');
    expect(inside.got).toEqual([]);
  });

  it('lets a receiver that hangs hold up its own organization alone', async () => {
    const hanging = await receiver(0);
    const healthy = await receiver(200);
    const other = await buildApp(test.database);
    const slow = await buildAlertChannel(test.database, app.organizationId, { address: hanging.url });
    for (let i = 0; i < 40; i++) await buildSend(slow, { key: `slow ${i}` });
    const quick = await buildAlertChannel(test.database, other.organizationId, { address: healthy.url });
    const id = await buildSend(quick, { of: other });
    const { sends } = createTestSender(test.database, { deadlineMs: 60_000 });
    while ((await sends.step()) > 0);
    await expect.poll(async () => (await sendRow(id))?.state).toBe('sent');
    await expect.poll(() => hanging.got.length).toBe(2);
    servers[0]?.closeAllConnections();
    await sends.idle();
  });
});

describe('alerts by e-mail', () => {
  const mailFrom = 'Broadside <alerts@push.example>';
  const email = { kind: 'email', address: 'ada@example.com' } as const;

  it('arrive at a mail server as text and escaped HTML, under a stable id', async () => {
    const smtp = await mailServer();
    const id = await buildSend(await buildAlertChannel(test.database, app.organizationId, email), {
      name: '<b>Hi</b>',
    });
    const sendMail = createMailer({ smtpUrl: smtp.url, mailFrom }) ?? undefined;
    await createTestSender(test.database, sendMail && { sendMail }).sendAll();
    await smtp.close();
    expect((await sendRow(id))?.state).toBe('sent');
    expect(smtp.mails).toMatchObject([{ from: 'alerts@push.example', to: ['ada@example.com'] }]);
    const raw = smtp.mails[0]?.raw ?? '';
    expect(raw).toContain(`Message-ID: <alert_${id}@push.example>`);
    const [, text = '', html = ''] = raw.split('Content-Type: text/');
    expect([text.startsWith('plain'), html.startsWith('html')]).toEqual([true, true]);
    expect(html).not.toContain('<b>Hi');
  });

  it('take no header or recipient from a name or an address', async () => {
    const smtp = await mailServer();
    await test.database.query(`UPDATE apps SET name = $1`, ['News\r\nBcc: eve@example.com']);
    const address = 'ada@example.com, eve@example.com';
    await buildSend(await buildAlertChannel(test.database, app.organizationId, { kind: 'email', address }));
    await buildSend(await buildAlertChannel(test.database, app.organizationId, email), { key: 'two' });
    const sendMail = createMailer({ smtpUrl: smtp.url, mailFrom }) ?? undefined;
    await createTestSender(test.database, sendMail && { sendMail }).sendAll();
    await smtp.close();
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain('eve@example.com');
    for (const { raw } of smtp.mails) expect(raw).not.toMatch(/^Bcc:/im);
    expect(smtp.mails.some(({ to }) => to.includes('ada@example.com'))).toBe(true);
  });

  it('name no host or address of the operator’s mail server when it is away', async () => {
    const id = await buildSend(await buildAlertChannel(test.database, app.organizationId, email));
    const sendMail = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom }) ?? undefined;
    await createTestSender(test.database, sendMail && { sendMail }).sendAll();
    expect((await sendRow(id))?.last_answer).toBe('the mail server could not be reached');
  });

  it('say which settings are missing', async () => {
    expect(createMailer({ smtpUrl: null, mailFrom: null })).toBeNull();
    const id = await buildSend(await buildAlertChannel(test.database, app.organizationId, email));
    await createTestSender(test.database).sendAll();
    expect((await sendRow(id))?.last_answer).toContain('SMTP_URL and MAIL_FROM are not set');
  });
});
