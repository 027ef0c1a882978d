// tier: postgres
import { describe, expect, it } from 'vitest';
import { createTestApi, openTestApi } from '../../support.ts';
import { browserOf, cookieOf, createPerson, logIn, openBrowser, PASSWORD } from '../support.ts';

describe('an invitation', async () => {
  const api = await openTestApi();
  const admin = await createPerson(api.database);
  const browser = await openBrowser(api.app, admin);

  let people = 0;
  const newEmail = () => `grace${++people}@example.com`;
  const invite = async (email: string, role = 'member', by = browser) => {
    const answer = await by.account('POST', '/invitations', { email, role });
    const url: string = answer.json().data?.url ?? '';
    return { answer, url, link: url.split('#').at(-1) ?? '' };
  };
  const post = (path: string, payload: object) =>
    api.app.inject({ method: 'POST', url: `/api/v1/account/invitations/${path}`, payload });
  const accept = (invitation: string, changes: object = {}) =>
    post('accept', { invitation, name: 'Grace', password: PASSWORD, ...changes });

  it('is a link that works once for a new user, who then logs in with the chosen password', async () => {
    const email = newEmail();
    const { answer, url, link } = await invite(email, 'member');
    expect(answer.statusCode).toBe(201);
    expect(url).toMatch(/^http:\/\/localhost(:80)?\/invitations#\d+\.[\w-]{43}$/);
    expect((await post('open', { invitation: link })).json().data).toMatchObject({ email, role: 'member' });
    const accepted = await accept(link);
    expect([accepted.statusCode, accepted.json().data.user]).toEqual([
      201,
      expect.objectContaining({ email, name: 'Grace', role: 'member' }),
    ]);
    const theirs = browserOf(api.app, cookieOf(accepted), accepted.json().data.csrf_token);
    expect((await theirs.account('GET', '/me')).json().data.organization.id).toBe(admin.organizationId);
    expect((await logIn(api.app, email)).statusCode).toBe(200);
    expect((await accept(link)).statusCode).toBe(404);
    expect((await post('open', { invitation: link })).statusCode).toBe(404);
  });

  it('admits one of two people who use it at once', async () => {
    const { link } = await invite(newEmail());
    const answers = await Promise.all([accept(link), accept(link)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 404]);
  });

  it('is shown once, and its secret rests as a hash', async () => {
    const { answer, link } = await invite(newEmail());
    const { url: _url, mailed: _mailed, ...shown } = answer.json().data;
    const listed = await browser.account('GET', '/invitations');
    expect(listed.json().data).toContainEqual(shown);
    const secret = link.split('.')[1] ?? '';
    const rows = await api.database.query<{ text: string }>(
      `SELECT invitations::text AS text FROM invitations`,
    );
    for (const text of [listed.body, ...rows.map((row) => row.text)]) expect(text).not.toContain(secret);
  });

  it.each([
    [
      'expired',
      async (id: string) =>
        void (await api.database.query(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [id])),
    ],
    ['was revoked', async (id: string) => void (await browser.account('DELETE', `/invitations/${id}`))],
    [
      'was made by a user who is no longer an admin',
      async (id: string) => {
        const other = await createPerson(api.database, { organizationId: admin.organizationId });
        await api.database.query(`UPDATE invitations SET invited_by = $2 WHERE id = $1`, [id, other.userId]);
        await browser.account('PATCH', `/users/${other.userId}`, { role: 'member' });
      },
    ],
    [
      'is for a person who got an account elsewhere',
      async (id: string) => {
        const other = await createPerson(api.database);
        await api.database.query(`UPDATE invitations SET email = $2 WHERE id = $1`, [id, other.email]);
      },
    ],
  ])('that %s admits no one, and every reason has the same answer', async (_what, spoil) => {
    const { link } = await invite(newEmail());
    await spoil(link.split('.')[0] ?? '');
    const answer = await accept(link);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe((await accept(`1.${'a'.repeat(43)}`)).body);
    expect(answer.body).toBe((await accept('nonsense')).body);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('requires a name and a password of 10 to 256 characters that is not the address', async () => {
    const email = newEmail();
    const { link } = await invite(email);
    for (const changes of [
      { name: ' ' },
      { password: 'nine char' },
      { password: 'x'.repeat(257) },
      { password: email },
      { password: email.toUpperCase() },
    ]) {
      expect([changes, (await accept(link, changes)).statusCode]).toEqual([changes, 422]);
    }
    expect((await accept(link, { password: 'ten  chars' })).statusCode).toBe(201);
  });

  it('is refused for a role above your own, an address that is none, and a colleague', async () => {
    const errorsOf = async (email: string, role: string) => (await invite(email, role)).answer.json().errors;
    expect(await errorsOf(newEmail(), 'super-admin')).toEqual({
      role: ['The role field must not be above your own.'],
    });
    expect(await errorsOf('nonsense', 'member')).toEqual({
      email: ['The email field must be an e-mail address.'],
    });
    expect(await errorsOf(admin.email.toUpperCase(), 'member')).toEqual({
      email: ['The email field already belongs to a user.'],
    });
  });

  it('does not reveal that its address has an account in another organization', async () => {
    const stranger = await createPerson(api.database);
    expect((await invite(stranger.email)).answer.statusCode).toBe(201);
  });

  it('replaces an older one for the same address', async () => {
    const email = newEmail();
    const [old, fresh] = [await invite(email), await invite(email, 'admin')];
    expect((await accept(old.link)).statusCode).toBe(404);
    expect((await accept(fresh.link)).json().data.user.role).toBe('admin');
  });

  it('of another organization is missing', async () => {
    const { link } = await invite(newEmail());
    const other = await openBrowser(api.app, await createPerson(api.database));
    const id = link.split('.')[0];
    expect((await other.account('DELETE', `/invitations/${id}`)).statusCode).toBe(404);
    expect((await other.account('GET', '/invitations')).json().data).toEqual([]);
    expect((await accept(link)).statusCode).toBe(201);
  });

  it('leads to the address that the settings name', async () => {
    const config = { publicBaseUrl: 'https://push.example.org/base' };
    const named = await createTestApi({ database: api.database, config });
    const theirs = await openBrowser(named.app, admin);
    const { url } = await invite(newEmail(), 'member', theirs);
    expect(url).toMatch(/^https:\/\/push\.example\.org\/base\/invitations#/);
    await named.close();
  });
});
