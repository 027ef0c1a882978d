// tier: postgres
import { expect, it, onTestFinished } from 'vitest';
import { grantDomain } from '../../../api/shared/revenue/revenue-domains.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody } from '../support.ts';

it('analytics print what the API answers, as a table, as CSV and as JSON', async () => {
  const api = await createTestApi();
  onTestFinished(() => api.close());
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const member = await createMember(api.database);
  const call = callAs(api.app, member);
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  await call('POST', `/apps/${identifier}/deliveries`, deliveryBody());
  const run = (...args: string[]) =>
    runCliHere(['analytics', ...args, '--app', identifier], {
      cwd: import.meta.dirname,
      env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
    });
  const today = new Date().toISOString().slice(0, 10);

  const table = (await run('deliveries', '--period', 'today')).out.split('\n');
  expect(table[0]).toMatch(/^DATE +TOTAL +SUCCESSFUL +NOTIFICATIONS SENT +CLICKS$/);
  expect(table[2]).toMatch(new RegExp(`^${today} +1 +0 +0 +0$`));
  const csv = (await run('deliveries', '--period', 'today', '--csv')).out;
  expect(csv).toBe(`date,total,successful,notifications_sent,clicks\n${today},1,0,0,0\n`);
  const path = `/apps/${identifier}/analytics`;
  const asJson = JSON.parse((await run('deliveries', '--from', today, '--json')).out);
  expect(asJson).toEqual((await call('GET', `${path}/deliveries?from=${today}&to=${today}`)).json());

  expect((await run('overview')).out).toMatch(/^total deliveries +1$/m);
  for (const question of ['subscribers', 'engagement', 'funnel'])
    expect((await run(question)).out.trimEnd().split('\n'), question).toHaveLength(2 + 7);
  expect((await run('push-services')).out).toBe('Nothing in these days.\n');
  const revenue = await run('revenue', '--currency', 'USD');
  expect(revenue.err).toContain('has not granted your organization');
  expect(revenue.out).toMatch(/ EARNINGS \(USD\) +ECPM \(USD\)\n.*\n.* 0\.00 +0\.00\n/);
  const estimate = await run('delivery-revenue', '--impressions-per-visit', '12', '--csv');
  expect([estimate.out, estimate.err]).toEqual([
    'Nothing in these days.\n',
    expect.stringContaining('has not granted your organization'),
  ]);
  await grantDomain(api.database, member.organizationId as OrganizationId, 'news.example.com');
  expect((await run('delivery-revenue', '--currency', 'USD')).err).toMatch(
    /^An estimate: .*--impressions-per-visit bounds it\. 0\.00 USD of news\.example\.com fall to no delivery\.\n$/,
  );
  expect((await run('delivery-revenue', '--impressions-per-visit', 'x')).err).toContain('whole number');
  expect((await run('funnel', '--from', '2026-02-30')).err).toContain('must be a date');
  expect((await run('funnel', '--from', '2999-01-01', '--to', '2999-01-02')).err).toMatch(
    /^broadside: .*today/,
  );
});
