// tier: postgres
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeManifest } from '../../../../api/client/apps/home-screen/judge-manifest.ts';
import { createPublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { loopbackAllowed, startImageServer } from '../../../support/images.ts';
import { appBody, callAs, createMember, openTestApi, type TestApi } from '../../support.ts';

const good = {
  name: 'Example News',
  start_url: '/?source=home',
  display: 'standalone',
  icons: [{ src: '/icon.png', sizes: '192x192', type: 'image/png' }],
};

describe('the check of a site for iPhones', async () => {
  let files: Record<string, { readonly type: string; readonly body: string; readonly status?: number }>;
  const server = await startImageServer((request: IncomingMessage, response: ServerResponse) => {
    const file = files[request.url ?? ''];
    response.writeHead(file === undefined ? 404 : (file.status ?? 200), {
      'content-type': file?.type ?? '',
    });
    response.end(file?.body);
  });
  const api = await openTestApi({ publicAddresses: loopbackAllowed });
  const guarded = await openTestApi({ publicAddresses: createPublicAddresses(), database: api.database });
  const member = await createMember(api.database);
  const callOf = (on: TestApi) => callAs(on.app, member);
  const made = await callOf(api)('POST', '/apps', { ...appBody(), site_domain: server.url });
  const path = `/apps/${made.json().data.identifier}/home-screen-check`;
  afterAll(() => server.close());
  beforeEach(() => {
    server.asked.length = 0;
    files = {
      '/': { type: 'text/html', body: '<head><link rel=manifest href="app/site.webmanifest"></head>' },
      '/app/site.webmanifest': { type: 'application/manifest+json', body: JSON.stringify(good) },
    };
  });

  async function checked(on = api) {
    const given = await callOf(on)('POST', path);
    expect(given.statusCode, given.body).toBe(200);
    const { manifest_url, findings } = given.json().data;
    return { manifest_url, codes: findings.map(({ code }: { code: string }) => code), findings };
  }

  it('finds nothing where the site is ready', async () => {
    const manifest_url = `${server.url}/app/site.webmanifest`;
    expect(await checked()).toMatchObject({ manifest_url, codes: [] });
    expect(server.asked).toEqual(['/', '/app/site.webmanifest']);
  });

  it('says what is missing, and what only would be better', async () => {
    files['/app/site.webmanifest'] = {
      type: 'application/json',
      body: '{"display":"browser","name":"News"}',
    };
    const { findings } = await checked();
    expect(findings).toMatchObject([
      { code: 'display', blocks: true, message: expect.stringContaining('"standalone"') },
      { code: 'icon', blocks: false },
    ]);
    files['/'] = {
      type: 'text/html',
      body: '<link rel="apple-touch-icon" href=/i.png><link rel="MANIFEST" href=/m>',
    };
    files['/m'] = { type: 'text/plain', body: JSON.stringify({ ...good, icons: [] }) };
    expect(await checked()).toMatchObject({ codes: [] });
  });

  it.each([
    ['a site that is not there', { '/': undefined }, ['page_unreachable']],
    ['a page behind a log-in', { '/': { type: 'text/html', body: '', status: 401 } }, ['page_unreachable']],
    [
      'a page without a manifest',
      { '/': { type: 'text/html', body: '<title>x</title>' } },
      ['manifest_missing'],
    ],
    ['a manifest that is not there', { '/app/site.webmanifest': undefined }, ['manifest_unreachable']],
    [
      'a manifest without an end',
      { '/app/site.webmanifest': { type: 'text/plain', body: ' '.repeat(70_000) } },
      ['manifest_unreachable'],
    ],
  ])('names %s', async (_, changes, codes) => {
    files = { ...files, ...changes } as typeof files;
    expect(await checked()).toMatchObject({ codes });
  });

  it('asks nothing inside our network, and says no more than that it could not be read', async () => {
    expect(await checked(guarded)).toMatchObject({ manifest_url: null, codes: ['page_unreachable'] });
    files['/'] = { type: 'text/html', body: '<link rel=manifest href="http://169.254.169.254/latest">' };
    expect(await checked()).toMatchObject({ codes: ['manifest_unreachable'] });
    expect(server.asked).toEqual(['/']);
  });

  it('is for the app’s own organization', async () => {
    const stranger = callAs(api.app, await createMember(api.database));
    expect((await stranger('POST', path)).statusCode).toBe(404);
    const other = callAs(api.app, await createMember(api.database, { abilities: ['deliveries:write'] }));
    expect((await other('POST', path)).statusCode).toBe(403);
    expect(server.asked).toEqual([]);
  });
});

describe('a manifest', () => {
  const place = {
    pageUrl: new URL('https://news.example/'),
    manifestUrl: new URL('https://news.example/app/site.webmanifest'),
    hasTouchIcon: false,
  };
  const judged = (changes: object): string[] => judgeManifest(JSON.stringify({ ...good, ...changes }), place);

  it.each([
    [{}, []],
    [{ display: 'fullscreen' }, []],
    [{ display: 'minimal-ui' }, ['display']],
    [{ display: undefined }, ['display']],
    [{ display: { standalone: true } }, ['display']],
    [{ start_url: undefined }, []],
    [{ start_url: 7 }, []],
    [{ start_url: 'https://other.example/' }, ['start_url']],
    [{ start_url: '/news', scope: '/news' }, []],
    [{ start_url: '/', scope: '/app/' }, ['start_url']],
    [{ start_url: '.', scope: './' }, []],
    [{ scope: 'https://other.example/' }, ['start_url']],
    [{ name: ' ', short_name: 'News' }, []],
    [{ name: ' ' }, ['name']],
    [{ icons: [{ src: '/i.svg', sizes: 'any', type: 'image/svg+xml' }] }, ['icon']],
    [{ icons: [{ src: '/i.png', sizes: '48x48 512x512' }] }, []],
    [{ icons: [{ src: '/i.png', sizes: '48x48' }] }, ['icon']],
    [{ icons: [null, 7, { src: 7 }] }, ['icon']],
    [{ icons: 'none', display: 'browser', name: 1 }, ['display', 'name', 'icon']],
  ])('%j', (changes, codes) => {
    expect(judged(changes)).toEqual(codes);
  });

  it.each(['', 'null', '[]', '"text"', '{', '7'])('that is %j is none', (text) => {
    expect(judgeManifest(text, place)).toEqual(['manifest_invalid']);
  });
});
