// tier: postgres
import { describe, expect, it } from 'vitest';
import { grantDomain, revokeDomain } from '../../../../api/shared/revenue/revenue-domains.ts';
import { admitReportToken } from '../../../../engine/adapters/postgres/report-tokens.ts';
import { toId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';
import { appBody, callAs, openTestApi } from '../../support.ts';
import { createPerson, openBrowser, type Person } from '../support.ts';

describe('report tokens that users make', async () => {
  const api = await openTestApi();
  const admin = await createPerson(api.database, { role: 'admin' });
  const browser = await openBrowser(api.app, admin);
  const call = callAs(api.app, admin);
  await call('POST', '/apps', appBody({ site_domain: 'https://www.news.example.com' }));
  await call('POST', '/apps', appBody({ name: 'Other', site_domain: 'https://other.example.org' }));
  const organizationOf = ({ organizationId }: Person) =>
    toId<Parameters<typeof grantDomain>[1]>(organizationId);
  await grantDomain(api.database, organizationOf(admin), 'news.example.com');
  await grantDomain(api.database, organizationOf(admin), 'magazine.example.net');

  const make = (body: object, as = browser) => as.account('POST', '/report-tokens', body);
  const domains = async (as = browser) =>
    (await as.account('GET', '/report-tokens/domains')).json().data.domains;
  /** What the reporting API makes of a token. */
  const seen = async (token: string) => {
    const [id = '', secret = ''] = token.split('|');
    const admitted = await admitReportToken(
      api.database,
      { id: Number(id), secretHash: hashSecret(secret) },
      { ofToken: 100, onPage: 100 },
    );
    return admitted === null ? null : [...admitted.domains];
  };

  it('are offered the domains that the operator granted, and sites of their apps below those', async () => {
    expect(await domains()).toEqual(['magazine.example.net', 'news.example.com']);
  });

  it('see these alone, are used as they are, listed without their secret, and revoked', async () => {
    const made = await make({ name: 'Figures', domains: ['news.example.com'] });
    expect(made.statusCode).toBe(201);
    const { token, id, ...rest } = made.json().data;
    expect(rest).toMatchObject({ name: 'Figures', domains: ['news.example.com'], last_used_at: null });
    expect(await seen(token)).toEqual(['news.example.com', 'www.news.example.com']);
    const listed = (await browser.account('GET', '/report-tokens')).json().data;
    expect(listed.map((each: { id: number }) => each.id)).toEqual([id]);
    expect(JSON.stringify(listed)).not.toContain(String(token).split('|')[1]);
    expect((await browser.account('DELETE', `/report-tokens/${id}`)).statusCode).toBe(204);
    expect(await seen(token)).toBeNull();
    expect((await browser.account('DELETE', `/report-tokens/${id}`)).statusCode).toBe(404);
  });

  it('take the place of an earlier one of the same name, and both are in the audit log', async () => {
    const first = (await make({ name: 'Page', domains: ['news.example.com'] })).json().data;
    const second = (await make({ name: 'Page', domains: ['magazine.example.net'] })).json().data;
    expect([await seen(first.token), (await seen(second.token))?.[0]]).toEqual([
      null,
      'magazine.example.net',
    ]);
    const entries = await api.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE action LIKE 'report-token.%' ORDER BY id DESC LIMIT 3`,
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'report-token.issued',
      'report-token.revoked',
      'report-token.issued',
    ]);
  });

  it.each([
    ['other.example.org', 'a site of an app that nobody granted'],
    ['example.com', 'the domain above'],
    ['*', 'every site'],
  ])('are refused for %s: %s', async (domain) => {
    const refused = await make({ name: 'More', domains: ['news.example.com', domain] });
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['domains']]);
  });

  it('lose a domain as its grant ends, and end with the last one', async () => {
    const both = ['news.example.com', 'magazine.example.net'];
    const { token } = (await make({ name: 'Both', domains: both })).json().data;
    await revokeDomain(api.database, organizationOf(admin), 'magazine.example.net');
    expect(await seen(token)).toEqual(['news.example.com', 'www.news.example.com']);
    await revokeDomain(api.database, organizationOf(admin), 'news.example.com');
    expect(await seen(token)).toBeNull();
    await grantDomain(api.database, organizationOf(admin), 'news.example.com');
    expect(await seen(token)).toEqual(['news.example.com', 'www.news.example.com']);
  });

  it('are made by admins alone, and no organization has another’s domains or tokens', async () => {
    const member = await openBrowser(
      api.app,
      await createPerson(api.database, { role: 'member', organizationId: admin.organizationId }),
    );
    expect((await make({ name: 'Mine', domains: ['news.example.com'] }, member)).statusCode).toBe(403);
    const stranger = await openBrowser(api.app, await createPerson(api.database, { role: 'admin' }));
    expect(await domains(stranger)).toEqual([]);
    expect((await make({ name: 'Mine', domains: ['news.example.com'] }, stranger)).statusCode).toBe(422);
    const { id, token } = (await make({ name: 'Own', domains: ['news.example.com'] })).json().data;
    for (const other of [member, stranger]) {
      expect((await other.account('GET', '/report-tokens')).json().data).toEqual([]);
      expect((await other.account('DELETE', `/report-tokens/${id}`)).statusCode).toBe(404);
    }
    expect(await seen(token)).not.toBeNull();
  });
});
