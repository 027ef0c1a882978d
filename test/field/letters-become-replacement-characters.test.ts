// tier: system
// People report bodies that are not UTF-8 and are stored with U+FFFD in place of their letters:
// https://github.com/Mnexa-AI/e2a/pull/804
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { byName, type ListedRoute } from '../generated/routes.ts';
import { exampleRequest } from '../generated/sending.ts';
import { watchChanges } from '../generated/snapshot.ts';
import { createWorld, makeParams } from '../generated/world.ts';

/** Every route, with a request that it takes and bytes in it that no UTF-8 has. */
const world = await createWorld();
const takeChanges = await watchChanges(world.api.database, world.tables);
afterAll(() => world.api.close());

const { api, owner } = world;
const documented = world.routes.filter(({ hidden }) => !hidden);
const NOT_UTF8 = 'The request holds text that is not UTF-8: encode it as UTF-8.';

/** Latin-1, a letter cut off, an overlong slash, half of a surrogate pair, and beyond the last character. */
const wrongBytes = ['fc', 'c3', 'c0af', 'eda080', 'f4908080'];

const requestTo = async (route: ListedRoute): Promise<InjectOptions> =>
  exampleRequest(world, route, owner, await makeParams(world, owner, route));
/** What is refused uses nothing up: one for each route. */
const prepared = new Map<ListedRoute, Promise<InjectOptions>>();
function sameRequestTo(route: ListedRoute): Promise<InjectOptions> {
  const request = prepared.get(route) ?? requestTo(route);
  prepared.set(route, request);
  return request;
}

async function send(
  route: ListedRoute,
  change: (text: string) => Buffer,
  contentType = 'application/json',
  query = '',
  prepare = sameRequestTo,
) {
  await api.database.query(`DELETE FROM request_hits`);
  const request = await prepare(route);
  await takeChanges();
  const answer = await api.app.inject({
    ...request,
    url: `${request.url}${query}`,
    remoteAddress: `127.0.0.${1 + world.routes.indexOf(route)}`,
    ...(request.payload === undefined
      ? {}
      : {
          headers: { ...request.headers, 'content-type': contentType },
          payload: change(String(request.payload)),
        }),
  });
  return [answer.statusCode, answer.json().message, await takeChanges()];
}

describe('a body that is not UTF-8', () => {
  it.each(byName(documented.filter(({ body }) => body !== null)))(
    'is refused by %s, whatever its charset is said to be, and nothing is written',
    async (_name, route) => {
      const withBytes = (bytes: string) => (text: string) =>
        Buffer.concat([
          Buffer.from('{"zzz":"Gr'),
          Buffer.from(bytes, 'hex'),
          Buffer.from(`e",${text.slice(1)}`),
        ]);
      for (const bytes of wrongBytes)
        expect(await send(route, withBytes(bytes))).toEqual([400, NOT_UTF8, []]);
      const named = 'application/json; charset="ISO-8859-1"';
      expect(await send(route, withBytes('fc'), named)).toEqual([
        400,
        expect.stringMatching(/^The request body must be UTF-8, and its Content-Type names another charset/),
        [],
      ]);
    },
  );

  it('is taken where its charset is said to be UTF-8, in any case', async () => {
    const [route] = documented.filter(({ url, method }) => url.endsWith('/segments') && method === 'POST');
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
      const [status] = await send(
        route as ListedRoute,
        (text) => Buffer.from(text),
        `application/json; charset=${charset}`,
        '',
        requestTo,
      );
      expect([charset, status]).toEqual([charset, 201]);
    }
  });
});

describe('an address that is not UTF-8', () => {
  it.each(byName(documented))('is refused by %s, and nothing is written', async (_name, route) => {
    for (const query of ['?page=%FF', '?%fc=1', '?name=%C3%28', '?name=a%ED%A0%80', '?name=%80'])
      expect(await send(route, (text) => Buffer.from(text), 'application/json', query)).toEqual([
        400,
        NOT_UTF8,
        [],
      ]);
  });
});
