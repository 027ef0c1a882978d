// tier: postgres
import { METHODS } from 'node:http';
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from './world.ts';

/** Every address, asked by every method that Node reads, and what it then says that it takes. */
const world = await createWorld();
afterAll(() => world.api.close());

const { api, routes } = world;
const tiers = routes.filter(({ url }) => /^\/api\/v1\/(client|account|public)\/.*[^*]$/.test(url));
const urls = [...new Set(tiers.map(({ url }) => url))];
const methodsOf = (url: string): string[] =>
  [...new Set(routes.filter((route) => route.url === url).map(({ method }) => method))].sort();
/** A number where the address has one, as a client would write it. */
const written = (url: string): string => url.replaceAll(/:[a-z_]+/g, '7');
const isParameter = (part: string | undefined): boolean => part?.startsWith(':') === true;

/** The routes with a number where this one has a word. */
const besides = (url: string): string[] => {
  const parts = url.split('/');
  return urls.filter((other) => {
    const others = other.split('/');
    const differing = others.filter((part, index) => part !== parts[index]);
    return others.length === parts.length && differing.length > 0 && differing.every(isParameter);
  });
};
const literal = urls.filter((url) => besides(url).length > 0);
/** A tunnel is no request, and pages ask the public routes by OPTIONS. */
const askable = METHODS.filter((method) => method !== 'CONNECT');

const send = (method: string, url: string, headers = {}) =>
  api.app.inject({ method: method as InjectOptions['method'] & string, url: written(url), headers });

describe('an address', () => {
  it('that is a word beside a number is one of several', () => {
    expect(literal.length).toBeGreaterThan(7);
    // A word is the number of nothing, so it is no address of that route.
    for (const other of literal.flatMap(besides)) expect(other).toMatch(/:[a-z_]+_id(\/|$)/);
  });

  it.each(urls)(
    '%s names its own methods, and no others, by whatever method it does not take',
    async (url) => {
      const own = methodsOf(url);
      const others = askable.filter(
        (method) => !own.includes(method) && (method !== 'OPTIONS' || !url.includes('/public/')),
      );
      const taken = besides(url).flatMap(methodsOf);
      for (const method of others.filter((each) => !taken.includes(each))) {
        for (const headers of [{}, { 'content-type': 'application/json' }]) {
          const answer = await send(method, url, headers);
          expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, own.join(', ')]);
        }
      }
      // What the route of numbers takes finds nothing by a word.
      expect(others.length).toBeGreaterThan(25);
    },
  );

  it('that is none finds nothing by any method', async () => {
    for (const method of askable)
      expect([method, (await send(method, '/api/v1/client/none')).statusCode]).toEqual([method, 404]);
  });
});
