import { afterAll, describe, expect, it } from 'vitest';
import { createTestApi } from './support.ts';

const api = await createTestApi();
const proxied = await createTestApi({ config: { publicBaseUrl: 'https://push.example.org/base' } });
afterAll(() => Promise.all([api.close(), proxied.close()]));

const html = async (url: string, from = api) => (await from.app.inject(url)).body;
const linksOf = (page: string): string[] =>
  [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);

describe('the page at /docs', () => {
  it.each(['/docs', '/docs/'])('opens as %s, and everything it loads is there', async (url) => {
    const page = await api.app.inject(url);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<title>Broadside API</title>');
    const links = linksOf(page.body);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      const address = new URL(link, 'http://here/docs/');
      expect(address.host).toBe('here');
      expect((await api.app.inject(address.pathname)).statusCode, link).toBe(200);
    }
  });

  it('may ask no other host: its policy names none, and no validator is configured', async () => {
    for (const url of ['/docs', '/docs/static/swagger-ui-bundle.js', '/docs/json']) {
      const policy = String((await api.app.inject(url)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy.match(/https?:|\*|\.\w{2,}/g)).toBeNull();
    }
    expect(await html('/docs/static/swagger-initializer.js')).toContain('validatorUrl: null');
    const styles = `${await html('/docs/static/swagger-ui.css')}${await html('/docs/static/theme/broadside.css')}`;
    expect(styles.match(/url\((?!["']?data:)[^)]*\)|@import/g)).toBeNull();
  });

  it('shows the same document as /api/v1/openapi.json', async () => {
    expect(JSON.parse(await html('/docs/json'))).toEqual(JSON.parse(await html('/api/v1/openapi.json')));
  });

  it('finds its parts below the path of a proxy, too', async () => {
    const [below, beside] = [linksOf(await html('/docs', proxied)), linksOf(await html('/docs/', proxied))];
    expect(Math.min(below.length, beside.length)).toBeGreaterThan(5);
    for (const link of below) expect(link).toMatch(/^\/base\/docs\/static\//);
    for (const link of beside) expect(link).toMatch(/^\.\/static\//);
  });
});
