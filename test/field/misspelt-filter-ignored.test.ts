// tier: system
// People report lists of everything where a filter has a name that the route does not know:
// https://github.com/intuitem/ciso-assistant-community/issues/4701
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { byName, type ListedRoute, type Schema } from '../generated/routes.ts';
import { exampleRequest } from '../generated/sending.ts';
import { watchChanges } from '../generated/snapshot.ts';
import { createWorld, makeParams } from '../generated/world.ts';

/** Every route, with a request that it takes and one field or parameter more than its schema names. */
const world = await createWorld();
const takeChanges = await watchChanges(world.api.database, world.tables);
afterAll(() => world.api.close());

const { api, owner } = world;
const documented = world.routes.filter(({ hidden }) => !hidden);
const isPublic = ({ url }: ListedRoute): boolean => url.startsWith('/api/v1/public');
const closed = documented.filter((route) => !isPublic(route));
const open = documented.filter(isPublic);
const withBody = (routes: readonly ListedRoute[]) => byName(routes.filter(({ body }) => body !== null));

type Json = Record<string, unknown>;
interface Place {
  /** Where an object of the example is, as an error names it. */
  readonly path: string;
  readonly names: readonly string[];
  /** The example with one more entry there. */
  readonly withEntry: (name: string, value: unknown) => Json;
}

const membersOf = (schema: Schema): readonly Schema[] => schema.anyOf?.flatMap(membersOf) ?? [schema];

/** Every object of an example whose fields its schema names; of a union those of the member that has all of them. */
function placesIn(schema: Schema, value: unknown, path: readonly string[], whole: Json): Place[] {
  const members = membersOf(schema);
  if (Array.isArray(value)) {
    const items = { anyOf: members.flatMap(({ items = [] }) => items) };
    return value.flatMap((item, index) => placesIn(items, item, [...path, String(index)], whole));
  }
  if (typeof value !== 'object' || value === null) return [];
  const member = members.find(
    ({ properties }) => properties && Object.keys(value).every((key) => key in properties),
  );
  if (member?.properties === undefined || member.additionalProperties === true) return [];
  const { properties } = member;
  const below = Object.entries(value).flatMap(([key, child]) =>
    placesIn(properties[key] ?? {}, child, [...path, key], whole),
  );
  const withEntry = (name: string, entry: unknown): Json => {
    const copy = structuredClone(whole);
    const at = path.reduce<Json>((parent, key) => parent[key] as Json, copy);
    at[name] = entry;
    return copy;
  };
  return [{ path: path.join('.'), names: Object.keys(properties), withEntry }, ...below];
}

/** What is refused uses nothing up: one for each route, and another one where it was taken. */
const prepared = new Map<ListedRoute, Promise<InjectOptions>>();
const prepare = async (route: ListedRoute): Promise<InjectOptions> =>
  exampleRequest(world, route, owner, await makeParams(world, owner, route));

async function send(route: ListedRoute, change: (request: InjectOptions) => InjectOptions) {
  await api.database.query(`DELETE FROM request_hits`);
  const whole = prepared.get(route) ?? prepare(route);
  prepared.set(route, whole);
  const request = change(await whole);
  await takeChanges();
  const answer = await api.app.inject({
    ...request,
    remoteAddress: `127.0.0.${1 + world.routes.indexOf(route)}`,
  });
  if (answer.statusCode < 300) prepared.delete(route);
  return { answer, changes: await takeChanges() };
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const withPayload = (request: InjectOptions, place: (body: Json) => Json): InjectOptions => ({
  ...request,
  payload: JSON.stringify(place(JSON.parse(String(request.payload)) as Json)),
});
/** As people who write in another style misspell it, and with two letters in the wrong order. */
const misspellings = (name: string): string[] => [
  `${name.slice(0, -2)}${name.slice(-1)}${name.slice(-2, -1)}`,
  name.includes('_') ? name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) : `${name}_`,
];

let nested = 0;
let misspelt = 0;

describe('a field that the route does not know', () => {
  it.each(withBody(closed))(
    'is refused by %s at every depth, and nothing is written',
    async (_name, route) => {
      const places = (body: Json) => placesIn(route.body ?? {}, body, [], body);
      let count = 1;
      for (let index = 0; index < count; index++) {
        let path = '';
        const { answer, changes } = await send(route, (request) =>
          withPayload(request, (body) => {
            const all = places(body);
            count = all.length;
            path = all[index]?.path ?? '';
            return all[index]?.withEntry('zzz', null) ?? body;
          }),
        );
        if (path !== '') nested++;
        const name = below(path, 'zzz');
        expect([answer.statusCode, answer.json().errors]).toEqual([
          422,
          { [name]: [`${name} is not a field of this request: leave it out.`] },
        ]);
        expect(changes).toEqual([]);
      }
    },
  );

  it.each(withBody(closed))('of %s is named by what was meant', async (_name, route) => {
    for (const name of Object.keys(route.body?.properties ?? {})) {
      for (const written of misspellings(name)) {
        if (written === name || written in (route.body?.properties ?? {})) continue;
        misspelt++;
        const { answer, changes } = await send(route, (request) =>
          withPayload(request, (body) => ({ ...body, [written]: body[name] ?? null })),
        );
        expect([written, answer.statusCode, answer.json().errors?.[written]]).toEqual([
          written,
          422,
          [`${written} is not a field of this request; did you mean ${name}?`],
        ]);
        expect(changes).toEqual([]);
      }
    }
  });

  it('was tried at every depth and for every name', () => {
    expect(nested).toBeGreaterThan(10);
    expect(misspelt).toBeGreaterThan(200);
  });
});

describe('a parameter that the route does not know', () => {
  it.each(byName(closed))('is refused by %s, and nothing is written', async (_name, route) => {
    const names = Object.keys(route.query?.properties ?? {});
    const first = names[0] ?? 'page';
    const { answer, changes } = await send(route, (request) => ({
      ...request,
      url: `${request.url}?${first}_=1`,
    }));
    const words = names.length === 0 ? ', which takes none.' : `; did you mean ${first}?`;
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { [`${first}_`]: [`${first}_ is not a parameter of this request${words}`] },
    ]);
    expect(changes).toEqual([]);
  });
});

describe('a field of a later client of the public routes', () => {
  it.each(withBody(open))('is ignored by %s', async (_name, route) => {
    const { answer } = await send(route, (request) =>
      withPayload({ ...request, url: `${request.url}?zzz=1` }, (body) =>
        placesIn(route.body ?? {}, body, [], body).reduce<Json>((whole, { path }) => {
          const parts = path === '' ? [] : path.split('.');
          parts.reduce<Json>((parent, key) => parent[key] as Json, whole).zzz = { a: 1 };
          return whole;
        }, structuredClone(body)),
      ),
    );
    expect(answer.statusCode, answer.body).toBeLessThan(300);
  });

  it.each(withBody(open))('is refused by %s where it is a misspelt one', async (_name, route) => {
    for (const name of Object.keys(route.body?.properties ?? {})) {
      const { answer, changes } = await send(route, (request) =>
        withPayload(request, (body) => ({ ...body, [`${name}_`]: null })),
      );
      expect([name, answer.statusCode]).toEqual([name, 422]);
      expect(changes).toEqual([]);
    }
  });
});
