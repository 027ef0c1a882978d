// tier: postgres
import { describe, expect, it } from 'vitest';
import { appBody, bearer, createTestApi, openTestApi } from '../../support.ts';
import { browserOf, cookieOf, createPerson, logIn, openBrowser, PASSWORD } from '../support.ts';

describe('a session', async () => {
  const api = await openTestApi();

  const audited = async (userId: number) =>
    (
      await api.database.query<{ action: string; via: string; user_email: string }>(
        `SELECT action, via, user_email FROM audit_log WHERE user_id = $1 ORDER BY id`,
        [userId],
      )
    ).map(({ action }) => action);

  it('begins with the right password, whatever the case of the address, and names the logged-in user', async () => {
    const person = await createPerson(api.database, { role: 'member' });
    const answer = await logIn(api.app, ` ${person.email.toUpperCase()}`);
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      {
        user: expect.objectContaining({ id: person.userId, email: person.email, role: 'member' }),
        organization: { id: person.organizationId, name: expect.any(String) },
        abilities: expect.arrayContaining(['apps:write', 'analytics:read']),
        second_factor: 'off',
        recovery_codes_left: 0,
        has_authenticator_app: false,
        has_password: true,
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const browser = await openBrowser(api.app, person);
    expect((await browser.account('GET', '/me')).json().data.csrf_token).toBe(browser.csrf);
    expect(await audited(person.userId)).toEqual(['user.logged-in', 'user.logged-in']);
  });

  it('lies in a cookie that pages cannot read and other sites cannot send', async () => {
    const person = await createPerson(api.database);
    const [plain] = [(await logIn(api.app, person.email)).headers['set-cookie']].flat();
    expect(plain).toMatch(
      /^broadside_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secure = await createTestApi({
      database: api.database,
      config: { publicBaseUrl: 'https://push.example.org' },
    });
    const answer = await logIn(secure.app, person.email);
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^__Host-broadside_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const me = (cookie: string) => secure.app.inject({ url: '/api/v1/account/me', headers: { cookie } });
    expect((await me(cookieOf(answer))).statusCode).toBe(200);
    // Over https, the name without the prefix is one that a stranger may have set.
    expect((await me(cookieOf(answer).replace('__Host-', ''))).statusCode).toBe(401);
    await secure.close();
  });

  it('rests as the SHA-256 of its secret', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const secret = browser.cookie.split('=')[1] ?? '';
    const rows = await api.database.query<{ text: string }>(`SELECT sessions::text AS text FROM sessions`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  it('does not begin with a wrong password, an unknown address or a user without a password, all alike', async () => {
    const person = await createPerson(api.database);
    const unset = await createPerson(api.database);
    await api.database.query(`UPDATE users SET password_hash = NULL WHERE id = $1`, [unset.userId]);
    const answers = await Promise.all([
      logIn(api.app, person.email, `${PASSWORD}!`),
      logIn(api.app, 'nobody@example.com'),
      logIn(api.app, unset.email),
    ]);
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { message: 'The e-mail address or the password is wrong.' },
      ]);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
    await expect.poll(() => audited(person.userId)).toEqual(['user.log-in-failed']);
  });

  it('opens the client API with every ability, and notes changes as made by it', async () => {
    const person = await createPerson(api.database, { role: 'member' });
    const browser = await openBrowser(api.app, person);
    const created = await browser.client('POST', '/apps', appBody());
    expect(created.statusCode).toBe(201);
    expect((await browser.client('GET', '/apps')).json().meta.total).toBe(1);
    const [row] = await api.database.query(
      `SELECT via, token_id, user_id, user_email FROM audit_log WHERE action = 'app.created' AND user_id = $1`,
      [person.userId],
    );
    expect(row).toEqual({ via: 'session', token_id: null, user_id: person.userId, user_email: person.email });
  });

  it('makes unsafe requests only with its own token in X-CSRF-Token, from its own site', async () => {
    const person = await createPerson(api.database);
    const browser = await openBrowser(api.app, person);
    const other = await openBrowser(api.app, await createPerson(api.database));
    const post = (headers: Record<string, string>) =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/client/apps',
        headers: { cookie: browser.cookie, ...headers },
        payload: appBody(),
      });
    const own = { 'x-csrf-token': browser.csrf };
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrf },
      { ...own, origin: 'https://evil.example' },
      { ...own, origin: 'null' },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await post(headers);
      expect([headers, answer.statusCode]).toEqual([headers, 403]);
      expect(answer.json()).toEqual({
        message:
          'The request does not come from the page where you logged in: reload the page, then try again.',
      });
    }
    for (const headers of [own, { ...own, origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' }]) {
      expect((await post(headers)).statusCode).toBe(201);
    }
  });

  it('does not begin from another site’s page', async () => {
    const { email } = await createPerson(api.database);
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in',
      headers: { origin: 'https://evil.example' },
      payload: { email, password: PASSWORD },
    });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('does not count where the request has an Authorization header: only that header counts', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const headers = { cookie: browser.cookie, authorization: 'Bearer 1|nonsense' };
    for (const url of ['/api/v1/client/apps', '/api/v1/account/me']) {
      expect((await api.app.inject({ url, headers })).statusCode).toBe(401);
    }
  });

  it('ends on log-out, at once and for its cookie alone', async () => {
    const person = await createPerson(api.database);
    const [one, two] = [await openBrowser(api.app, person), await openBrowser(api.app, person)];
    const answer = await one.account('POST', '/log-out');
    expect(answer.statusCode).toBe(204);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await one.account('GET', '/me')).statusCode).toBe(401);
    expect((await two.account('GET', '/me')).statusCode).toBe(200);
    expect(await audited(person.userId)).toContain('user.logged-out');
  });

  it.each([
    ['a day without use', `last_used_at = now() - interval '24 hours 1 second'`, 401],
    ['30 days in all', `created_at = now() - interval '30 days 1 second'`, 401],
    ['neither', `last_used_at = now() - interval '23 hours', created_at = now() - interval '29 days'`, 200],
  ])('has ended after %s', async (_what, change, status) => {
    const person = await createPerson(api.database);
    const browser = await openBrowser(api.app, person);
    await api.database.query(`UPDATE sessions SET ${change} WHERE user_id = $1`, [person.userId]);
    expect((await browser.account('GET', '/me')).statusCode).toBe(status);
    const [row] = await api.database.query<{ fresh: boolean }>(
      `SELECT last_used_at > now() - interval '1 minute' AS fresh FROM sessions WHERE user_id = $1`,
      [person.userId],
    );
    if (status === 200) expect(row?.fresh).toBe(true);
  });

  it('gives way to newer ones: a user has 20 at most', async () => {
    const person = await createPerson(api.database);
    const first = await openBrowser(api.app, person);
    await api.database.query(
      `INSERT INTO sessions (secret_hash, user_id, created_at) SELECT decode(md5(n::text), 'hex'), $1, now() + interval '1 ms' * n
       FROM generate_series(1, 19) n`,
      [person.userId],
    );
    await openBrowser(api.app, person);
    const [count] = await api.database.query(`SELECT count(*) AS n FROM sessions WHERE user_id = $1`, [
      person.userId,
    ]);
    expect(count).toEqual({ n: 20 });
    expect((await first.account('GET', '/me')).statusCode).toBe(401);
  });

  it('is replaced by a new one at the next log-in, so that no old cookie stays valid', async () => {
    const person = await createPerson(api.database);
    const browser = await openBrowser(api.app, person);
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in',
      headers: { cookie: browser.cookie },
      payload: { email: person.email, password: PASSWORD },
    });
    expect(cookieOf(answer)).not.toBe(browser.cookie);
    expect((await browser.account('GET', '/me')).statusCode).toBe(401);
    const next = browserOf(api.app, cookieOf(answer), answer.json().data.csrf_token);
    expect((await next.account('GET', '/me')).statusCode).toBe(200);
  });

  it('is needed for every account route: a token opens none', async () => {
    const person = await createPerson(api.database);
    for (const path of ['/me', '/tokens', '/users', '/invitations', '/audit-log', '/organizations']) {
      const url = `/api/v1/account${path}`;
      expect((await api.app.inject({ url, headers: bearer(person.token) })).statusCode).toBe(401);
      expect((await api.app.inject({ url })).statusCode).toBe(401);
    }
  });

  it('ends on a change of the password, but the one that changed it', async () => {
    const person = await createPerson(api.database);
    const [one, two] = [await openBrowser(api.app, person), await openBrowser(api.app, person)];
    const change = (current_password: string, new_password: string) =>
      one.account('PUT', '/me/password', { current_password, new_password });
    expect((await change('not the password', 'another long line')).json().errors).toEqual({
      current_password: ['The current_password field is wrong.'],
    });
    expect((await change(PASSWORD, person.email)).json().errors).toEqual({
      new_password: ['The new_password field must not be the e-mail address.'],
    });
    expect((await change(PASSWORD, 'too short')).statusCode).toBe(422);
    expect((await two.account('GET', '/me')).statusCode).toBe(200);
    expect((await change(PASSWORD, 'another long line')).statusCode).toBe(204);
    expect((await one.account('GET', '/me')).statusCode).toBe(200);
    expect((await two.account('GET', '/me')).statusCode).toBe(401);
    expect((await logIn(api.app, person.email)).statusCode).toBe(401);
    expect((await logIn(api.app, person.email, 'another long line')).statusCode).toBe(200);
  });

  it('may change the name of its user', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const answer = await browser.account('PATCH', '/me', { name: ' Ada ' });
    expect([answer.statusCode, answer.json().data.user.name]).toEqual([200, 'Ada']);
    expect((await browser.account('PATCH', '/me', { name: ' ' })).statusCode).toBe(422);
  });
});
