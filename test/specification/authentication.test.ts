// tier: postgres
import type { RouteOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { type Ability, abilities } from '../../api/auth/abilities.ts';
import { createPerson, openBrowser } from '../api/account/support.ts';
import { appBody, bearer, callAs, createMember, openTestApi } from '../api/support.ts';

interface Route {
  readonly method: string;
  readonly url: string;
  readonly ability: Ability | undefined;
}

const routes: Route[] = [];
const note = ({ method, url, config }: RouteOptions): void => {
  for (const each of [method].flat()) routes.push({ method: each, url, ability: config?.ability });
};
const api = await openTestApi({}, (app) => app.addHook('onRoute', note));

const get = (authorization?: string) =>
  api.app.inject({
    url: '/api/v1/client/apps',
    headers: authorization === undefined ? {} : { authorization },
  });

describe('Authentication, client API', () => {
  it('Header: Authorization: Bearer <ACCESS_TOKEN>', async () => {
    const { token } = await createMember(api.database);
    expect((await get(`Bearer ${token}`)).statusCode).toBe(200);
    expect((await get(`bearer  ${token}`)).statusCode).toBe(200);
    for (const other of [token, `Basic ${token}`, `Token ${token}`]) {
      expect((await get(other)).statusCode).toBe(401);
    }
    const asCookie = { cookie: `token=${token}` };
    expect((await api.app.inject({ url: `/api/v1/client/apps`, headers: asCookie })).statusCode).toBe(401);
    expect((await api.app.inject(`/api/v1/client/apps?token=${token}`)).statusCode).toBe(401);
  });

  it('The token is a personal access token of a user, scoped to that user’s organization', async () => {
    const ada = await createMember(api.database);
    const { identifier } = (await callAs(api.app, ada)('POST', '/apps', appBody())).json().data;
    const colleague = await createMember(api.database, { organizationId: ada.organizationId });
    expect((await callAs(api.app, colleague)('GET', `/apps/${identifier}`)).statusCode).toBe(200);
    for (const role of ['member', 'admin', 'super-admin'] as const) {
      const stranger = callAs(api.app, await createMember(api.database, { role }));
      const [foreign, missing] = [
        await stranger('GET', `/apps/${identifier}`),
        await stranger('GET', '/apps/x'),
      ];
      expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
      expect((await stranger('GET', '/apps')).json().data).toEqual([]);
    }
  });

  it.each(['member', 'admin', 'super-admin'] as const)(
    'Creation is done by any user role for themselves: %s',
    async (role) => {
      const person = await createPerson(api.database, { role });
      const browser = await openBrowser(api.app, person);
      const answer = await browser.account('POST', '/tokens', { name: 'mine', abilities });
      expect(answer.statusCode).toBe(201);
      const [row] = await api.database.query(`SELECT user_id FROM api_tokens WHERE id = $1`, [
        answer.json().data.id,
      ]);
      expect(row).toEqual({ user_id: person.userId });
    },
  );

  it('Creation: enter a descriptive name, select one or more abilities', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const create = async (body: object) => (await browser.account('POST', '/tokens', body)).statusCode;
    expect(await create({ name: 'one', abilities: ['apps:read'] })).toBe(201);
    expect(await create({ name: 'all', abilities })).toBe(201);
    expect(await create({ name: '', abilities })).toBe(422);
    expect(await create({ name: 'none', abilities: [] })).toBe(422);
    expect(await create({ name: 'unknown', abilities: ['apps:fly'] })).toBe(422);
    expect(await create({ abilities })).toBe(422);
  });

  it('The raw token has the shape <token_id>|<secret> and is displayed once only', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const { id, token } = (
      await browser.account('POST', '/tokens', { name: 'shown once', abilities: ['apps:read'] })
    ).json().data;
    expect(token).toMatch(new RegExp(`^${id}\\|[A-Za-z0-9_-]{43}$`));
    expect((await get(`Bearer ${token}`)).statusCode).toBe(200);
    const secret = token.split('|')[1];
    const list = await browser.account('GET', '/tokens');
    expect(list.json().data).toContainEqual({
      id,
      name: 'shown once',
      abilities: ['apps:read'],
      apps: null,
      addresses: null,
      created_at: expect.stringMatching(/\+00:00$/),
      last_used_at: expect.stringMatching(/\+00:00$/),
      expires_at: null,
    });
    expect(list.body).not.toContain(secret);
    expect((await browser.account('GET', '/audit-log')).body).not.toContain(secret);
  });

  it('Revocation is done on the same page and is immediate; later requests with that token return 401', async () => {
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const { id, token } = (
      await browser.account('POST', '/tokens', { name: 'lost', abilities: ['apps:read'] })
    ).json().data;
    expect((await get(`Bearer ${token}`)).statusCode).toBe(200);
    expect((await browser.account('DELETE', `/tokens/${id}`)).statusCode).toBe(204);
    expect((await get(`Bearer ${token}`)).statusCode).toBe(401);
    const listed: { id: number }[] = (await browser.account('GET', '/tokens')).json().data;
    expect(listed.filter((each) => each.id === id)).toEqual([]);
    expect((await browser.account('DELETE', `/tokens/${id}`)).statusCode).toBe(404);
  });

  it('Missing or invalid token: 401', async () => {
    const { token } = await createMember(api.database);
    const other = await createMember(api.database);
    const [id, secret] = token.split('|') as [string, string];
    const answers = await Promise.all(
      [
        undefined,
        '',
        'Bearer',
        `Bearer ${secret}`,
        `Bearer ${id}|${'a'.repeat(43)}`,
        `Bearer ${id}|${secret}x`,
        `Bearer ${id}|`,
        `Bearer ${other.token.split('|')[0]}|${secret}`,
        `Bearer 999999|${secret}`,
        `Bearer 99999999999|${secret}`,
        `Bearer 0|${secret}`,
      ].map(get),
    );
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });
});

/** The specification's table: a row an ability. Routes below the table's words must say the same. */
const table: readonly [ability: Ability, label: string, paths: RegExp, methods: readonly string[]][] = [
  ['apps:read', 'View Apps', /^\/apps(\/:identifier)?$/, ['GET', 'HEAD']],
  ['apps:write', 'Manage Apps', /^\/apps(\/:identifier)?$/, ['POST', 'PUT', 'PATCH', 'DELETE']],
  ['subscriptions:read', 'View Subscriptions', /^\/apps\/:identifier\/subscriptions/, ['GET', 'HEAD']],
  ['subscriptions:write', 'Manage Subscriptions', /^\/apps\/:identifier\/subscriptions/, ['POST', 'DELETE']],
  ['deliveries:read', 'View Deliveries', /^\/apps\/:identifier\/deliveries/, ['GET', 'HEAD']],
  ['deliveries:write', 'Send Notifications', /^\/apps\/:identifier\/deliveries/, ['POST']],
  ['analytics:read', 'View Analytics', /^\/apps\/:identifier\/analytics/, ['GET', 'HEAD']],
];
const prefix = '/api/v1/client';
const clientRoutes = () => routes.filter(({ url }) => url.startsWith(prefix));
const addressOf = (url: string) =>
  url.slice(prefix.length).replaceAll(':identifier', 'x').replaceAll(/:\w+/g, '1');

describe('Abilities', () => {
  it.each(table)('%s | %s', async (ability, _label, paths, methods) => {
    const meant = clientRoutes().filter(
      ({ method, url }) => paths.test(url.slice(prefix.length)) && methods.includes(method),
    );
    expect(meant.length).toBeGreaterThan(0);
    expect(meant.filter((route) => route.ability !== ability)).toEqual([]);
  });

  it('there are these seven, and every client route needs one of them', () => {
    expect(table.map(([ability]) => ability)).toEqual([...abilities]);
    expect(clientRoutes().length).toBeGreaterThan(10);
    expect(clientRoutes().filter(({ ability }) => ability === undefined)).toEqual([]);
  });

  it('A token lacking the ability the endpoint needs: 403, and names it; every route', async () => {
    const holders = new Map<Ability, string>();
    const lackers = new Map<Ability, string>();
    for (const ability of abilities) {
      const others = abilities.filter((each) => each !== ability);
      holders.set(ability, (await createMember(api.database, { abilities: [ability] })).token);
      lackers.set(ability, (await createMember(api.database, { abilities: others })).token);
    }
    for (const { method, url, ability } of clientRoutes()) {
      if (ability === undefined) continue;
      const ask = (token: string | undefined) =>
        api.app.inject({
          method: method as 'GET',
          url: prefix + addressOf(url),
          headers: bearer(token ?? ''),
          ...(/POST|PUT|PATCH/.test(method) ? { payload: {} } : {}),
        });
      const refused = await ask(lackers.get(ability));
      expect([method, url, refused.statusCode]).toEqual([method, url, 403]);
      if (method !== 'HEAD') {
        expect(refused.json()).toEqual({ message: `Token does not have the required ability: ${ability}` });
      }
      const { statusCode } = await ask(holders.get(ability));
      expect([method, url, [401, 403, 500].includes(statusCode)]).toEqual([method, url, false]);
    }
  });
});
