// tier: postgres
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hashSecret, newSecret } from '../../../../engine/kit/http/token.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { buildFactor, codeOf, RECOVERY_CODE } from '../../../support/second-factor.ts';
import { openTestApi } from '../../support.ts';
import { type Browser, cookieOf, createPerson, logIn, openBrowser, PASSWORD } from '../support.ts';

describe('a second factor', async () => {
  const api = await openTestApi();

  const audited = async (userId: number) =>
    (
      await api.database.query<{ action: string }>(
        `SELECT action FROM audit_log WHERE user_id = $1 AND (action LIKE '%factor%' OR action LIKE '%recovery%') ORDER BY id`,
        [userId],
      )
    ).map(({ action }) => action);
  /** The cookie of the first half. */
  async function half(email: string): Promise<string> {
    const answer = await logIn(api.app, email);
    expect([answer.statusCode, answer.json()]).toEqual([202, { data: { second_factor: 'asked' } }]);
    const cookies = [answer.headers['set-cookie']].flat().map((each) => String(each).split(';')[0] ?? '');
    expect(cookies).toEqual([expect.stringMatching(/^broadside_log_in=[\w-]{43}$/)]);
    return cookies[0] ?? '';
  }
  const complete = (cookie: string, code: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in/code',
      headers: { cookie },
      payload: { code },
    });
  const wrong = { code: ['The code field is wrong, or was used before.'] };

  it('is set up with the password and a code, and then asked for at log-in', async () => {
    const person = await createPerson(api.database);
    const [browser, other] = [await openBrowser(api.app, person), await openBrowser(api.app, person)];
    const begin = (current_password: string) =>
      browser.account('POST', '/me/second-factor', { current_password });
    expect((await begin('not the password')).json().errors).toEqual({
      current_password: ['The current_password field is wrong.'],
    });
    const { secret, uri } = (await begin(PASSWORD)).json().data;
    expect(uri).toContain(`secret=${secret}`);
    // Not before it is confirmed.
    expect((await logIn(api.app, person.email)).statusCode).toBe(200);
    const confirm = (code: string) => browser.account('POST', '/me/second-factor/confirm', { code });
    expect((await confirm('000000')).json().errors).toEqual(wrong);
    // Made at one time: the next step may begin at any moment.
    const [now, next] = [await codeOf(secret), await codeOf(secret, 1)];
    const confirmed = await confirm(now);
    expect(new Set(confirmed.json().data.recovery_codes).size).toBe(10);
    expect((await confirm(next)).statusCode).toBe(422);
    expect((await begin(PASSWORD)).statusCode).toBe(422);
    expect((await other.account('GET', '/me')).statusCode).toBe(401);
    expect((await browser.account('GET', '/me')).json().data).toMatchObject({
      second_factor: 'on',
      recovery_codes_left: 10,
    });
    // The code of its confirmation is used up.
    const first = await half(person.email);
    expect((await complete(first, now)).json().errors).toEqual(wrong);
    const answer = await complete(first, next);
    expect([answer.statusCode, answer.json().data.second_factor]).toEqual([200, 'on']);
    expect(await audited(person.userId)).toEqual(['user.second-factor-added', 'user.second-factor-failed']);
    const kept = await api.database.query<{ text: string }>(
      `SELECT second_factors::text || (SELECT string_agg(to_jsonb(a)::text, '') FROM audit_log a) AS text
       FROM second_factors WHERE user_id = $1`,
      [person.userId],
    );
    for (const hidden of [secret, ...confirmed.json().data.recovery_codes]) {
      expect(kept[0]?.text).not.toContain(hidden);
      expect(kept[0]?.text).not.toContain(Buffer.from(hidden).toString('hex'));
    }
  });

  it('leaves nothing open between password and code, and begins a new session after it', async () => {
    const person = await createPerson(api.database);
    const secret = await buildFactor(api.database, person.userId);
    const cookie = await half(person.email);
    const value = cookie.split('=')[1] ?? '';
    for (const each of [cookie, `broadside_session=${value}`]) {
      const answer = await api.app.inject({ url: '/api/v1/account/me', headers: { cookie: each } });
      expect(answer.statusCode).toBe(401);
    }
    const answer = await complete(cookie, await codeOf(secret));
    const session = [answer.headers['set-cookie']].flat().find((each) => String(each).includes('session'));
    expect(String(session)).not.toContain(value);
    // The half is used up.
    expect((await complete(cookie, await codeOf(secret, 1))).statusCode).toBe(401);
    expect((await complete('', '123456')).statusCode).toBe(401);
  });

  it('takes a code once, of two log-ins at once too', async () => {
    const person = await createPerson(api.database);
    const secret = await buildFactor(api.database, person.userId);
    const halves = [await half(person.email), await half(person.email)];
    const code = await codeOf(secret);
    const statuses = (await Promise.all(halves.map((each) => complete(each, code)))).map((a) => a.statusCode);
    expect(statuses.toSorted()).toEqual([200, 422]);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const person = await createPerson(api.database);
    await buildFactor(api.database, person.userId);
    const typed = ` ${RECOVERY_CODE.toUpperCase().replaceAll('-', ' ')}`;
    const answer = await complete(await half(person.email), typed);
    expect([answer.statusCode, answer.json().data.recovery_codes_left]).toEqual([200, 0]);
    expect((await complete(await half(person.email), RECOVERY_CODE)).statusCode).toBe(422);
  });

  it('takes ten wrong codes in a quarter of an hour, over all log-ins; then none, not even a right one', async () => {
    const person = await createPerson(api.database);
    const secret = await buildFactor(api.database, person.userId);
    for (let n = 0; n < 10; n++) {
      // A fresh log-in each: the password does not clear the count.
      expect((await complete(await half(person.email), '000000')).statusCode).toBe(422);
    }
    const cookie = await half(person.email);
    const refused = await complete(cookie, await codeOf(secret));
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    await api.database.query(
      `UPDATE second_factors SET failing_since = now() - interval '15 minutes' WHERE user_id = $1`,
      [person.userId],
    );
    expect((await complete(cookie, await codeOf(secret))).statusCode).toBe(200);
  });

  it('has to come within five minutes, with the password of before', async () => {
    const person = await createPerson(api.database);
    const secret = await buildFactor(api.database, person.userId);
    const late = await half(person.email);
    await api.database.query(`UPDATE half_log_ins SET expires_at = now() WHERE user_id = $1`, [
      person.userId,
    ]);
    expect((await complete(late, await codeOf(secret))).statusCode).toBe(401);
    const old = await half(person.email);
    await api.database.query(`UPDATE users SET password_hash = 'another' WHERE id = $1`, [person.userId]);
    expect((await complete(old, await codeOf(secret))).statusCode).toBe(401);
  });

  const changes: readonly [string, string][] = [
    ['renewed', '/me/second-factor/recovery-codes'],
    ['removed', '/me/second-factor/remove'],
  ];
  it.each(changes)('is %s with the password alone', async (_what, path) => {
    const person = await createPerson(api.database);
    const browser = await openBrowser(api.app, person);
    await buildFactor(api.database, person.userId);
    expect((await browser.account('POST', path, { current_password: 'wrong' })).statusCode).toBe(422);
    expect((await browser.account('POST', path, { current_password: PASSWORD })).statusCode).toBeLessThan(
      300,
    );
    const next = await logIn(api.app, person.email);
    if (next.statusCode === 202) {
      expect((await complete(cookieOf(next), RECOVERY_CODE)).statusCode).toBe(422);
    }
    expect(next.statusCode).toBe(path.endsWith('remove') ? 200 : 202);
  });

  it('is reset by an admin, for others than themselves and those above, and noted', async () => {
    const admin = await createPerson(api.database, { role: 'admin' });
    const { organizationId } = admin;
    const browser = await openBrowser(api.app, admin);
    const member = await createPerson(api.database, { role: 'member', organizationId });
    const above = await createPerson(api.database, { role: 'super-admin', organizationId });
    const stranger = await createPerson(api.database, { role: 'member' });
    for (const each of [admin, member, above, stranger]) await buildFactor(api.database, each.userId);
    const reset = async (userId: number) =>
      (await browser.account('DELETE', `/users/${userId}/second-factor`)).statusCode;
    expect(await reset(admin.userId)).toBe(403);
    expect(await reset(above.userId)).toBe(403);
    expect(await reset(stranger.userId)).toBe(404);
    expect((await logIn(api.app, member.email)).statusCode).toBe(202);
    expect(await reset(member.userId)).toBe(204);
    expect((await logIn(api.app, member.email)).statusCode).toBe(200);
    expect(await audited(admin.userId)).toEqual(['user.second-factor-reset']);
  });

  it('is reset by the operator’s command, once', async () => {
    const person = await createPerson(api.database);
    await buildFactor(api.database, person.userId);
    const reset = (email: string) =>
      runCliHere(['user', 'reset-second-factor', '--email', email], {
        cwd: tmpdir(),
        env: { DATABASE_URL: api.databaseUrl },
      });
    expect((await reset(person.email)).code).toBe(0);
    expect((await logIn(api.app, person.email)).statusCode).toBe(200);
    expect((await reset(person.email)).err).toContain('has no second factor');
    expect((await reset('nobody@example.com')).err).toContain('there is no user');
  });

  describe('that an organization requires', () => {
    const rule = (browser: Browser, required: boolean) =>
      browser.account('PUT', '/second-factor', { required });

    it('is set up before anything else is done', async () => {
      const admin = await createPerson(api.database, { role: 'admin' });
      const member = await createPerson(api.database, {
        role: 'member',
        organizationId: admin.organizationId,
      });
      const [boss, browser] = [await openBrowser(api.app, admin), await openBrowser(api.app, member)];
      const stranger = await openBrowser(api.app, await createPerson(api.database));
      expect((await rule(browser, true)).statusCode).toBe(403);
      expect((await rule(boss, true)).json().data).toEqual({ required: true });
      expect((await browser.account('GET', '/me')).json().data.second_factor).toBe('required');
      for (const answer of [
        await browser.client('GET', '/apps'),
        await browser.account('GET', '/tokens'),
        await browser.account('POST', '/tokens', { name: 'x', abilities: ['apps:read'] }),
        await boss.account('GET', '/users'),
      ]) {
        expect([answer.statusCode, answer.json().message]).toEqual([
          403,
          expect.stringContaining('requires a second factor'),
        ]);
      }
      expect((await stranger.client('GET', '/apps')).statusCode).toBe(200);
      const { secret } = (
        await browser.account('POST', '/me/second-factor', { current_password: PASSWORD })
      ).json().data;
      await browser.account('POST', '/me/second-factor/confirm', { code: await codeOf(secret) });
      expect((await browser.client('GET', '/apps')).statusCode).toBe(200);
      expect((await browser.account('GET', '/me')).json().data.second_factor).toBe('on');
    });
  });

  it('is not passed by with a link to a new password', async () => {
    const person = await createPerson(api.database);
    await buildFactor(api.database, person.userId);
    const secret = newSecret();
    const [row] = await api.database.query<{ id: number }>(
      `INSERT INTO invitations (organization_id, user_id, email, role, secret_hash, expires_at)
       VALUES ($1, $2, $3, 'admin', $4, now() + interval '1 day') RETURNING id`,
      [person.organizationId, person.userId, person.email, hashSecret(secret)],
    );
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/invitations/accept',
      payload: { invitation: `${row?.id}.${secret}`, name: 'Ada', password: 'another line, just as long' },
    });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([202, undefined]);
    expect((await logIn(api.app, person.email, 'another line, just as long')).statusCode).toBe(202);
  });

  it('keeps a session that is made from its half away from other sites’ pages', async () => {
    const person = await createPerson(api.database);
    const secret = await buildFactor(api.database, person.userId);
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in/code',
      headers: { cookie: await half(person.email), origin: 'https://evil.example' },
      payload: { code: await codeOf(secret) },
    });
    expect(answer.statusCode).toBe(403);
  });
});
