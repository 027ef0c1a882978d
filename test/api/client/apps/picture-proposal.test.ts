// tier: postgres
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { candidatesOf } from '../../../../api/client/apps/pictures/candidates.ts';
import { readHead } from '../../../../api/client/pages/read-head.ts';
import { createPublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { loopbackAllowed, startImageServer } from '../../../support/images.ts';
import { appBody, callAs, createMember, openTestApi } from '../../support.ts';

const fileOf = (name: string): Buffer =>
  readFileSync(new URL(`../../../support/icons/${name}`, import.meta.url));
const icon = fileOf('pillow-baseline.jpg');
const badge = fileOf('pillow-badge.png');

describe('the pictures that a site proposes', async () => {
  let files: Record<string, string | Buffer | { readonly to: string }>;
  const server = await startImageServer((request, response) => {
    const file = files[request.url ?? ''];
    if (typeof file === 'object' && 'to' in file) return response.writeHead(302, { location: file.to }).end();
    const type = request.url === '/' ? 'text/html' : 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file);
  });
  const api = await openTestApi({ publicAddresses: loopbackAllowed });
  const guarded = await openTestApi({ publicAddresses: createPublicAddresses(), database: api.database });
  const member = await createMember(api.database);
  const made = await callAs(api.app, member)('POST', '/apps', { ...appBody(), site_domain: server.url });
  const path = `/apps/${made.json().data.identifier}`;
  afterAll(() => server.close());
  beforeEach(() => {
    server.asked.length = 0;
    files = {};
  });

  const propose = async (on = api) => {
    const answer = await callAs(on.app, member)('POST', `${path}/pictures/proposal`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  const manifestOf = (icons: unknown) => {
    files['/'] = '<head><link rel=manifest href=/m.json>';
    files['/m.json'] = JSON.stringify({ icons });
  };

  it('are those of its manifest, and are taken and given back with one update each', async () => {
    manifestOf([
      { src: '/small.png', sizes: '48x48' },
      { src: '/large.jpg', sizes: '512x512' },
      { src: '/mask.png', sizes: '512x512', purpose: 'maskable' },
      { src: 'mark.png', sizes: '96x96', purpose: 'monochrome' },
    ]);
    Object.assign(files, { '/large.jpg': icon, '/mark.png': badge });
    const found = await propose();
    expect(found.icon.source).toBe(`${server.url}/large.jpg`);
    expect(found.badge.source).toBe(`${server.url}/mark.png`);
    expect(server.asked).toEqual(['/', '/m.json', '/large.jpg', '/mark.png']);
    const call = callAs(api.app, member);
    const { name, site_domain, icon_url, badge_url } = (await call('GET', path)).json().data;
    expect([icon_url, badge_url]).toEqual([null, null]);
    const take = { icon_url: found.icon.url, badge_url: found.badge.url };
    expect((await call('PATCH', path, { name, site_domain, ...take })).json().data).toMatchObject(take);
    for (const url of [found.icon.url, found.badge.url]) {
      const answer = await api.app.inject({ method: 'GET', url: new URL(url).pathname });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
      expect(answer.headers['cache-control']).toMatch(/immutable/);
    }
    const undone = await call('PATCH', path, { name, site_domain, icon_url, badge_url });
    expect(undone.json().data).toMatchObject({ icon_url: null, badge_url: null });
  });

  it('are the next ones where the better ones are not pictures', async () => {
    manifestOf([
      { src: '/gone.png', sizes: '512x512' },
      { src: '/page.png', sizes: '192x192' },
    ]);
    Object.assign(files, { '/page.png': '<html>', '/apple-touch-icon.png': icon });
    expect((await propose()).icon.source).toBe(`${server.url}/apple-touch-icon.png`);
  });

  it('are those that the page links, without a manifest', async () => {
    files['/'] =
      '<head><link rel="shortcut icon" href="/favicon.ico"><link rel=icon sizes=192x192 href=/192.jpg><link rel=icon href=/i.svg>';
    files['/192.jpg'] = icon;
    expect(await propose()).toEqual({
      icon: expect.objectContaining({ source: `${server.url}/192.jpg` }),
      badge: null,
    });
    expect(server.asked).not.toContain('/favicon.ico');
  });

  it('are none of a site that has none, or cannot be read, and a redirect leads nowhere inside', async () => {
    expect(await propose()).toEqual({ icon: null, badge: null });
    expect(await propose(guarded)).toEqual({ icon: null, badge: null });
    manifestOf([{ src: '/to.png', sizes: '512x512' }]);
    files['/to.png'] = { to: 'http://10.0.0.1/secret.png' };
    expect((await propose()).icon).toBeNull();
  });

  it('of another organization cannot be asked for', async () => {
    const other = await createMember(api.database);
    for (const each of [`${path}/pictures/proposal`, `${path}/pictures`])
      expect((await callAs(api.app, other)('POST', each, { use: 'icon', file: 'AAAA' })).statusCode).toBe(
        404,
      );
  });
});

describe('what strangers write of their icons', () => {
  const pageUrl = new URL('https://news.example/');
  const anyText = fc.oneof(
    fc.string(),
    fc.constantFrom('any', 'monochrome maskable', '512x512', 'javascript:1'),
  );
  const anyIcon = fc.oneof(
    fc.anything(),
    fc.record({ src: anyText, sizes: anyText, purpose: anyText, type: anyText }, { requiredKeys: [] }),
  );

  it('gives a few addresses on http at most, each once', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.array(anyIcon, { maxLength: 200 })),
        fc.string(),
        (icons, html) => {
          const links = readHead(
            `<link rel=icon sizes=512x512 href="${html}"><link rel="apple-touch-icon" ${html}>`,
          ).icons;
          const fields = { icons };
          const found = candidatesOf({ pageUrl, links, manifest: { url: pageUrl, fields } });
          expect(found.icons.length).toBeLessThanOrEqual(4);
          expect(found.badges.length).toBeLessThanOrEqual(2);
          for (const list of [found.icons, found.badges]) {
            expect(list.every(({ url }) => /^https?:\/\//.test(url))).toBe(true);
            expect(new Set(list.map(({ url }) => url)).size).toBe(list.length);
          }
        },
      ),
    );
  });

  it('is bounded where a page links thousands', () => {
    expect(readHead('<link rel=icon href=/a>'.repeat(9_999)).icons).toHaveLength(50);
  });

  it('names a monochrome icon as a badge, and one for all as an icon before one for launchers', () => {
    const icons = [
      { src: 'mask.png', sizes: '512x512', purpose: 'maskable' },
      { src: 'both.png', sizes: '256x256', purpose: 'any maskable' },
      { src: 'huge.png', sizes: '1024x1024' },
      { src: 'mono.png', sizes: '96x96', purpose: 'monochrome' },
      { src: 'mono.svg', purpose: 'monochrome' },
    ];
    const found = candidatesOf({ pageUrl, links: [], manifest: { url: pageUrl, fields: { icons } } });
    const names = (list: readonly { url: string }[]) => list.map(({ url }) => new URL(url).pathname);
    expect(names(found.icons)).toEqual(['/huge.png', '/both.png', '/mask.png', '/apple-touch-icon.png']);
    expect(names(found.badges)).toEqual(['/mono.png']);
  });
});
