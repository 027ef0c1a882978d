// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import { bearer } from '../api/support.ts';
import { appIdOf } from '../support/subscriptions.ts';
import { byName, type ListedRoute } from './routes.ts';
import { exampleRequest } from './sending.ts';
import { watchChanges } from './snapshot.ts';
import { createWorld, makeParams, type Params, pathOf } from './world.ts';

/**
 * A token that is limited to apps, or to addresses, at every route that takes tokens; made from the list of routes. A
 * new route that is not below an app is closed to limited tokens until it says otherwise.
 */
const world = await createWorld();
afterAll(() => world.api.close());
const takeChanges = await watchChanges(world.api.database, world.tables);

const { owner, api } = world;
const guarded = world.routes.filter(({ ability, hidden }) => ability !== null && !hidden);
const isOfApp = ({ params }: ListedRoute): boolean => params[0] === 'identifier';
const ofApps = guarded.filter(isOfApp);
const others = guarded.filter((route) => !isOfApp(route));
const every = () => true;

const idOf = (identifier = '') => appIdOf(api.database, identifier);

const requestWith = async (route: ListedRoute, params: Params, token: string) => {
  const request = await exampleRequest(world, route, owner, params);
  return { ...request, headers: { ...request.headers, ...bearer(token) } };
};

describe('a token limited to an app', () => {
  it('is tried with routes of both kinds', () => {
    expect(ofApps.length).toBeGreaterThan(40);
    expect(others.length).toBeGreaterThan(5);
  });

  it.each(byName(ofApps))('does there what it may: %s', async (_name, route) => {
    const params = await makeParams(world, owner, route);
    const token = await world.tokenWith(owner, every, { appIds: [await idOf(params.identifier)] });
    const answer = await api.app.inject(await requestWith(route, params, token));
    expect(answer.statusCode, answer.body).toBeLessThan(300);
  });

  it.each(byName(ofApps))('finds no other app at %s, and changes nothing', async (_name, route) => {
    const params = await makeParams(world, owner, route);
    const sister = await makeParams(world, owner, route);
    const token = await world.tokenWith(owner, every, { appIds: [await idOf(sister.identifier)] });
    const request = await requestWith(route, params, token);
    await takeChanges();
    const foreign = await api.app.inject(request);
    const absent = await api.app.inject({
      ...request,
      url: pathOf(route, { ...params, identifier: 'example-news-zzzzzz' }),
    });
    expect([foreign.statusCode, foreign.json()]).toEqual([404, { message: 'Not found.' }]);
    expect(foreign.body).toBe(absent.body);
    expect(await takeChanges()).toEqual([]);
  });

  it.each(byName(others))('learns and changes nothing of other apps at %s', async (_name, route) => {
    const params = await makeParams(world, owner, route);
    const [mine, sister] = [await makeApp(), await makeApp()];
    const token = await world.tokenWith(owner, every, { appIds: [await idOf(mine)] });
    const request = await requestWith(route, params, token);
    await takeChanges();
    const answer = await api.app.inject(request);
    if (route.name === 'GET /api/v1/client/apps') {
      const shown = answer.json<{ data: { identifier: string }[]; meta: { total: number } }>();
      expect([shown.data.map(({ identifier }) => identifier), shown.meta.total]).toEqual([[mine], 1]);
    } else {
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        {
          message: 'Requires a token for the whole organization; this token is limited to some of its apps.',
        },
      ]);
    }
    expect(answer.body).not.toContain(sister);
    expect(await takeChanges()).toEqual([]);
  });
});

const appRoute = guarded.find(({ name }) => name === 'GET /api/v1/client/apps/:identifier');
const makeApp = async (): Promise<string> =>
  (await makeParams(world, owner, appRoute as ListedRoute)).identifier ?? '';

describe('a token limited to addresses', () => {
  it.each(byName(guarded))('is good from there alone: %s', async (_name, route) => {
    const params = await makeParams(world, owner, route);
    const token = await world.tokenWith(owner, every, { addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    const request = await requestWith(route, params, token);
    await takeChanges();
    const elsewhere = await api.app.inject({
      ...request,
      remoteAddress: `198.51.100.${guarded.indexOf(route)}`,
    });
    expect([elsewhere.statusCode, elsewhere.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect(await takeChanges()).toEqual([]);
    const there = await api.app.inject({ ...request, remoteAddress: '2001:db8:1::7' });
    expect(there.statusCode, there.body).toBeLessThan(300);
  });
});
