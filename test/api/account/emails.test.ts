// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from '../../../engine/adapters/mail/mailer.ts';
import { createEmailStore } from '../../../engine/adapters/postgres/outgoing/email-store.ts';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { createSendEmails } from '../../../engine/outgoing/emails/send-emails.ts';
import { mailServer, textOf } from '../../support/mail-server.ts';
import { createTestApi, MASTER_KEY, openTestApi } from '../support.ts';
import { createPerson, logIn, openBrowser, PASSWORD, type Person } from './support.ts';

const publicBaseUrl = 'http://push.example.com/behind';
const mailFrom = 'Broadside <push@push.example>';

const refused: unknown[] = [];
const smtp = await mailServer();
const api = await openTestApi({ config: { smtpUrl: smtp.url, mailFrom, publicBaseUrl } });
afterAll(() => smtp.close());
beforeEach(async () => {
  smtp.refuseWith(null);
  smtp.mails.splice(0);
  refused.splice(0);
  await api.database.query(`DELETE FROM letters`);
});

/** As an engine does it. */
async function sendAll(url = smtp.url): Promise<void> {
  const emails = createSendEmails({
    store: createEmailStore(api.database),
    sendMail: createMailer({ smtpUrl: url, mailFrom }) ?? expect.fail('the settings are missing'),
    openLink: createSealer(MASTER_KEY).open,
    deadlineMs: 10_000,
    onRefused: (...what) => refused.push(what),
    onError: (error) => refused.push(error),
  });
  while ((await emails.step()) > 0) await emails.idle();
}

const waiting = () => api.database.query<{ text: string }>(`SELECT letters::text AS text FROM letters`);
const post = (path: string, payload: object, more: object = {}) =>
  api.app.inject({ method: 'POST', url: `/api/v1/account${path}`, payload, ...more });
/** The end of the link in the only mail. */
const linkOf = (page: string): string => {
  expect(smtp.mails).toHaveLength(1);
  const [, link = ''] =
    new RegExp(`${publicBaseUrl}/${page}#(\\S+)`).exec(textOf(smtp.mails[0] as never)) ?? [];
  return link;
};

describe('an invitation by e-mail', () => {
  const invite = async (email: string) => {
    const admin = await openBrowser(api.app, await createPerson(api.database, { role: 'admin' }));
    await api.database.query(`DELETE FROM letters`);
    return { admin, made: await admin.account('POST', '/invitations', { email, role: 'member' }) };
  };

  it('brings a link that lets its reader in once; only the mail holds it in plain text', async () => {
    const { admin, made } = await invite('grace@example.com');
    expect([made.statusCode, made.json().data.mailed]).toEqual([201, true]);
    expect(made.json().data.url).toBeNull();
    const resting = JSON.stringify(await waiting());
    await sendAll();
    expect(smtp.mails).toMatchObject([{ from: 'push@push.example', to: ['grace@example.com'] }]);
    const invitation = linkOf('invitations');
    expect(invitation).toMatch(/^\d+\.[\w-]{43}$/);
    const secret = invitation.split('.')[1] ?? '';
    const audited = await api.database.query(`SELECT detail FROM audit_log WHERE action LIKE 'invitation.%'`);
    const listed = (await admin.account('GET', '/invitations')).body;
    for (const text of [resting, made.body, listed, JSON.stringify(audited)])
      expect(text).not.toContain(secret);
    expect(await waiting()).toEqual([]);
    const body = { invitation, name: 'Grace', password: 'a long line that only Grace knows' };
    expect((await post('/invitations/accept', body)).statusCode).toBe(201);
    expect((await post('/invitations/accept', body)).statusCode).toBe(404);
  });

  it('is not sent once the invitation is revoked', async () => {
    const { admin, made } = await invite('heidi@example.com');
    await admin.account('DELETE', `/invitations/${made.json().data.id}`);
    await sendAll();
    expect(smtp.mails).toEqual([]);
  });

  it('goes to one address three times an hour at most, and no link is shown instead; a rival uses up nobody else’s', async () => {
    const { admin, made: first } = await invite('ivan@example.com');
    const again = () => admin.account('POST', '/invitations', { email: 'ivan@example.com', role: 'member' });
    const made = [first, await again(), await again(), await again()];
    expect(made.at(-1)?.body).not.toContain('#');
    for (let n = 0; n < 10; n++) made.push((await invite('Ivan@example.com')).made);
    const statuses = made.map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([201, 201, 201, 429, ...Array(9).fill(201), 429]);
  });

  it('is not written without the settings', async () => {
    const plain = await createTestApi({ database: api.database });
    const admin = await openBrowser(plain.app, await createPerson(api.database, { role: 'admin' }));
    const made = await admin.account('POST', '/invitations', { email: 'judy@example.com', role: 'member' });
    expect([made.json().data.mailed, made.json().data.url]).toEqual([
      false,
      expect.stringContaining('/invitations#'),
    ]);
    expect(await waiting()).toEqual([]);
    await plain.app.close();
  });
});

describe('a new password by e-mail', () => {
  let next = 1;
  /** Each from an address of its own, which is limited. */
  const ask = (email: string, more: object = {}) =>
    post('/password-reset', { email }, { remoteAddress: `198.51.100.${next++}`, ...more });
  const written = (count: number) => expect.poll(async () => (await waiting()).length).toBe(count);
  const NEXT = 'another line, just as long';

  async function asked(): Promise<{ person: Person; reset: string }> {
    const person = await createPerson(api.database);
    expect((await ask(person.email.toUpperCase())).statusCode).toBe(204);
    await written(1);
    await sendAll();
    expect(smtp.mails[0]?.to).toEqual([person.email]);
    return { person, reset: linkOf('password-reset') };
  }

  it('is set by the link, once, and ends every session but no token', async () => {
    const { person, reset } = await asked();
    const browser = await openBrowser(api.app, person);
    expect((await post('/password-reset/open', { reset })).json().data).toEqual({ email: person.email });
    const weak = await post('/password-reset/set', { reset, password: person.email });
    expect(weak.json().errors.password).toHaveLength(1);
    const set = await post('/password-reset/set', { reset, password: NEXT });
    expect([set.statusCode, set.headers['set-cookie']]).toEqual([204, undefined]);
    expect((await post('/password-reset/set', { reset, password: NEXT })).statusCode).toBe(404);
    expect((await post('/password-reset/open', { reset })).statusCode).toBe(404);
    expect((await browser.account('GET', '/me')).statusCode).toBe(401);
    expect((await logIn(api.app, person.email)).statusCode).toBe(401);
    expect((await logIn(api.app, person.email, NEXT)).statusCode).toBe(200);
    const headers = { authorization: `Bearer ${person.token}` };
    expect((await api.app.inject({ url: '/api/v1/client/apps', headers })).statusCode).toBe(200);
    const rows = await api.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE user_id = $1 AND action LIKE '%reset%' ORDER BY id`,
      [person.userId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user.password-reset-asked', 'user.password-reset']);
  });

  it('is set by one of two at once', async () => {
    const { reset } = await asked();
    const set = () => post('/password-reset/set', { reset, password: NEXT });
    const statuses = (await Promise.all([set(), set()])).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([204, 404]);
  });

  it('has links that end after an hour, and that name nobody else', async () => {
    const { reset } = await asked();
    const [id = '', secret = ''] = reset.split('.');
    for (const wrong of [`${Number(id) + 1}.${secret}`, `${id}.${'a'.repeat(43)}`, 'nonsense', '']) {
      expect((await post('/password-reset/open', { reset: wrong })).statusCode).toBe(404);
    }
    await api.database.query(`UPDATE password_resets SET expires_at = now()`);
    expect((await post('/password-reset/set', { reset, password: NEXT })).statusCode).toBe(404);
    await createEmailStore(api.database).tidy();
    expect(await api.database.query(`SELECT id FROM password_resets`)).toEqual([]);
  });

  it('is asked for with the same answer, whether or not there is an account', async () => {
    const person = await createPerson(api.database);
    const [known, unknown] = [await ask(person.email), await ask('nobody@example.com')];
    const shown = ({
      statusCode,
      body,
      headers: { date: _date, 'x-request-id': _id, ...rest },
    }: typeof known) => ({
      statusCode,
      body,
      rest,
    });
    expect(shown(known)).toEqual(shown(unknown));
    await written(1);
    await sendAll();
    expect(smtp.mails.flatMap(({ to }) => to)).toEqual([person.email]);
  });

  it('leads where the settings say, whatever host the request names', async () => {
    const person = await createPerson(api.database);
    await ask(person.email, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    await written(1);
    await sendAll();
    expect(linkOf('password-reset')).not.toBe('');
    expect(smtp.mails[0]?.raw).not.toContain('evil.example');
  });

  it('is asked for three times an hour at most for one account, without a word about it', async () => {
    const person = await createPerson(api.database);
    for (let n = 0; n < 5; n++) expect((await ask(person.email)).statusCode).toBe(204);
    await written(3);
    const fourth = await createPerson(api.database);
    await ask(fourth.email);
    await written(4);
  });

  it('is asked for ten times in a quarter of an hour at most from one address', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      statuses.push((await ask('nobody@example.com', { remoteAddress: '203.0.113.1' })).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(204), 429]);
  });

  it('is not asked for from another site’s page, or where no e-mails are sent', async () => {
    const foreign = await ask('ada@example.com', { headers: { origin: 'https://evil.example' } });
    expect(foreign.statusCode).toBe(403);
    const plain = await createTestApi({ database: api.database });
    const answer = await plain.app.inject({
      method: 'POST',
      url: '/api/v1/account/password-reset',
      payload: { email: 'ada@example.com' },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      expect.stringContaining('sends no e-mail'),
    ]);
    await plain.app.close();
  });
});

describe('a notice', () => {
  it('of a log-in comes from a new browser, and not from one where the user logged in before', async () => {
    const person = await createPerson(api.database);
    const first = await logIn(api.app, person.email);
    await sendAll();
    expect(smtp.mails).toMatchObject([{ to: [person.email] }]);
    expect(textOf(smtp.mails[0] as never)).toContain('Address: 127.0.0.1');
    const cookies = [first.headers['set-cookie']].flat().map((each) => String(each).split(';')[0]);
    await post(
      '/log-in',
      { email: person.email, password: PASSWORD },
      { headers: { cookie: cookies.join('; ') } },
    );
    await logIn(api.app, person.email, 'wrong');
    expect(await waiting()).toEqual([]);
  });

  it('of a webhook that Broadside disabled goes to the admins of its organization, without its address', async () => {
    const admin = await createPerson(api.database, { role: 'admin' });
    const { organizationId } = admin;
    await createPerson(api.database, { role: 'member', organizationId });
    await createPerson(api.database, { role: 'admin' });
    const [hook] = await api.database.query<{ id: number }>(
      `INSERT INTO webhook_endpoints (organization_id, url, types)
       VALUES ($1, 'https://ops.example.com/secret-path', '{delivery.failed}') RETURNING id`,
      [organizationId],
    );
    const change = (set: string) =>
      api.database.query(`UPDATE webhook_endpoints SET ${set} WHERE id = $1`, [hook?.id]);
    await change(`enabled = false`);
    expect(await waiting()).toEqual([]);
    await change(`enabled = true`);
    await change(`enabled = false, disabled_reason = 'The receiver wants no more: answered 410'`);
    await change(`failures = failures + 1, enabled = false`);
    await sendAll();
    expect(smtp.mails).toMatchObject([{ to: [admin.email] }]);
    const text = textOf(smtp.mails[0] as never);
    expect(text).toContain('ops.example.com');
    expect(text).toContain('answered 410');
    expect(smtp.mails[0]?.raw).not.toContain('secret-path');
  });

  it('waits while the mail server is unavailable, is given up where it refuses permanently, and names nobody in the log', async () => {
    const person = await createPerson(api.database);
    await logIn(api.app, person.email);
    await sendAll('smtp://127.0.0.1:1');
    expect(await waiting()).toHaveLength(1);
    await api.database.query(`UPDATE letters SET due_at = now()`);
    smtp.refuseWith(451);
    await sendAll();
    expect(await waiting()).toHaveLength(1);
    await api.database.query(`UPDATE letters SET due_at = now()`);
    smtp.refuseWith(550);
    await sendAll();
    expect(await waiting()).toEqual([]);
    expect(refused).toHaveLength(3);
    expect(JSON.stringify(refused)).not.toContain(person.email);
  });

  it('goes with its user, and is over after its time', async () => {
    const [gone, late] = [await createPerson(api.database), await createPerson(api.database)];
    await logIn(api.app, gone.email);
    await logIn(api.app, late.email);
    await api.database.query(`DELETE FROM users WHERE id = $1`, [gone.userId]);
    expect(await waiting()).toHaveLength(1);
    await api.database.query(`UPDATE letters SET ends_at = now()`);
    await sendAll();
    expect(smtp.mails).toEqual([]);
    await createEmailStore(api.database).tidy();
    expect(await waiting()).toEqual([]);
  });
});

describe('the mailbox of an alert channel', () => {
  const newChannel = async (address: string, by: Awaited<ReturnType<typeof openBrowser>> | null = null) => {
    const admin = by ?? (await openBrowser(api.app, await createPerson(api.database, { role: 'admin' })));
    const body = { kind: 'email', address, alert_kinds: ['delivery-failed'] };
    const made = await admin.account('POST', '/alert-channels', body);
    expect(made.statusCode, made.body).toBe(201);
    await api.database.query(`DELETE FROM letters`);
    return () => admin.account('POST', `/alert-channels/${made.json().data.id}/test`);
  };

  it('is asked by an e-mail before a test comes, and one link lets it come', async () => {
    const test = await newChannel('desk@news.example');
    const asked = await test();
    expect([asked.statusCode, asked.json().message]).toEqual([
      409,
      'An e-mail with a link is on its way to desk@news.example. Open the link, then send the test again.',
    ]);
    await sendAll();
    const confirmation = linkOf('alert-addresses');
    expect(confirmation).not.toBe('');
    expect((await test()).statusCode).toBe(409);
    expect((await post('/alert-addresses/confirm', { confirmation })).statusCode).toBe(404);
    smtp.mails.splice(0);
    await sendAll();
    const newest = linkOf('alert-addresses');
    const forged = `${newest.split('.')[0]}.${'a'.repeat(43)}`;
    expect((await post('/alert-addresses/confirm', { confirmation: forged })).statusCode).toBe(404);
    expect((await post('/alert-addresses/confirm', { confirmation: newest })).statusCode).toBe(204);
    expect((await post('/alert-addresses/confirm', { confirmation: newest })).statusCode).toBe(404);
    expect((await test()).statusCode).toBe(201);
    smtp.mails.splice(0);
  });

  it('gets three e-mails an hour of one organization, and twelve of all, at most', async () => {
    const admin = await openBrowser(api.app, await createPerson(api.database, { role: 'admin' }));
    const words: string[] = [];
    const again = await newChannel('Many@news.example', admin);
    for (let time = 0; time < 3; time++) words.push((await again()).json().message);
    words.push((await (await newChannel('many@news.example', admin))()).json().message);
    for (let organization = 0; organization < 10; organization++)
      words.push((await (await newChannel('Many@news.example'))()).json().message);
    const areSent = words.map((each) => each.includes('is on its way'));
    expect(areSent).toEqual([true, true, true, false, ...Array(9).fill(true), false]);
    await api.database.query(`DELETE FROM letters`);
  });

  it('is asked on a page that makes no third-party request', async () => {
    const { body, headers } = await api.app.inject('/alert-addresses');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    for (const [, file] of body.matchAll(/(?:href|src)="([^"]+)"/g))
      expect((await api.app.inject(`/${file}`)).statusCode, file).toBe(200);
  });
});
