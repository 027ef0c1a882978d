// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantDomain } from '../../../api/shared/revenue/revenue-domains.ts';
import { admitReportToken } from '../../../engine/adapters/postgres/report-tokens.ts';
import { toId } from '../../../engine/contract/ids.ts';
import { hashSecret } from '../../../engine/kit/http/token.ts';
import type { Person } from '../../api/account/support.ts';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, waitForText } from './stand.ts';

describeBrowser('chromium', 'API tokens in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  const makeApp = async (person: Person, name: string): Promise<string> =>
    (await callAs(stand.api.app, person)('POST', '/apps', appBody({ name }))).json().data.identifier;
  const statusWith = async (token: string, path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    return (await fetch(`${stand.url}/api/v1/client${path}`, { headers })).status;
  };

  it('are made with chosen abilities, shown once, good for those alone, and refused once revoked', async () => {
    const { tab } = await openAs(stand, { role: 'member' });
    await tab.goTo('/settings/tokens');
    await arriveAt(tab, 'API tokens');
    await press(tab, 'New token');
    await waitForText(tab, 'View apps and configuration');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Create token');
    await waitForText(tab, 'Choose at least one.');
    await fillField(tab, 'Name', 'Editorial system');
    await press(tab, 'View apps', 'checkbox');
    await tab.page.select('[role=dialog] select', '90');
    await press(tab, 'Create token');

    await waitForText(tab, 'it is not shown again');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'token-made');
    const token = String(await tab.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    expect(token).toMatch(/^\d+\|[\w-]{43}$/);
    expect(await statusWith(token, '/apps')).toBe(200);
    expect(await statusWith(token, '/apps/some-app/deliveries')).toBe(403);

    await press(tab, 'I have copied it');
    await waitForText(tab, 'Editorial system');
    const [row] = await stand.api.database.query<{ days: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::integer AS days FROM api_tokens ORDER BY id DESC LIMIT 1`,
    );
    expect(row?.days).toBe(90);
    expect(await tab.page.content()).not.toContain(token.split('|')[1]);
    await press(tab, 'Revoke Editorial system');
    await waitForText(tab, 'are refused from the next request on');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Revoke token');
    await waitForText(tab, 'Editorial system was revoked.');
    expect(await statusWith(token, '/apps')).toBe(401);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('are limited to apps and addresses, and say so', async () => {
    const { tab, person } = await openAs(stand, { role: 'member' });
    const [news] = [await makeApp(person, 'Daily News'), await makeApp(person, 'Weekly Sports')];
    await tab.goTo('/settings/tokens');
    await arriveAt(tab, 'API tokens');
    await press(tab, 'New token');
    await fillField(tab, 'Name', 'News desk');
    await press(tab, 'View apps', 'checkbox');
    await fillField(tab, 'Apps', 'Daily');
    await press(tab, 'Daily News', 'option');
    await fillField(tab, 'Allowed addresses', '127.0.0.0/8');
    await tab.page.keyboard.press('Enter');
    await press(tab, 'Create token');
    await waitForText(tab, 'it is not shown again');
    const token = String(await tab.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    await press(tab, 'I have copied it');
    await waitForText(tab, '127.0.0.0/8');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'token-limited');
    expect(await tab.page.evaluate("document.querySelector('tbody').innerText")).toContain(news);
    const listed = await fetch(`${stand.url}/api/v1/client/apps`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(((await listed.json()) as { meta: { total: number } }).meta.total).toBe(1);
    expect(await statusWith(token, '/webhooks')).toBe(403);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('for reports are made by admins for domains that were granted, shown once, and revoked', async () => {
    const admin = await openAs(stand, { role: 'admin' });
    const { tab } = admin;
    await tab.goTo('/settings/tokens');
    await arriveAt(tab, 'API tokens');
    await waitForText(tab, 'Last used');
    expect(await tab.page.content()).not.toContain('Report tokens');
    await grantDomain(stand.api.database, toId(admin.person.organizationId), 'news.example');
    await tab.page.reload();
    await waitForText(tab, 'There are none yet.');
    await press(tab, 'New report token');
    await fillField(tab, 'Name', 'Monthly figures');
    await press(tab, 'Create token');
    await waitForText(tab, 'it is not shown again');
    expect(await axeFindings(tab.page)).toEqual([]);
    const made = String(await tab.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    const [id = '', secret = ''] = made.split('|');
    const admitted = () =>
      admitReportToken(
        stand.api.database,
        { id: Number(id), secretHash: hashSecret(secret) },
        { ofToken: 100, onPage: 100 },
      );
    expect(await admitted()).toMatchObject({ domains: ['news.example', 'www.news.example'] });
    await press(tab, 'I have copied it');
    await waitForText(tab, 'Monthly figures');
    await tab.page.setViewport({ width: 390, height: 844 });
    await keepScreenshot(tab.page, 'report-tokens');
    await press(tab, 'Revoke Monthly figures');
    await press(tab, 'Revoke token');
    await waitForText(tab, 'There are none yet.');
    expect(await admitted()).toBeNull();
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
