// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { bearer } from '../api/support.ts';
import { canaryOf } from './fixtures.ts';
import { byName } from './routes.ts';
import { exampleRequest } from './sending.ts';
import { watchChanges } from './snapshot.ts';
import { createWorld, makeParams, pathOf } from './world.ts';

/**
 * No organization sees or changes another's data: for every route there is, made from the list of routes. A new
 * route is walked against these walls without a line here; a new path parameter needs a fixture.
 */
const world = await createWorld();
afterAll(() => world.api.close());
const takeChanges = await watchChanges(world.api.database, world.tables);

const { owner, stranger, api } = world;
/** Of the tiers that know organizations; a super-admin is at home in all of them. */
const walled = world.routes.filter(
  ({ url, hidden, access }) =>
    /^\/api\/v1\/(client|account)\//.test(url) && !hidden && access !== 'super-admin' && access !== 'anybody',
);
const withParams = walled.filter(({ params }) => params.length > 0);
const nested = withParams.filter(({ params }) => params.length > 1);
/** What the rest of the path is below: an app, or a webhook. */
const parentOf = ({ params }: (typeof nested)[number]): string => params[0] ?? '';
const readers = walled.filter(({ method }) => method === 'GET');

/** Requests without an account are limited by their address: each route is walked from one of its own. */
const addressOf = (route: (typeof world.routes)[number]): string =>
  `127.0.0.${1 + world.routes.indexOf(route)}`;

/** Names nothing, in the shape of the real thing. */
const missing = (name: string): string => (name === 'identifier' ? 'example-news-zzzzzz' : '987654321');

type Sent = Awaited<ReturnType<typeof api.app.inject>>;
/** What an answer reveals: everything but the time and the request's own id. */
const revealed = ({ statusCode, body, headers }: Sent) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  const steady = Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit'));
  return { statusCode, body, headers: Object.fromEntries(steady) };
};

describe('another organization', () => {
  it('is tried with every route that has a path parameter', () => {
    expect(withParams.length).toBeGreaterThan(5);
    expect(nested.length).toBeGreaterThan(0);
  });

  it.each(byName(withParams))('finds nothing at %s, and changes nothing', async (_name, route) => {
    const theirs = await makeParams(world, owner, route);
    const nothing = Object.fromEntries(route.params.map((name) => [name, missing(name)]));
    const request = await exampleRequest(world, route, stranger, theirs);
    await takeChanges();
    const foreign = await api.app.inject(request);
    const absent = await api.app.inject({ ...request, url: pathOf(route, nothing) });
    expect(foreign.statusCode).toBe(404);
    expect(revealed(foreign)).toEqual(revealed(absent));
    expect(await takeChanges()).toEqual([]);
    // The same request is right when its owner sends it: it was the wall that refused it.
    const own = await api.app.inject(await exampleRequest(world, route, owner, theirs));
    expect(own.statusCode, own.body).toBeLessThan(300);
  });

  it.each(byName(nested))(
    'cannot reach through an app, or another parent, of its own at %s',
    async (_name, route) => {
      const theirs = await makeParams(world, owner, route);
      const mine = await makeParams(world, stranger, route);
      const mixed = { ...theirs, [parentOf(route)]: mine[parentOf(route)] ?? '' };
      const request = await exampleRequest(world, route, stranger, mixed);
      await takeChanges();
      const answer = await api.app.inject(request);
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
      expect(await takeChanges()).toEqual([]);
    },
  );

  it.each(byName(nested))(
    'is no exception: %s of one app, or another parent, is not found under a sister',
    async (_name, route) => {
      const theirs = await makeParams(world, owner, route);
      const sister = await makeParams(world, owner, route);
      const mixed = { ...theirs, [parentOf(route)]: sister[parentOf(route)] ?? '' };
      const request = await exampleRequest(world, route, owner, mixed);
      await takeChanges();
      const answer = await api.app.inject(request);
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
      expect(await takeChanges()).toEqual([]);
    },
  );

  it.each(byName(readers))('reads nothing of the other at %s, for any filter', async (_name, route) => {
    await makeParams(world, owner, route);
    const mine = await makeParams(world, stranger, route);
    const filters = Object.entries(route.query?.properties ?? {}).filter(
      ([, { type, enum: allowed }]) => type === 'string' && allowed === undefined,
    );
    const canary = canaryOf(owner);
    const request = await exampleRequest(world, route, stranger, mine);
    const queries = filters.flatMap(([name]) => [`?${name}=${canary}`, `?${name}=canary`]);
    for (const query of ['', ...queries]) {
      const answer = await api.app.inject({ ...request, url: `${pathOf(route, mine)}${query}` });
      expect(answer.statusCode, query).toBeLessThan(500);
      // Links repeat the query, so the canary may be there.
      const { links: _links, errors: _errors, message: _message, ...shown } = answer.json();
      expect(JSON.stringify(shown)).not.toContain(canary);
    }
  });
});

describe('a token', () => {
  const guarded = world.routes.filter(({ ability, hidden }) => ability !== null && !hidden);

  it.each(byName(guarded))(
    'without the ability of %s is refused there, and one with nothing else is not',
    async (_name, route) => {
      const params = await makeParams(world, owner, route);
      const request = await exampleRequest(world, route, owner, params);
      const lacking = await world.tokenWith(owner, (ability) => ability !== route.ability);
      await takeChanges();
      const refused = await api.app.inject({
        ...request,
        headers: { ...request.headers, ...bearer(lacking) },
      });
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        { message: `Token does not have the required ability: ${route.ability}` },
      ]);
      const nobody = await api.app.inject({
        ...request,
        headers: { 'content-type': 'application/json' },
        remoteAddress: addressOf(route),
      });
      expect([nobody.statusCode, nobody.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
      expect(await takeChanges()).toEqual([]);
      const enough = await world.tokenWith(owner, (ability) => ability === route.ability);
      const answer = await api.app.inject({ ...request, headers: { ...request.headers, ...bearer(enough) } });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
    },
  );
});

describe('a session', () => {
  const guarded = world.routes.filter(
    ({ access, hidden }) => access !== null && access !== 'anybody' && !hidden,
  );

  it.each(byName(guarded))('is needed at %s, and an API token does not do', async (_name, route) => {
    const params = await makeParams(world, owner, route);
    const request = await exampleRequest(world, route, owner, params);
    const { cookie, 'x-csrf-token': _csrf, ...rest } = request.headers as Record<string, string>;
    await takeChanges();
    for (const headers of [rest, { ...rest, ...bearer(owner.token) }]) {
      const answer = await api.app.inject({ ...request, headers, remoteAddress: addressOf(route) });
      expect([answer.statusCode, answer.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    }
    if (route.method !== 'GET') {
      const forged = await api.app.inject({ ...request, headers: { ...rest, cookie: cookie ?? '' } });
      expect(forged.statusCode, 'without the CSRF token').toBe(403);
    }
    expect(await takeChanges()).toEqual([]);
  });
});
