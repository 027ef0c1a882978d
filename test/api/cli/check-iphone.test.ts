// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loopbackAllowed, startImageServer } from '../../support/images.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, openTestApi } from '../support.ts';

describe('apps check-iphone', async () => {
  let manifest: object;
  const site = await startImageServer((request, response) => {
    if (request.url === '/') response.setHeader('content-type', 'text/html');
    response.end(request.url === '/' ? '<link rel=manifest href=/m.json>' : JSON.stringify(manifest));
  });
  const api = await openTestApi({ publicAddresses: loopbackAllowed });
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const member = await createMember(api.database);
  const made = await callAs(api.app, member)('POST', '/apps', { ...appBody(), site_domain: site.url });
  const env = { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token };
  const run = (...args: string[]) =>
    runCliHere(['apps', 'check-iphone', made.json().data.identifier, ...args], { cwd: '/', env });
  afterAll(() => site.close());
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
