// tier: postgres
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ImageServer, loopbackAllowed, startImageServer } from '../../support/images.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi, type TestApi } from '../support.ts';

describe('apps check-iphone', () => {
  let api: TestApi;
  let site: ImageServer;
  let manifest: object;
  let run: (...args: string[]) => ReturnType<typeof runCliHere>;
  beforeAll(async () => {
    site = await startImageServer((request, response) => {
      if (request.url === '/') response.setHeader('content-type', 'text/html');
      response.end(request.url === '/' ? '<link rel=manifest href=/m.json>' : JSON.stringify(manifest));
    });
    api = await createTestApi({ publicAddresses: loopbackAllowed });
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const member = await createMember(api.database);
    const made = await callAs(api.app, member)('POST', '/apps', { ...appBody(), site_domain: site.url });
    const env = { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token };
    run = (...args) =>
      runCliHere(['apps', 'check-iphone', made.json().data.identifier, ...args], { cwd: '/', env });
  });
  afterAll(async () => {
    await api.close();
    await site.close();
  });
  beforeEach(() => {
    manifest = { name: 'News', display: 'standalone' };
  });

  it('ends well where iPhones are reached, with advice', async () => {
    const { code, out, err } = await run();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^advice {3}Readers see no icon of yours[^\n]+\nReaders with an iPhone or iPad can add/,
    );
  });

  it('fails where they are not, and says what is missing', async () => {
    manifest = { name: 'News' };
    const { code, out, err } = await run();
    expect(code).toBe(1);
    expect(out).toMatch(/^missing {2}The manifest needs "display": "standalone"/);
    expect(err).toContain('iPhones and iPads get no notifications from this site yet.');
    const given = await run('--json');
    expect(given.code).toBe(1);
    expect(JSON.parse(given.out)).toMatchObject({
      manifest_url: `${site.url}/m.json`,
      findings: [{ code: 'display', blocks: true }, { code: 'icon' }],
    });
  });
});
