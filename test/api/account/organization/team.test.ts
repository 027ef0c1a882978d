// tier: postgres
import { describe, expect, it, vi } from 'vitest';
import type { Role } from '../../../../api/auth/abilities.ts';
import { bearer, createTestApi, openTestApi } from '../../support.ts';
import { type Browser, createPerson, openBrowser, type Person } from '../support.ts';

describe('a team', async () => {
  const api = await openTestApi();
  // The one that a first start makes: the last super-admin must stay.
  await createPerson(api.database, { role: 'super-admin' });

  const join = (first: Person, role: Role) =>
    createPerson(api.database, { role, organizationId: first.organizationId });
  const setRole = (browser: Browser, person: Person, role: Role) =>
    browser.account('PATCH', `/users/${person.userId}`, { role });
  const audited = async (person: Person, action: string) =>
    (
      await api.database.query<{ detail: object; subject_id: string }>(
        `SELECT detail, subject_id FROM audit_log WHERE action = $1 AND organization_id = $2 ORDER BY id`,
        [action, person.organizationId],
      )
    ).map(({ detail, subject_id }) => ({ subject: Number(subject_id), ...detail }));

  it('is listed for its admins, and only theirs', async () => {
    const admin = await createPerson(api.database);
    const member = await join(admin, 'member');
    const listed = (await (await openBrowser(api.app, admin)).account('GET', '/users')).json();
    expect(listed.data.map((user: { email: string }) => user.email)).toEqual([admin.email, member.email]);
    expect(Object.keys(listed.data[0])).toEqual(['id', 'email', 'name', 'role', 'grants', 'created_at']);
  });

  it.each([
    ['GET', '/users'],
    ['PATCH', '/users/1'],
    ['PUT', '/users/1/grants'],
    ['DELETE', '/users/1'],
    ['GET', '/invitations'],
    ['POST', '/invitations'],
    ['DELETE', '/invitations/1'],
    ['GET', '/audit-log'],
  ] as const)('is not managed by members: %s %s', async (method, path) => {
    const browser = await openBrowser(api.app, await createPerson(api.database, { role: 'member' }));
    const answer = await browser.account(method, path, method === 'GET' ? undefined : {});
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'Your role does not allow this.' }]);
  });

  it.each([
    ['GET', '/organizations'],
    ['POST', '/organizations'],
    ['PATCH', '/organizations/1'],
  ] as const)('leaves organizations to super-admins: %s %s', async (method, path) => {
    const browser = await openBrowser(api.app, await createPerson(api.database, { role: 'admin' }));
    const answer = await browser.account(method, path, method === 'GET' ? undefined : { name: 'x' });
    expect(answer.statusCode).toBe(403);
  });

  it('sees a new role at once, in sessions that are open', async () => {
    const admin = await createPerson(api.database);
    const other = await join(admin, 'member');
    const [browser, theirs] = [await openBrowser(api.app, admin), await openBrowser(api.app, other)];
    expect((await theirs.account('GET', '/users')).statusCode).toBe(403);
    expect((await setRole(browser, other, 'admin')).json().data.role).toBe('admin');
    expect((await theirs.account('GET', '/users')).statusCode).toBe(200);
    expect((await setRole(browser, other, 'member')).statusCode).toBe(200);
    expect((await theirs.account('GET', '/users')).statusCode).toBe(403);
    expect(await audited(admin, 'user.role-changed')).toEqual([
      { subject: other.userId, email: other.email, from: 'member', to: 'admin' },
      { subject: other.userId, email: other.email, from: 'admin', to: 'member' },
    ]);
  });

  it('lets no one raise a user above themselves, or manage a user with a higher role', async () => {
    const admin = await createPerson(api.database);
    const [member, above] = [await join(admin, 'member'), await join(admin, 'super-admin')];
    const browser = await openBrowser(api.app, admin);
    expect((await setRole(browser, member, 'super-admin')).statusCode).toBe(403);
    expect((await setRole(browser, admin, 'super-admin')).statusCode).toBe(403);
    expect((await setRole(browser, above, 'member')).statusCode).toBe(403);
    expect((await browser.account('DELETE', `/users/${above.userId}`)).statusCode).toBe(403);
    expect((await setRole(await openBrowser(api.app, above), admin, 'super-admin')).statusCode).toBe(200);
  });

  it('keeps its last admin, even if two admins demote each other at once', async () => {
    const [one, outsider] = [await createPerson(api.database), await createPerson(api.database)];
    const browser = await openBrowser(api.app, one);
    await join(one, 'member');
    for (const answer of [
      await setRole(browser, one, 'member'),
      await browser.account('DELETE', `/users/${one.userId}`),
    ]) {
      expect([answer.statusCode, answer.json().errors.role]).toEqual([
        422,
        ['The last admin of an organization must stay one.'],
      ]);
    }
    const two = await join(one, 'admin');
    const other = await openBrowser(api.app, two);
    const held = Promise.withResolvers<void>();
    const holder = api.database.transaction(async (sql) => {
      await sql.query(`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`);
      await held.promise;
    });
    const both = Promise.all([setRole(browser, two, 'member'), setRole(other, one, 'member')]);
    await vi.waitFor(async () => {
      const [waiting] = await api.database.query(
        `SELECT count(*) AS n FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`,
      );
      expect(waiting).toEqual({ n: 2 });
    }, 120_000);
    held.resolve();
    await holder;
    const answers = await both;
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403]);
    expect((await openBrowser(api.app, outsider)).cookie).not.toBe('');
  });

  it('is a wall: users of another organization are missing', async () => {
    const [admin, stranger] = [await createPerson(api.database), await createPerson(api.database)];
    const browser = await openBrowser(api.app, admin);
    for (const id of [stranger.userId, 999_999, 'x']) {
      const answers = [
        await browser.account('PATCH', `/users/${id}`, { role: 'member' }),
        await browser.account('DELETE', `/users/${id}`),
      ];
      for (const answer of answers) {
        expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
      }
    }
    const asked = await browser.account('GET', `/users?organization_id=${stranger.organizationId}`);
    expect([asked.statusCode, Object.keys(asked.json().errors)]).toEqual([422, ['organization_id']]);
    const unknown = await browser.account('GET', `/users?organization_id=999999`);
    expect(unknown.body).toBe(asked.body);
  });

  it('loses with a user their tokens, sessions and invitations', async () => {
    const admin = await createPerson(api.database);
    const gone = await join(admin, 'admin');
    const [browser, theirs] = [await openBrowser(api.app, admin), await openBrowser(api.app, gone)];
    const apps = { url: '/api/v1/client/apps', headers: bearer(gone.token) };
    expect((await api.app.inject(apps)).statusCode).toBe(200);
    await theirs.account('POST', '/invitations', { email: 'friend@example.com', role: 'admin' });
    expect((await browser.account('DELETE', `/users/${gone.userId}`)).statusCode).toBe(204);
    expect((await api.app.inject(apps)).statusCode).toBe(401);
    expect((await theirs.account('GET', '/me')).statusCode).toBe(401);
    expect((await browser.account('GET', '/invitations')).json().data).toEqual([]);
    expect(await audited(admin, 'user.removed')).toEqual([
      { subject: gone.userId, email: gone.email, role: 'admin' },
    ]);
  });

  it('of any organization is managed by super-admins, who name it', async () => {
    const above = await openBrowser(api.app, await createPerson(api.database, { role: 'super-admin' }));
    const { id } = (await above.account('POST', '/organizations', { name: 'Evening News' })).json().data;
    expect((await above.account('POST', '/organizations', { name: 'Evening News' })).statusCode).toBe(422);
    const renamed = await above.account('PATCH', `/organizations/${id}`, { name: 'Evening Post' });
    expect(renamed.json().data).toMatchObject({ id, name: 'Evening Post' });
    const person = await createPerson(api.database, { organizationId: id });
    const listed = await above.account('GET', `/users?organization_id=${id}`);
    expect(listed.json().data).toMatchObject([{ id: person.userId }]);
    const member = await createPerson(api.database, { organizationId: id, role: 'member' });
    const path = `/users/${member.userId}?organization_id=${id}`;
    expect((await above.account('PATCH', path, { role: 'admin' })).statusCode).toBe(200);
    expect((await above.account('GET', `/users?organization_id=999999`)).statusCode).toBe(422);
    const names = (await above.account('GET', '/organizations?per_page=100')).json().data;
    expect(names).toContainEqual(expect.objectContaining({ name: 'Evening Post' }));
    const log = (await above.account('GET', `/audit-log?organization_id=${id}`)).json().data;
    expect(log.map((entry: { action: string }) => entry.action)).toEqual([
      'user.role-changed',
      'organization.renamed',
      'organization.created',
    ]);
  });
});

it('the last super-admin of all stays one', async () => {
  const api = await createTestApi();
  const last = await createPerson(api.database, { role: 'super-admin' });
  await createPerson(api.database, { role: 'admin', organizationId: last.organizationId });
  const browser = await openBrowser(api.app, last);
  const answer = await browser.account('PATCH', `/users/${last.userId}`, { role: 'admin' });
  expect([answer.statusCode, answer.json().errors.role]).toEqual([
    422,
    ['The last super-admin must stay one.'],
  ]);
  await api.close();
});
