// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { byName } from './routes.ts';
import { createWorld, makeParams, pathOf } from './world.ts';

const world = await createWorld();
afterAll(() => world.api.close());

const reads = world.routes.filter(({ method, url }) => method === 'GET' && !url.startsWith('/api/v1/'));

describe('an HTML page', () => {
  let pages = 0;
  it.each(byName(reads))('allows nothing inline, if %s is one', async (_name, route) => {
    const url = pathOf(route, await makeParams(world, world.owner, route)).replace('*', 'page');
    const { headers } = await world.api.app.inject(url);
    if (!String(headers['content-type']).startsWith('text/html')) return;
    pages++;
    const policy = String(headers['content-security-policy']);
    // A page without a script needs no source for any.
    expect(policy).toMatch(/^default-src 'none'; (script-src 'self'|style-src 'sha256-[^']+');/);
    expect(policy).not.toContain('unsafe');
  });
  it('is among them more than once', () => expect(pages).toBeGreaterThan(3));
});
