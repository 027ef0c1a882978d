// tier: postgres
import { describe, expect, it } from 'vitest';
import { linkUrl, parseLink } from '../../../../api/account/organization/invitations/link.ts';
import { openTestApi } from '../../support.ts';

describe('the page of an invitation', async () => {
  const api = await openTestApi();

  it('is where a link leads, and the link’s secret stays in the browser', async () => {
    const url = new URL(linkUrl('https://push.example.com/behind', { id: 7, secret: 'a'.repeat(43) }));
    expect(url.pathname).toBe('/behind/invitations');
    expect(parseLink(url.hash.slice(1))).toEqual({ id: 7, secret: 'a'.repeat(43) });
    expect((await api.app.inject('/invitations')).headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('names only files that are served, by addresses that also hold behind a path', async () => {
    const { body } = await api.app.inject('/invitations');
    const named = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address ?? '');
    for (const address of named) expect(address).not.toMatch(/^\/|^https?:/);
    // The log-in is a page of the dashboard, which is not built here.
    const files = named.filter((address) => address !== 'dashboard/log-in');
    expect(files).toHaveLength(2);
    for (const address of files) {
      expect((await api.app.inject(`/${address}`)).statusCode, address).toBe(200);
    }
  });

  it.each(['/invitations', '/invitations/page.css', '/invitations/page.js'])(
    'makes %s run nothing and send no third-party request',
    async (url) => {
      const policy = String((await api.app.inject(url)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'");
      expect(policy).not.toMatch(/https?:|\*|unsafe/);
    },
  );
});
