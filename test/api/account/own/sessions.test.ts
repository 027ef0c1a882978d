// tier: postgres
import { describe, expect, it } from 'vitest';
import { openTestApi } from '../../support.ts';
import { cookieOf, createPerson, openBrowser, PASSWORD } from '../support.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('one’s sessions', async () => {
  const api = await openTestApi({ config: { trustedProxies: ['10.0.0.0/8'] } });

  it('are listed with browser, address and last use; the one that asks is marked', async () => {
    const person = await createPerson(api.database);
    const other = await openBrowser(api.app, await createPerson(api.database));
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/log-in',
      headers: { 'user-agent': firefox, 'x-forwarded-for': '192.0.2.7' },
      remoteAddress: '10.1.2.3',
      payload: { email: person.email, password: PASSWORD },
    });
    expect(answer.statusCode).toBe(200);
    const browser = await openBrowser(api.app, person);
    const listed = (await browser.account('GET', '/sessions')).json().data;
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual({
      id: expect.any(Number),
      browser: 'Firefox 140, Windows 10',
      address: '192.0.2.7',
      current: false,
      created_at: expect.stringMatching(/\+00:00$/),
      last_used_at: expect.stringMatching(/\+00:00$/),
    });
    expect(listed.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain(cookieOf(answer).split('=')[1]);
    expect((await other.account('GET', '/sessions')).json().data).toHaveLength(1);
  });

  it('are ended one by one, at once, and noted; no one ends those of others', async () => {
    const person = await createPerson(api.database, { role: 'admin' });
    const [one, two] = [await openBrowser(api.app, person), await openBrowser(api.app, person)];
    const listed: { id: number; current: boolean }[] = (await one.account('GET', '/sessions')).json().data;
    const id = listed.find(({ current }) => !current)?.id;
    const colleague = await createPerson(api.database, {
      role: 'admin',
      organizationId: person.organizationId,
    });
    const stranger = await openBrowser(api.app, colleague);
    expect((await stranger.account('DELETE', `/sessions/${id}`)).statusCode).toBe(404);
    expect((await two.account('GET', '/me')).statusCode).toBe(200);
    expect((await one.account('DELETE', `/sessions/${id}`)).statusCode).toBe(204);
    expect((await two.account('GET', '/me')).statusCode).toBe(401);
    expect((await one.account('GET', '/me')).statusCode).toBe(200);
    expect((await one.account('DELETE', `/sessions/${id}`)).statusCode).toBe(404);
    const rows = await api.database.query(
      `SELECT action, subject_id FROM audit_log WHERE user_id = $1 AND action = 'user.session-ended'`,
      [person.userId],
    );
    expect(rows).toEqual([{ action: 'user.session-ended', subject_id: String(id) }]);
  });

  it('are not listed once they have ended by themselves', async () => {
    const person = await createPerson(api.database);
    const browser = await openBrowser(api.app, person);
    await openBrowser(api.app, person);
    await api.database.query(
      `UPDATE sessions SET last_used_at = now() - interval '25 hours' WHERE user_id = $1
         AND id = (SELECT max(id) FROM sessions)`,
      [person.userId],
    );
    expect((await browser.account('GET', '/sessions')).json().data).toHaveLength(1);
  });
});
