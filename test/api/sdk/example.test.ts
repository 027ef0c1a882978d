// tier: postgres
import { runInNewContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createSite, SITE_ORIGIN } from '../../support/site.ts';
import { openTestApi } from '../support.ts';

describe('the example page', async () => {
  const api = await openTestApi({ config: { trustedProxies: ['127.0.0.1'] } });

  it('runs nothing that is not the API’s own', async () => {
    const { headers, body } = await api.app.inject('/example');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(body.match(/src="([^"]+)"/g)).toEqual(['src="/sdk/v1/broadside.js"', 'src="/example.js"']);
    const script = (await api.app.inject('/example.js')).body;
    expect(new Script(script)).toBeDefined();
    const imported: string[] = [];
    const importScripts = (url: string): void => void imported.push(url);
    runInNewContext((await api.app.inject('/broadside-worker.js')).body, { importScripts });
    expect(imported).toEqual(['/sdk/v1/worker.js']);
  });

  it('is its app’s page where the header that only browsers set says so', async () => {
    const { identifier } = await createSite(api.app, api.database);
    const own = new URL(SITE_ORIGIN);
    const statusOf = async (fetchSite: string, { protocol, host } = own): Promise<number> => {
      const headers = {
        ...{ host, 'x-forwarded-proto': protocol.slice(0, -1) },
        ...{ 'x-app-id': identifier, 'sec-fetch-site': fetchSite },
      };
      return (await api.app.inject({ url: '/api/v1/public/app', headers })).statusCode;
    };
    expect(await statusOf('same-origin')).toBe(200);
    expect(await statusOf('cross-site')).toBe(403);
    expect(await statusOf('same-origin', new URL('https://other.example.com'))).toBe(403);
  });
});
