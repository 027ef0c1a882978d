// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApi } from '../support.ts';

const api = await createTestApi();
const proxied = await createTestApi({ config: { publicBaseUrl: 'https://push.example.org/base' } });
afterAll(() => Promise.all([api.close(), proxied.close()]));

const html = async (url: string) => (await api.app.inject(url)).body;
const linksOf = (page: string): string[] =>
  [...page.matchAll(/(?:href|src|action)="([^"]+)"/g)].map(([, link = '']) => link);

/** Every page that a reader can reach from the first one, with what it says. */
async function walk(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const toRead = ['/docs/'];
  for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
    if (pages.has(path)) continue;
    const answer = await api.app.inject(path);
    expect(answer.statusCode, path).toBe(200);
    pages.set(path, answer.body);
    if (!String(answer.headers['content-type']).startsWith('text/html')) continue;
    for (const link of linksOf(answer.body)) {
      const address = new URL(link, `http://here${path}`);
      if (address.host === 'here') toRead.push(address.pathname);
    }
  }
  return pages;
}

describe('the documentation at /docs', () => {
  it('redirects an address without the slash to the first page, behind any proxy', async () => {
    for (const { app } of [api, proxied]) {
      const answer = await app.inject('/docs');
      expect([answer.statusCode, answer.headers.location]).toEqual([308, './docs/']);
    }
  });

  it('has pages whose links all lead somewhere, fragments too, and never leave the host without a word', async () => {
    const pages = await walk();
    const texts = [...pages].filter(([path]) => /^\/docs\/(guides|reference)\//.test(path));
    expect(texts.length).toBeGreaterThan(13);
    let fragments = 0;
    for (const [path, body] of pages) {
      for (const link of linksOf(body)) {
        const address = new URL(link, `http://here${path}`);
        if (address.host !== 'here' || address.hash === '') continue;
        fragments++;
        const target = pages.get(address.pathname) ?? '';
        expect(target.includes(`id="${decodeURIComponent(address.hash.slice(1))}"`), `${path}: ${link}`).toBe(
          true,
        );
      }
    }
    expect(fragments).toBeGreaterThan(60);
  });

  it('finds its parts below the path of a proxy: every address is relative', async () => {
    const links = [...(await walk())].flatMap(([, body]) => linksOf(body));
    expect(links.filter((link) => link.startsWith('/'))).toEqual([]);
  });

  it('shows every operation of the OpenAPI text, with its fields and samples', async () => {
    const { paths } = (await api.app.inject('/api/v1/openapi.json')).json();
    const pages = [...(await walk()).values()].join('\n');
    const operations = Object.values(paths as object).flatMap((methods) => Object.values(methods as object));
    expect(operations.length).toBeGreaterThan(60);
    for (const { operationId, summary } of operations) {
      expect(pages).toContain(`<h2 id="${operationId}">${summary}</h2>`);
      for (const language of ['Shell', 'TypeScript', 'Python', 'PHP'])
        expect(pages).toContain(`name="language-${operationId}" value="${language}"`);
    }
    expect(pages).toContain('<code>rate_per_minute</code></a> <span class="type">integer or null</span>');
  });

  it('gives each field of each operation an anchor of its own', async () => {
    const pages = [...(await walk())].filter(([path]) => path.startsWith('/docs/reference/'));
    let fields = 0;
    for (const [path, body] of pages) {
      const anchors = [...body.matchAll(/<dt( id="([^"]+)")?>/g)].map(([, , id = '']) => id);
      fields += anchors.length;
      expect(anchors, path).not.toContain('');
      expect(new Set(anchors).size, path).toBe(anchors.length);
    }
    expect(fields).toBeGreaterThan(1_000);
    expect(await html('/docs/reference/deliveries')).toContain('id="createDelivery-body.scheduled_at"');
  });

  it('shows the guides in five groups', async () => {
    const page = await html('/docs/');
    const groups = [...page.matchAll(/<p class="group">([^<]+)</g)].map(([, title]) => title);
    expect(groups.slice(1, -1)).toEqual(['Start', 'Move here', 'Send', 'Connect and measure', 'Operate']);
    expect(groups.at(-1)).toBe('Reference');
  });

  it('makes no third-party requests: its policy names no host', async () => {
    for (const url of ['/docs/', '/docs/guides/sdk', '/docs/static/docs.js', '/docs/search?q=token']) {
      const policy = String((await api.app.inject(url)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy.match(/https?:|\*|unsafe|\.\w{2,}/g), url).toBeNull();
    }
    expect((await html('/docs/static/docs.css')).match(/url\(|@import/g)).toBeNull();
  });

  describe('the search', () => {
    const search = async (query: string) => {
      const page = await html(`/docs/search?q=${encodeURIComponent(query)}`);
      return [...page.matchAll(/<li><a href="\.\/([^"]+)">([^<]+)<\/a><p class="place">/g)].map(
        ([, path, title]) => `${title} → ${path}`,
      );
    };

    it('finds operations and guides, hits in titles first', async () => {
      expect((await search('create delivery'))[0]).toBe(
        'Create a delivery → reference/deliveries#createDelivery',
      );
      expect((await search('opt-in topics'))[0]).toBe('Opt-in topics → guides/segments#opt-in-topics');
      expect(await search('idempotency')).toContain(
        'Send from a program → guides/first-notification#send-from-a-program',
      );
    });

    it.each(['scheduled_at', 'rate_per_minute', 'idempotency', 'X-App-Id'])(
      'finds the field %s, at its anchor',
      async (name) => {
        const [first = ''] = (await search(name)).filter((each) => each.includes('-'));
        expect(first.toLowerCase()).toContain(name.toLowerCase());
      },
    );

    it('finds a field by its beginning, with or without a star, and by a part of its name', async () => {
      expect((await search('scheduled_at'))[0]).toBe(
        'scheduled_at → reference/deliveries#createDelivery-body.scheduled_at',
      );
      for (const query of ['rate_per_m*', 'rate_per', 'minute rate'])
        expect((await search(query)).join('\n'), query).toContain('#createDelivery-body.rate_per_minute');
    });

    it('finds a name of a guide’s code as it is written', async () => {
      expect((await search('pushed_at_source')).length).toBe(0);
      expect((await search('default_query_params')).join()).toContain('default_query_params');
    });

    it('says what to do where nothing is found, and asks where nothing was typed', async () => {
      expect(await html('/docs/search?q=zzzz')).toContain('Nothing was found.');
      expect(await html('/docs/search')).toContain('Type a word above.');
    });

    it('shows the query as plain text, of any length', async () => {
      const page = await html(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
      expect(page).not.toContain('<script>alert');
      expect(page).toContain('&lt;script&gt;');
      expect((await api.app.inject(`/docs/search?q=${'a'.repeat(5_000)}`)).statusCode).toBe(200);
      expect((await api.app.inject('/docs/search?q=a&q=b')).statusCode).toBe(200);
    });
  });

  it.each([
    '/docs/wrong',
    '/docs/guides/none',
    '/docs/guides/none/deeper',
    '/docs/reference/none?q=1',
    '/docs/static/none',
    '/docs/guides/..%2f..%2fpackage',
    `/docs/${'a/'.repeat(500)}`,
  ])('answers %.40s with a page that leads on', async (url) => {
    const answer = await api.app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.body).toContain('There is no such page');
    expect(answer.body.length).toBeLessThan(60_000);
    if (url.length > 100) return;
    const guide = linksOf(answer.body).find((link) => link.endsWith('guides/first-notification')) ?? '';
    const { pathname } = new URL(guide, `http://here${url}`);
    expect(pathname).toBe('/docs/guides/first-notification');
  });
});
