// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import { createAlertStore } from '../../../../engine/adapters/postgres/outgoing/alert-store.ts';
import { createSealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import { channelContext } from '../../../../engine/contract/alerts.ts';
import { MASTER_KEY, openTestApi } from '../../support.ts';
import { type Browser, createPerson, openBrowser, type Person } from '../support.ts';

const hook = { kind: 'webhook', address: 'https://ops.example.com/in', alert_kinds: ['delivery-failed'] };

describe('alert channels', async () => {
  let admin: Person;
  let browser: Browser;

  const api = await openTestApi();
  const config = { smtpUrl: 'smtp://mail.example', mailFrom: 'alerts@push.example' };
  const mailing = await openTestApi({ database: api.database, config });
  beforeEach(async () => {
    admin = await createPerson(api.database, { role: 'admin' });
    browser = await openBrowser(api.app, admin);
  });

  const create = (body: object, from = browser) => from.account('POST', '/alert-channels', body);
  const sealedOf = async (id: number): Promise<string> => {
    const [row] = await api.database.query<{ sealed: Buffer }>(
      `SELECT secret_sealed AS sealed FROM alert_channels WHERE id = $1`,
      [id],
    );
    const plain = createSealer(MASTER_KEY).open(row?.sealed ?? Buffer.alloc(0), channelContext(id));
    return hookKey(plain);
  };
  const hookKey = (plain: Buffer): string => plain.toString('base64');

  it('of webhooks have a secret, which is shown once and sealed', async () => {
    const made = await create(hook);
    expect(made.statusCode, made.body).toBe(201);
    const { id, secret } = made.json().data;
    expect(secret).toBe(`whsec_${await sealedOf(id)}`);
    const shown = await browser.account('GET', `/alert-channels/${id}`);
    expect(shown.json().data).toMatchObject({ ...hook, enabled: true, disabled_reason: null });
    expect(shown.body + (await browser.account('GET', '/alert-channels')).body).not.toContain(secret);
  });

  it('of Slack show the origin alone: the rest of the URL is a secret', async () => {
    const url = 'https://hooks.slack.com/services/T1/B1/s3cret';
    const made = await create({ ...hook, kind: 'slack', address: url });
    expect(made.json().data).toMatchObject({ address: 'https://hooks.slack.com', secret: null });
    expect(made.body).not.toContain('s3cret');
    expect(Buffer.from(await sealedOf(made.json().data.id), 'base64').toString()).toBe(url);
  });

  it.each([
    'http://ops.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://2130706433/',
    'https://user:password@ops.example.com/',
    'nonsense',
  ])('refuse the address %s', async (address) => {
    const refused = await create({ ...hook, address });
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { address: ['The address field must be an https URL on the public internet.'] },
    ]);
  });

  it('by e-mail need the settings, and one mailbox', async () => {
    const email = { ...hook, kind: 'email', address: 'ada@example.com' };
    expect((await create(email)).json().errors).toEqual({
      kind: ['Alerts by e-mail need the settings SMTP_URL and MAIL_FROM.'],
    });
    const mails = await openBrowser(mailing.app, admin);
    expect((await create(email, mails)).statusCode).toBe(201);
    for (const address of ['a@b.example,c@d.example', 'Ada <a@b.example>', 'a@b.example\u0000', 'ada'])
      expect((await create({ ...email, address }, mails)).statusCode, address).toBe(422);
  });

  it('by e-mail are tried at no address but one that a user of the organization confirmed', async () => {
    const mails = await openBrowser(mailing.app, admin);
    const tried = async (address: string) => {
      const made = await create({ ...hook, kind: 'email', address }, mails);
      const { id } = made.json().data;
      return (await mails.account('POST', `/alert-channels/${id}/test`)).statusCode;
    };
    const foreign = await createPerson(api.database);
    expect(await tried('stranger@example.com')).toBe(409);
    expect(await tried(foreign.email)).toBe(409);
    expect(await tried(admin.email.toUpperCase())).toBe(201);
    await api.database.query(`UPDATE users SET address_confirmed_at = NULL WHERE id = $1`, [admin.userId]);
    expect(await tried(admin.email)).toBe(409);
    await api.database.query(`DELETE FROM alerts`);
  });

  it('are changed, enabled again and deleted, with audit entries', async () => {
    const { id } = (await create(hook)).json().data;
    await api.database.query(
      `UPDATE alert_channels SET enabled = false, disabled_reason = 'It failed.', failing_since = now() WHERE id = $1`,
      [id],
    );
    const changed = await browser.account('PATCH', `/alert-channels/${id}`, { enabled: true });
    expect(changed.json().data).toMatchObject({ enabled: true, disabled_reason: null });
    const kinds = { alert_kinds: ['delivery-stuck', 'delivery-stuck'] };
    expect((await browser.account('PATCH', `/alert-channels/${id}`, kinds)).json().data.alert_kinds).toEqual([
      'delivery-stuck',
    ]);
    expect((await browser.account('DELETE', `/alert-channels/${id}`)).statusCode).toBe(204);
    expect((await browser.account('GET', `/alert-channels/${id}`)).statusCode).toBe(404);
    const audit = (await browser.account('GET', '/audit-log')).json().data as { action: string }[];
    expect(audit.map(({ action }) => action).filter((action) => action.startsWith('alert'))).toEqual([
      'alert-channel.deleted',
      'alert-channel.updated',
      'alert-channel.updated',
      'alert-channel.created',
    ]);
  });

  it('are twenty at most', async () => {
    const made = [];
    for (let i = 0; i < 21; i++) made.push((await create(hook)).statusCode);
    expect(made).toEqual([...Array.from({ length: 20 }, () => 201), 422]);
  });

  it('are sent nothing that waits once somebody disables them', async () => {
    const { id } = (await create(hook)).json().data;
    const { id: alert } = (await browser.account('POST', `/alert-channels/${id}/test`)).json().data;
    await browser.account('PATCH', `/alert-channels/${id}`, { enabled: false });
    expect(await createAlertStore(api.database).claim(5, [])).toEqual([]);
    const { sends } = (await browser.account('GET', `/alerts/${alert}`)).json().data;
    expect(sends).toMatchObject([{ state: 'failed', last_answer: 'the channel is disabled' }]);
  });

  it('are tried with a test alert, whose answer the history shows; six a minute', async () => {
    const { id } = (await create(hook)).json().data;
    const test = () => browser.account('POST', `/alert-channels/${id}/test`);
    const made = (await test()).json().data;
    expect(made).toMatchObject({ kind: 'test', app: null, sends: [{ channel_id: id, state: 'waiting' }] });
    const store = createAlertStore(api.database);
    for (const send of await store.claim(5, []))
      await store.note(send, { kind: 'again', answer: 'answered 500', afterMs: 5_000 });
    const shown = (await browser.account('GET', `/alerts/${made.id}`)).json().data;
    expect(shown.sends).toMatchObject([{ state: 'waiting', attempts: 1, last_answer: 'answered 500' }]);
    expect((await browser.account('GET', '/alerts')).json().data).toEqual([shown]);
    expect((await browser.account('GET', `/alert-channels/${id}`)).json().data.last_answer).toBe(
      'answered 500',
    );
    for (let i = 0; i < 5; i++) expect((await test()).statusCode).toBe(201);
    const refused = await test();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  });
});
