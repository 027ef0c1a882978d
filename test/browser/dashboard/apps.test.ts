// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import {
  arriveAt,
  click,
  errorAt,
  fillField,
  openAs,
  openStand,
  press,
  type Stand,
  waitForText,
} from './stand.ts';

describeBrowser('chromium', 'an app in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  async function openWithApp() {
    const { tab, person } = await openAs(stand);
    const call = callAs(stand.api.app, person);
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const read = async () => (await call('GET', `/apps/${identifier}`)).json().data;
    return { tab, call, read, app: String(identifier) };
  }

  it('has all its settings in one form: the API has the saved values, and the rest stays', async () => {
    const { tab, app, read } = await openWithApp();
    await tab.goTo(`/apps/${app}/settings`);
    await arriveAt(tab, 'App settings');
    const before = await read();
    await press(tab, 'Limits', 'tab');
    await press(tab, 'Limit how many notifications a reader gets', 'switch');
    await fillField(tab, 'Maximum notifications', '4');
    await press(tab, 'Let notifications wait at night', 'switch');
    await tab.page.focus('[role=tab][aria-selected=true]');
    await tab.page.keyboard.press('ArrowLeft');
    await waitForText(tab, 'Vibration pattern');
    expect(new URL(tab.page.url()).search).toBe('?tab=notifications');
    await fillField(tab, 'Kept for offline readers', '3');
    await fillField(tab, 'Vibration pattern', '100, 50 100');
    await press(tab, 'Add a parameter');
    await fillField(tab, 'Name of parameter 1', 'utm source');
    const marked = (): Promise<unknown> =>
      tab.page.$$eval('[role=tab]', (all: unknown) =>
        (all as { textContent: string }[]).map(({ textContent }) => textContent),
      );
    expect(await marked()).toEqual([
      'Site',
      'NotificationsUnsaved changes',
      'LimitsUnsaved changes',
      'Approval',
      'Test browsers',
      'Data',
    ]);
    // What is wrong is shown on its tab, wherever it was saved.
    await press(tab, 'Site', 'tab');
    await tab.page.keyboard.down('Control');
    await tab.page.keyboard.press('s');
    await tab.page.keyboard.up('Control');
    await waitForText(tab, 'Vibration pattern');
    expect(await errorAt(tab, 'Name of parameter 1')).toMatch(/^Must /);
    await fillField(tab, 'Name of parameter 1', 'utm_source');
    await fillField(tab, 'Value of parameter 1', 'push');
    await press(tab, 'Save');
    await waitForText(tab, 'Settings saved.');
    expect(await read()).toEqual({
      ...before,
      default_ttl_seconds: 3 * 86_400,
      frequency_cap_max_notifications: 4,
      frequency_cap_window_minutes: 1_440,
      quiet_hours: { from: '22:00', to: '07:00', time_zone: 'reader' },
      default_vibrate_pattern: [100, 50, 100],
      default_query_params: [{ key: 'utm_source', value: 'push' }],
      updated_at: expect.any(String),
    });
    await tab.page.setViewport({ width: 390, height: 844 });
    await keepScreenshot(tab.page, 'app-settings-phone');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('asks for confirmation before leaving unsaved settings', async () => {
    const { tab, app } = await openWithApp();
    await tab.goTo(`/apps/${app}/settings`);
    await arriveAt(tab, 'App settings');
    await fillField(tab, 'Name', 'Another name');
    await press(tab, 'Limits', 'tab');
    await waitForText(tab, 'Frequency cap');
    await press(tab, 'Categories', 'link');
    await waitForText(tab, 'Leave without saving?');
    await press(tab, 'Cancel');
    expect(tab.page.url()).toContain('/settings');
    await press(tab, 'Categories', 'link');
    await press(tab, 'Leave without saving');
    await arriveAt(tab, 'Categories');
    await tab.close();
  });

  it('is deleted once its name is typed, and not before', async () => {
    const { tab, app, call } = await openWithApp();
    await tab.goTo(`/apps/${app}/settings?tab=data`);
    await arriveAt(tab, 'App settings');
    await press(tab, 'Delete this app …');
    await waitForText(tab, 'are deleted permanently');
    expect(await axeFindings(tab.page)).toEqual([]);
    const isDisabled = "document.querySelector('[role=dialog] button[type=submit]').disabled";
    await fillField(tab, 'Type “Example News” to continue', 'Example New');
    expect(await tab.page.evaluate(isDisabled)).toBe(true);
    await fillField(tab, 'Type “Example News” to continue', 'Example News');
    await press(tab, 'Delete permanently');
    await arriveAt(tab, 'Apps');
    await waitForText(tab, 'Create your first app');
    expect((await call('GET', `/apps/${app}`)).statusCode).toBe(404);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('has categories that are made, changed and deleted, each with its own words', async () => {
    const { tab, app, call } = await openWithApp();
    const names = async () =>
      (await call('GET', `/apps/${app}/delivery-categories`))
        .json()
        .data.map(({ name }: { name: string }) => name);
    await tab.goTo(`/apps/${app}/categories`);
    await arriveAt(tab, 'Categories');
    for (const name of ['Sport', 'Culture']) {
      await press(tab, 'New category');
      await fillField(tab, 'Name', name);
      await press(tab, 'Create');
      await waitForText(tab, `${name} was saved.`);
    }
    await press(tab, 'Edit Culture');
    await fillField(tab, 'Name', 'Sport');
    await press(tab, 'Save');
    expect(await errorAt(tab, 'Name')).not.toBe('');
    expect(await axeFindings(tab.page)).toEqual([]);
    await fillField(tab, 'Name', 'Arts');
    await press(tab, 'Save');
    await waitForText(tab, 'Arts was saved.');
    await press(tab, 'Delete Sport');
    await press(tab, 'Delete category');
    await waitForText(tab, 'Sport was deleted.');
    expect(await names()).toEqual(['Arts']);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('show the removal of an app and the change of its key to admins alone, and explain it to a member', async () => {
    const { tab, person } = await openAs(stand, { role: 'member' });
    const made = await callAs(stand.api.app, person)('POST', '/apps', appBody());
    const { identifier } = made.json().data;
    await tab.goTo(`/apps/${identifier}/settings`);
    await waitForText(tab, 'Only admins can delete apps.');
    expect(await tab.page.content()).not.toContain('Delete this app …');
    await tab.goTo(`/apps/${identifier}/keys`);
    await waitForText(tab, 'Only admins can change it.');
    expect(await tab.page.content()).not.toContain('Rotate key');
    expect(await axeFindings(tab.page)).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('has a key that is rotated, with the way its readers have gone, and ended', async () => {
    const { tab, app, call } = await openWithApp();
    const states = async () =>
      (await call('GET', `/apps/${app}/vapid-keys`)).json().data.map(({ state }: { state: string }) => state);
    await tab.goTo(`/apps/${app}/keys`);
    await arriveAt(tab, 'VAPID keys');
    await press(tab, 'Rotate key');
    await click(tab, '[role=dialog] button[type=submit]');
    await waitForText(tab, '0 of 0 subscriptions are on the new key.');
    expect(await states()).toEqual(['active', 'retiring']);
    await press(tab, 'End old key');
    await press(tab, 'End old key permanently');
    await waitForText(tab, 'The old key ends.');
    expect(await states()).toEqual(['active', 'ended']);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('that does not exist, or is another organization’s, is not found', async () => {
    const { app } = await openWithApp();
    const { tab } = await openAs(stand);
    for (const path of [`/apps/${app}/settings`, '/apps/no-such-app', '/nowhere']) {
      await tab.goTo(path);
      await waitForText(tab, 'Page not found');
      expect(await axeFindings(tab.page), path).toEqual([]);
    }
    await tab.close();
  });
});
