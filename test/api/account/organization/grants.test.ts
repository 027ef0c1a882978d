// tier: postgres
import { describe, expect, it } from 'vitest';
import { abilities, type Role } from '../../../../api/auth/abilities.ts';
import { appBody, callAs, deliveryBody, openTestApi } from '../../support.ts';
import {
  type Browser,
  browserOf,
  cookieOf,
  createPerson,
  openBrowser,
  PASSWORD,
  type Person,
} from '../support.ts';

/** Each route with each role is in test/generated/roles.test.ts. */
describe('a role on one app', async () => {
  const api = await openTestApi();
  const boss = await createPerson(api.database);
  const browser = await openBrowser(api.app, boss);
  const makeApp = async (name: string): Promise<string> =>
    (await browser.client('POST', '/apps', appBody({ name }))).json().data.identifier;
  const [sports, politics] = [await makeApp('Sports'), await makeApp('Politics')];

  const joinAs = (role: Role) => createPerson(api.database, { role, organizationId: boss.organizationId });
  const grant = (person: Person, grants: readonly object[], by = browser) =>
    by.account('PUT', `/users/${person.userId}/grants`, { grants });
  const shownTo = async (call: Browser['client']): Promise<string[]> =>
    (await call('GET', '/apps')).json().data.map((app: { identifier: string }) => app.identifier);
  const audited = async (action: string) =>
    (
      await api.database.query<{ detail: object }>(
        `SELECT detail FROM audit_log WHERE action = $1 AND organization_id = $2 ORDER BY id`,
        [action, boss.organizationId],
      )
    ).map(({ detail }) => detail);

  it('shows a guest that app alone, by session and by token, from the next request on', async () => {
    const guest = await joinAs('guest');
    const theirs = await openBrowser(api.app, guest);
    const calls = [theirs.client, callAs(api.app, guest)];
    for (const call of calls) expect(await shownTo(call)).toEqual([]);
    const answer = await grant(guest, [{ app: sports, role: 'author' }]);
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      expect.objectContaining({ role: 'guest', grants: [{ app: sports, role: 'author' }] }),
    ]);
    for (const call of calls) {
      expect(await shownTo(call)).toEqual([sports]);
      expect((await call('GET', `/apps/${sports}/deliveries`)).statusCode).toBe(200);
      expect((await call('GET', `/apps/${politics}/deliveries`)).statusCode).toBe(404);
    }
    expect((await theirs.account('GET', '/me')).json().data).toMatchObject({
      user: { role: 'guest', grants: [{ app: sports, role: 'author' }] },
      abilities: [],
    });
    expect((await grant(guest, [])).statusCode).toBe(200);
    for (const call of calls) {
      expect(await shownTo(call)).toEqual([]);
      expect((await call('GET', `/apps/${sports}/deliveries`)).statusCode).toBe(404);
    }
    expect(await audited('user.grants-changed')).toEqual([
      { email: guest.email, from: '', to: `${sports}: author` },
      { email: guest.email, from: `${sports}: author`, to: '' },
    ]);
  });

  it('is noted once: the same grants again are not a change', async () => {
    const guest = await joinAs('guest');
    const before = (await audited('user.grants-changed')).length;
    for (const _ of [1, 2]) await grant(guest, [{ app: sports, role: 'reader' }]);
    expect((await audited('user.grants-changed')).length).toBe(before + 1);
  });

  it('is given on apps of the organization alone, once each, and by its admins', async () => {
    const guest = await joinAs('guest');
    const stranger = await openBrowser(api.app, await createPerson(api.database));
    const theirApp = (await stranger.client('POST', '/apps', appBody())).json().data.identifier;
    for (const app of [theirApp, 'example-news-zzzzzz']) {
      const answer = await grant(guest, [{ app, role: 'reader' }]);
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        { grants: ['The grants field names an app that does not exist.'] },
      ]);
    }
    const twice = await grant(guest, [
      { app: sports, role: 'reader' },
      { app: sports, role: 'admin' },
    ]);
    expect(twice.json().errors).toEqual({ grants: ['The grants field must not name an app twice.'] });
    expect((await grant(guest, [], stranger)).statusCode).toBe(404);
    // An app's admin gives nothing, not even what they hold there.
    const head = await joinAs('member');
    await grant(head, [{ app: sports, role: 'admin' }]);
    const asHead = await openBrowser(api.app, head);
    for (const app of [sports, politics])
      expect((await grant(guest, [{ app, role: 'reader' }], asHead)).statusCode).toBe(403);
    const invited = { email: 'new@example.com', role: 'guest', grants: [{ app: sports, role: 'reader' }] };
    expect((await asHead.account('POST', '/invitations', invited)).statusCode).toBe(403);
    // Not your superior's either.
    const superior = await createPerson(api.database, {
      role: 'super-admin',
      organizationId: boss.organizationId,
    });
    expect((await grant(superior, [{ app: sports, role: 'reader' }])).statusCode).toBe(403);
  });

  it('counts for no admin of the organization: the last one stays', async () => {
    const lonely = await createPerson(api.database);
    const asLonely = await openBrowser(api.app, lonely);
    const app = (await asLonely.client('POST', '/apps', appBody())).json().data.identifier;
    for (const role of ['reader', 'guest'] as const) {
      const other = await createPerson(api.database, { role, organizationId: lonely.organizationId });
      await grant(other, [{ app, role: 'admin' }], asLonely);
    }
    for (const role of ['member', 'reader', 'guest']) {
      const answer = await asLonely.account('PATCH', `/users/${lonely.userId}`, { role });
      expect(answer.json().errors).toEqual({ role: ['The last admin of an organization must stay one.'] });
    }
    expect((await asLonely.account('DELETE', `/users/${lonely.userId}`)).statusCode).toBe(422);
  });

  it('never lowers: a member with a reader’s grant is a member there', async () => {
    const member = await joinAs('member');
    await grant(member, [{ app: sports, role: 'reader' }]);
    const answer = await callAs(api.app, member)('PATCH', `/apps/${sports}`, appBody({ name: 'Sports' }));
    expect(answer.statusCode).toBe(200);
  });

  it('limits what a guest’s token may be limited to, and a token never adds to it', async () => {
    const guest = await joinAs('guest');
    await grant(guest, [{ app: sports, role: 'reader' }]);
    const theirs = await openBrowser(api.app, guest);
    const make = (apps: readonly string[]) =>
      theirs.account('POST', '/tokens', { name: 'Desk', abilities: ['apps:read', 'deliveries:write'], apps });
    expect((await make([politics])).json().errors).toEqual({
      apps: ['The apps field names an app that does not exist.'],
    });
    const token: string = (await make([sports])).json().data.token;
    const call = callAs(api.app, { ...guest, token });
    expect(await shownTo(call)).toEqual([sports]);
    const refused = await call('POST', `/apps/${sports}/deliveries`, deliveryBody());
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Requires ability deliveries:write; your role on this app is reader, which does not have it. Ask an admin of your organization.',
    ]);
    await grant(guest, [{ app: politics, role: 'admin' }]);
    expect(await shownTo(call)).toEqual([]);
  });

  it.each([
    ['admin', null, null],
    ['member', null, null],
    [
      'reader',
      null,
      /^By the role reader, its user does not have (?=.*apps:write)(?=.*subscriptions:write)(?=.*deliveries:write)/,
    ],
    [
      'reader',
      'approver',
      /^By the role approver, its user does not have apps:write: requests that need it are answered 403/,
    ],
    ['guest', 'author', /^By the role author, .* subscriptions:write/],
    ['guest', 'admin', null],
    ['guest', null, /^Without a role on an app, its user does not have apps:read/],
  ] as const)(
    'is what a new token of a %s, here with the grant %s, is measured by',
    async (role, granted, words) => {
      const person = await joinAs(role);
      if (granted !== null) await grant(person, [{ app: sports, role: granted }]);
      const theirs = await openBrowser(api.app, person);
      const make = async (body: object) =>
        (await theirs.account('POST', '/tokens', { name: 'Desk', abilities, ...body })).json().data.note;
      expect(await make({})).toEqual(words === null ? null : expect.stringMatching(words));
      expect(await make({ abilities: ['apps:read'] })).toEqual(
        role === 'guest' && granted === null ? expect.stringContaining('apps:read') : null,
      );
      // On an app where they have the role of the organization alone.
      if (role === 'reader') expect(await make({ apps: [politics] })).toMatch(/^By the role reader/);
    },
  );

  it('comes with an invitation, as far as the apps are still there', async () => {
    const gone = await makeApp('Gone');
    const grants = [sports, gone].map((app) => ({ app, role: 'author' }));
    const invite = async (changes: object = {}) =>
      browser.account('POST', '/invitations', {
        email: 'grace@example.com',
        role: 'guest',
        grants,
        ...changes,
      });
    expect((await invite({ grants: [{ app: 'nowhere', role: 'author' }] })).json().errors).toEqual({
      grants: ['The grants field names an app that does not exist.'],
    });
    const made = await invite();
    expect([made.statusCode, made.json().data.grants]).toEqual([
      201,
      expect.arrayContaining(grants.map((each) => expect.objectContaining(each))),
    ]);
    await browser.client('DELETE', `/apps/${gone}`);
    const accepted = await api.app.inject({
      method: 'POST',
      url: '/api/v1/account/invitations/accept',
      payload: { invitation: made.json().data.url.split('#').at(-1), name: 'Grace', password: PASSWORD },
    });
    expect([accepted.statusCode, accepted.json().data.user]).toEqual([
      201,
      expect.objectContaining({ role: 'guest', grants: [{ app: sports, role: 'author' }] }),
    ]);
    const grace = browserOf(api.app, cookieOf(accepted), accepted.json().data.csrf_token);
    expect(await shownTo(grace.client)).toEqual([sports]);
  });

  it('ends when the app goes to another organization, and does not come back with it', async () => {
    const operator = await createPerson(api.database, { role: 'super-admin' });
    const mover = await createPerson(api.database, {
      role: 'super-admin',
      organizationId: boss.organizationId,
    });
    const app = await makeApp('Moving');
    const guest = await joinAs('guest');
    await grant(guest, [{ app, role: 'admin' }]);
    const move = (by: Person, organization_id: number) =>
      callAs(api.app, by)('PATCH', `/apps/${app}`, { ...appBody(), organization_id });
    expect((await move(mover, operator.organizationId)).statusCode).toBe(200);
    expect((await move(operator, boss.organizationId)).statusCode).toBe(200);
    expect(await shownTo(callAs(api.app, guest))).toEqual([]);
  });

  it('takes the report tokens of somebody who becomes a guest: they are the organization’s', async () => {
    const member = await joinAs('admin');
    const theirs = await openBrowser(api.app, member);
    await api.database.query(
      `INSERT INTO revenue_domains (organization_id, domain) VALUES ($1, 'news.example.com') ON CONFLICT DO NOTHING`,
      [boss.organizationId],
    );
    const body = { name: 'Revenue', domains: ['news.example.com'] };
    expect((await theirs.account('POST', '/report-tokens', body)).statusCode).toBe(201);
    await browser.account('PATCH', `/users/${member.userId}`, { role: 'guest' });
    expect((await theirs.account('GET', '/report-tokens')).statusCode).toBe(403);
    const left = await api.database.query(
      `SELECT FROM report_tokens WHERE user_id = $1 AND revoked_at IS NULL`,
      [member.userId],
    );
    expect(left).toEqual([]);
  });

  it('lets an author write what an approver sends, on an app that asks nobody else', async () => {
    const [author, approver] = [await joinAs('guest'), await joinAs('guest')];
    await grant(author, [{ app: sports, role: 'author' }]);
    await grant(approver, [{ app: sports, role: 'approver' }]);
    const [write, approve] = [callAs(api.app, author), callAs(api.app, approver)];
    const on = `/apps/${sports}`;
    expect((await write('GET', on)).json().data.approval).toBe('all');
    expect((await approve('GET', on)).json().data.approval).toBe('none');

    const written = await write('POST', `${on}/deliveries`, deliveryBody());
    const { id } = written.json().data;
    expect([written.statusCode, written.json().data]).toEqual([
      201,
      expect.objectContaining({
        status: 'pending',
        approval: expect.objectContaining({ state: 'waiting', authors: [author.email] }),
      }),
    ]);
    const onTheWay = async () =>
      (await api.database.query(`SELECT FROM outbox WHERE topic LIKE 'deliveries%'`)).length;
    const before = await onTheWay();
    const decision = { decision: 'approve', version: 0 };
    const own = await write('POST', `${on}/deliveries/${id}/approval`, decision);
    expect([own.statusCode, own.json().message]).toEqual([
      403,
      'Requires ability deliveries:write and role approver on this app; your role is author. Ask an admin of your organization.',
    ]);
    expect(await onTheWay()).toBe(before);
    expect((await approve('POST', `${on}/deliveries/${id}/approval`, decision)).statusCode).toBe(200);
    expect(await onTheWay()).toBe(before + 1);

    // What an approver has scheduled is not an author's to hold back.
    const later = deliveryBody({ scheduled_at: '2999-01-31T12:00:00Z' });
    const scheduled = (await approve('POST', `${on}/deliveries`, later)).json().data;
    expect([scheduled.status, scheduled.approval]).toEqual(['scheduled', null]);
    const changed = await write('PATCH', `${on}/deliveries/${scheduled.id}`, { title: 'Other' });
    expect(changed.statusCode).toBe(422);
    const kept = (await approve('GET', `${on}/deliveries/${scheduled.id}`)).json().data;
    expect(kept).toMatchObject({ status: 'scheduled', approval: null, changes: 0 });
  });

  it('leaves an author no other way to readers', async () => {
    const author = await joinAs('guest');
    await grant(author, [{ app: sports, role: 'author' }]);
    const write = callAs(api.app, author);
    const { title, body, url } = deliveryBody();
    const notifications = [{ title, body, url }];
    const feed = {
      kind: 'feed',
      url: 'https://news.example.com/feed.xml',
      every_minutes: 1,
      publish: 'automatic',
    };
    const campaign = await write('POST', `/apps/${sports}/campaigns`, {
      name: 'Test',
      notifications: [...notifications, ...notifications],
      plan: { kind: 'ab_test', starts_at: '2999-01-31T12:00:00Z' },
    });
    expect(campaign.json().data.approval.state).toBe('waiting');
    const byItself = await write('POST', `/apps/${sports}/campaigns`, { name: 'Feed', plan: feed });
    expect([byItself.statusCode, byItself.body]).toEqual([403, expect.stringContaining('role approver')]);
    const welcome = { enabled: true, title, body, url };
    expect((await write('PUT', `/apps/${sports}/welcome`, welcome)).statusCode).toBe(403);
  });
});
