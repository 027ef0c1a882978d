// tier: system
// People report that a filter refuses a time whose offset begins with `+`, which is a blank in an address:
// https://github.com/encode/django-rest-framework/issues/7947, https://github.com/HeliosSoftware/hfs/issues/1296
import { afterAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../engine/contract/days.ts';
import { byName } from '../generated/routes.ts';
import { exampleRequest } from '../generated/sending.ts';
import { createWorld, makeParams, pathOf } from '../generated/world.ts';

const world = await createWorld();
afterAll(() => world.api.close());

const { owner, api } = world;
const documented = world.routes.filter(({ hidden }) => !hidden);

describe('a time with an offset', () => {
  const timesOf = ({ query }: (typeof documented)[number]) =>
    Object.entries(query?.properties ?? {}).filter(([, schema]) => /date-time/.test(JSON.stringify(schema)));
  const timed = documented.filter((route) => timesOf(route).length > 0);

  it.each(byName(timed))(
    'may be written into the address of %s as answers write it, whose + is a blank there',
    async (_name, route) => {
      const params = await makeParams(world, owner, route);
      const request = await exampleRequest(world, route, owner, params);
      for (const [name] of timesOf(route)) {
        const ask = (time: string) =>
          api.app.inject({ ...request, url: `${pathOf(route, params)}?${name}=${time}` });
        // What ends a span is tomorrow: with an offset, this morning is still yesterday in UTC.
        const aheadMs = name === 'until' ? DAY_MS : 0;
        const time = new Date(Date.now() + aheadMs).toISOString().slice(0, 19);
        for (const offset of ['+00:00', '+05:30', '+0530', '.250+00:00']) {
          const [bare, escaped] = [
            await ask(`${time}${offset}`),
            await ask(encodeURIComponent(`${time}${offset}`)),
          ];
          expect([name, offset, bare.statusCode]).toEqual([name, offset, 200]);
          expect(escaped.statusCode).toBe(200);
        }
        for (const wrong of [`${time}%20`, `${time}++00:00`, `${time}%20Z`, '2026-01-31+00:00'])
          expect([wrong, (await ask(wrong)).statusCode]).toEqual([wrong, 422]);
      }
    },
  );

  it('is asked of several routes', () => {
    expect(timed.flatMap(timesOf).length).toBeGreaterThan(7);
  });
});
