// tier: postgres
import { describe, expect, it } from 'vitest';
import { browserOf, createPerson, openBrowser } from '../account/support.ts';
import { appBody, bearer, callAs, createMember, openTestApi } from '../support.ts';

const api = await openTestApi();

type Call = ReturnType<typeof callAs>;

/** An app with a key that is retiring. */
async function makeApp(admin: Call): Promise<{ identifier: string; retiring: string }> {
  const { identifier } = (await admin('POST', '/apps', appBody())).json().data;
  await admin('POST', `/apps/${identifier}/vapid-keys`);
  const keys: { id: string; state: string }[] = (await admin('GET', `/apps/${identifier}/vapid-keys`)).json()
    .data;
  return { identifier, retiring: keys.find(({ state }) => state === 'retiring')?.id ?? 'none' };
}

const refusalOf = (ability: string) => ({
  message: `Requires ability ${ability} and role admin on this app; your role is member. Ask an admin of your organization.`,
});
const adminOnly = (app: { identifier: string; retiring: string }) =>
  [
    ['DELETE', `/apps/${app.identifier}`],
    ['POST', `/apps/${app.identifier}/vapid-keys`],
    ['DELETE', `/apps/${app.identifier}/vapid-keys/${app.retiring}`],
  ] as const;

describe('an admin’s route', () => {
  it('is refused to a member’s token whatever its abilities, and to a member’s session', async () => {
    const admin = await createMember(api.database);
    const app = await makeApp(callAs(api.app, admin));
    const options = { role: 'member', organizationId: admin.organizationId } as const;
    const byToken = callAs(api.app, await createMember(api.database, options));
    const browser = await openBrowser(api.app, await createPerson(api.database, options));
    for (const call of [byToken, browser.client]) {
      for (const [method, path] of adminOnly(app)) {
        const answer = await call(method, path);
        expect([method, path, answer.statusCode, answer.json()]).toEqual([
          method,
          path,
          403,
          refusalOf('apps:write'),
        ]);
      }
    }
    expect((await byToken('GET', `/apps/${app.identifier}`)).statusCode).toBe(200);
  });

  it('is refused for the missing ability first, in the words of the specification', async () => {
    const options = { role: 'member', abilities: ['apps:read'] } as const;
    const answer = await callAs(api.app, await createMember(api.database, options))('DELETE', '/apps/x');
    expect(answer.json()).toEqual({ message: 'Token does not have the required ability: apps:write' });
  });

  it('does not reveal another organization’s apps to a member', async () => {
    const app = await makeApp(callAs(api.app, await createMember(api.database)));
    const stranger = callAs(api.app, await createMember(api.database, { role: 'member' }));
    for (const [method, path] of adminOnly(app)) {
      const [foreign, missing] = [
        await stranger(method, path),
        await stranger(method, path.replace(app.identifier, 'missing')),
      ];
      expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
    }
    const admin = callAs(api.app, await createMember(api.database));
    for (const [method, path] of adminOnly(app)) expect((await admin(method, path)).statusCode).toBe(404);
  });

  it('leaves a member the rest: making and changing apps, reading keys, sending, tags, lists', async () => {
    const admin = await createMember(api.database);
    const options = { role: 'member', organizationId: admin.organizationId } as const;
    const call = callAs(api.app, await createMember(api.database, options));
    const made = await call('POST', '/apps', appBody());
    const { identifier } = made.json().data;
    const statuses = [
      made,
      await call('PUT', `/apps/${identifier}`, appBody({ name: 'Other' })),
      await call('GET', `/apps/${identifier}/vapid-keys`),
      await call('GET', `/apps/${identifier}/subscriptions`),
      await call('GET', `/apps/${identifier}/analytics/overview`),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([201, 200, 200, 200, 200]);
  });

  it('is an admin’s, also when a member’s list is read to be exported', async () => {
    const admin = await createMember(api.database);
    const { identifier } = await makeApp(callAs(api.app, admin));
    const member = await createMember(api.database, { role: 'member', organizationId: admin.organizationId });
    const url = `/api/v1/client/apps/${identifier}/subscriptions`;
    const exportAs = ({ token }: { token: string }) =>
      api.app.inject({ url, headers: { ...bearer(token), 'x-broadside-purpose': 'export' } });
    expect((await exportAs(member)).json()).toEqual(refusalOf('subscriptions:read'));
    expect((await exportAs(admin)).statusCode).toBe(200);
  });
});

describe('a role that changes', () => {
  it('holds for the tokens and sessions that are there, from the next request on', async () => {
    const boss = await createPerson(api.database);
    const { organizationId } = boss;
    const person = await createPerson(api.database, { organizationId });
    const byToken = callAs(api.app, person);
    const browser = await openBrowser(api.app, person);
    const managing = await openBrowser(api.app, boss);
    const change = (role: string) => managing.account('PATCH', `/users/${person.userId}`, { role });
    const { identifier } = (await byToken('POST', '/apps', appBody())).json().data;
    expect((await change('member')).statusCode).toBe(200);
    expect((await byToken('DELETE', `/apps/${identifier}`)).statusCode).toBe(403);
    expect((await browser.client('DELETE', `/apps/${identifier}`)).statusCode).toBe(403);
    expect((await change('admin')).statusCode).toBe(200);
    expect((await byToken('DELETE', `/apps/${identifier}`)).statusCode).toBe(204);
  });

  it('of a removed person leaves none of their tokens and sessions', async () => {
    const boss = await createPerson(api.database);
    const person = await createPerson(api.database, { organizationId: boss.organizationId });
    const browser = await openBrowser(api.app, person);
    const managing = await openBrowser(api.app, boss);
    expect((await callAs(api.app, person)('GET', '/apps')).statusCode).toBe(200);
    expect((await managing.account('DELETE', `/users/${person.userId}`)).statusCode).toBe(204);
    expect((await callAs(api.app, person)('GET', '/apps')).statusCode).toBe(401);
    expect((await browserOf(api.app, browser.cookie, browser.csrf).client('GET', '/apps')).statusCode).toBe(
      401,
    );
  });
});

describe('a token that ends', () => {
  const DAY_MS = 86_400_000;
  const inAWeek = () => new Date(Date.now() + 7 * DAY_MS).toISOString();

  it('is good until then, by Postgres’ clock, and its list shows when and when it was last used', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database, { role: 'member' }));
    const body = { name: 'a week', abilities: ['apps:read'], expires_at: inAWeek() };
    const { id, token, expires_at } = (await browser.account('POST', '/tokens', body)).json().data;
    expect(new Date(expires_at).getTime()).toBe(Math.floor(Date.parse(body.expires_at) / 1_000) * 1_000);
    const statusNow = async () =>
      (await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(token) })).statusCode;
    const listed = async () =>
      (await browser.account('GET', '/tokens')).json().data.find((each: { id: number }) => each.id === id);
    expect((await listed()).last_used_at).toBeNull();
    expect(await statusNow()).toBe(200);
    expect(await listed()).toMatchObject({ expires_at, last_used_at: expect.any(String) });
    await api.database.query(`UPDATE api_tokens SET expires_at = now() WHERE id = $1`, [id]);
    expect(await statusNow()).toBe(401);
    // It stays in the list, so that its owner sees why a program is refused.
    expect(new Date((await listed()).expires_at).getTime()).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['in the past', () => new Date(Date.now() - 1_000).toISOString(), /must be in the future/],
    ['no time', () => 'tomorrow', /must be an ISO 8601 time/],
    ['a number', () => 5, /must be a string/],
  ])('cannot be made with an end that is %s', async (_what, end, words) => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const body = { name: 'x', abilities: ['apps:read'], expires_at: end() };
    const answer = await browser.account('POST', '/tokens', body);
    expect([answer.statusCode, answer.json().errors.expires_at?.[0]]).toEqual([
      422,
      expect.stringMatching(words),
    ]);
  });

  it('uses none of its user’s allowance once it has ended', async () => {
    const member = await createMember(api.database);
    await api.database.query(
      `UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [member.userId],
    );
    expect((await callAs(api.app, member)('GET', '/apps')).statusCode).toBe(401);
    expect(
      await api.database.query(`SELECT 1 FROM request_hits WHERE user_id = $1`, [member.userId]),
    ).toEqual([]);
  });
});
