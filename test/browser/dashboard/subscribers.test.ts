// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
  until,
} from '../../support/engine-harness.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { findingsIn, looks, lookWith } from './look.ts';
import { arriveAt, click, named, openAs, openStand, press, type Stand, type Tab } from './stand.ts';

describeBrowser('chromium', 'subscribers in the dashboard', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let engine: EngineHarness;
  let app: string;
  let call: ReturnType<typeof callAs>;
  let ids: readonly number[];
  let delivery: number;

  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    tab = opened.tab;
    call = callAs(stand.api.app, opened.person);
    app = (await call('POST', '/apps', appBody(cap))).json().data.identifier;
    const { database } = stand.api;
    ids = (await insertSubscriptions(database, await appIdOf(database, app), readers)).map(({ id }) => id);
    engine = await startEngineHarness({
      database,
      logStore: createLogStore(),
      sender: createFakeSender((seq) => (seq === 1 ? 'gone' : 'accepted')),
    });
    await finished(
      (await call('POST', `/apps/${app}/deliveries`, deliveryBody({ name: 'First' }))).json().data.id,
    );
    delivery = (await call('POST', `/apps/${app}/deliveries`, deliveryBody({ name: 'Second' }))).json().data
      .id;
    await finished(delivery);
  });
  afterAll(async () => {
    await engine.close();
    await stand.close();
  });

  const cap = { frequency_cap_max_notifications: 1, frequency_cap_window_minutes: 1_440 };
  /** One person's, with two browsers. */
  const account = { account: 'account-4711' };
  const readers = [
    {
      user_identity: 'alpha',
      browser_name: 'Firefox',
      country: 'DE',
      device_type: 'desktop',
      tags: { plan: 'gold' },
      external_ids: account,
    },
    {
      user_identity: 'beta',
      browser_name: 'Chrome',
      country: 'DE',
      device_type: 'mobile',
      external_ids: account,
    },
    { user_identity: 'gamma', browser_name: 'Chrome', country: 'AT', tags: { plan: 'gold' } },
    { user_identity: 'delta', status: 'unsubscribed', browser_name: 'Chrome', country: 'AT' },
  ] as const;

  const finished = (id: number): Promise<void> =>
    until('the delivery to end', async () => {
      const { data } = (await call('GET', `/apps/${app}/deliveries/${id}`)).json();
      return ['success', 'partial', 'failed'].includes(data.status);
    });
  const go = async (path: string, heading: string): Promise<void> => {
    await tab.goTo(`/apps/${app}/subscribers${path}`);
    await arriveAt(tab, heading);
  };
  const shown = (): Promise<unknown> =>
    tab.page.evaluate(`[...document.querySelectorAll('tbody th p')].map((each) => each.textContent)`);
  const showsOnly = (...identities: string[]): Promise<void> => expect.poll(shown).toEqual(identities);

  it('are narrowed by typing and choosing, and the URL keeps it', async () => {
    await go('', 'Subscribers');
    await showsOnly('delta', 'gamma', 'beta', 'alpha');
    await tab.page.locator('input[type=search]').fill('gam');
    await showsOnly('gamma');
    await click(tab, named('Clear all'));
    await showsOnly('delta', 'gamma', 'beta', 'alpha');
    await tab.page.select('select:has(option[value=unsubscribed])', 'unsubscribed');
    // The second reader's browser was gone when the first delivery came.
    await showsOnly('delta', 'beta');
    await tab.page.select('select:has(option[value=unsubscribed])', '');
    await click(tab, named('More filters'));
    await tab.page.select('select:has(option[value=AT])', 'DE');
    await showsOnly('beta', 'alpha');
    await tab.page.select('select:has(option[value=asc])', 'asc');
    await showsOnly('alpha', 'beta');
    await tab.page.reload();
    await showsOnly('alpha', 'beta');
    expect(new URL(tab.page.url()).search).toBe('?country=DE&direction=asc');
    expect(tab.faults).toEqual([]);
  });

  it.each([
    ['tags=%5B%22plan%3Dgold%22%5D', ['gamma', 'alpha']],
    ['browser=firefox', ['alpha']],
    ['device=mobile', ['beta']],
    ['from=2100-01-01', []],
    ['sort=notifications_sent&direction=asc', ['beta', 'delta', 'alpha', 'gamma']],
  ])('follow the address ?%s', async (search, identities) => {
    await go(`?${search}`, 'Subscribers');
    await showsOnly(...identities);
    expect(tab.faults).toEqual([]);
  });

  it('are sorted by a header, the most first and then the other way around', async () => {
    await tab.page.setViewport({ width: 1_440, height: 900 });
    await tab.goTo(`/apps/${app}/subscribers`);
    await arriveAt(tab, 'Subscribers');
    const sortOf = `document.querySelector('th[aria-sort]:has(button):not([aria-sort=none])').ariaSort`;
    await press(tab, 'Sent');
    await tab.page.waitForFunction("location.search.includes('sort=notifications_sent')");
    expect(await tab.page.evaluate(sortOf)).toBe('descending');
    await press(tab, 'Sent');
    await tab.page.waitForFunction("location.search.includes('direction=asc')");
    expect(await tab.page.evaluate(sortOf)).toBe('ascending');
    expect(tab.faults).toEqual([]);
  });

  it('have pages of their own: tags are added and removed, and the API has them', async () => {
    await go(`/${ids[0]}`, `Subscriber ${ids[0]}`);
    const tagsOf = async () => (await call('GET', `/apps/${app}/subscriptions/${ids[0]}`)).json().data.tags;
    const [key, value] = await tab.page.$$('form input');
    await key?.type('topic');
    await value?.type('sports');
    await click(tab, named('Add tag'));
    await tab.page.waitForSelector(named('Remove the tag topic'));
    expect(await tagsOf()).toEqual({ plan: 'gold', topic: 'sports' });
    await click(tab, named('Remove the tag plan'));
    await tab.page.waitForFunction(`!document.body.innerText.includes('plan: gold')`);
    expect(await tagsOf()).toEqual({ topic: 'sports' });
    expect(tab.faults).toEqual([]);
  });

  it.each([
    [0, 'First', 'Sent'],
    [0, 'Second', 'Held back'],
    [1, 'First', 'Failed'],
    [3, 'First', 'Not in the audience'],
  ])('show the result of a delivery: reader %i, %s: %s', async (reader, name, decision) => {
    await go(`/${ids[reader]}`, `Subscriber ${ids[reader]}`);
    await tab.page.waitForFunction(
      `[...document.querySelectorAll('tbody tr')].some((row) =>
         row.textContent.startsWith(${JSON.stringify(name)}) && row.textContent.includes(${JSON.stringify(decision)}))`,
    );
    await click(tab, named(`Why? ${name}`, 'link'));
    await arriveAt(tab, 'Delivery result');
    await tab.page.waitForFunction(
      `document.querySelector('main h2')?.textContent === ${JSON.stringify(decision)}`,
    );
    expect(tab.faults).toEqual([]);
  });

  it('name the deliveries that filled the frequency cap, readably in every look', async () => {
    await tab.goTo(`/apps/${app}/subscribers/${ids[0]}/deliveries/${delivery}`);
    await arriveAt(tab, 'Delivery result');
    const text = await tab.page.$eval('main', (main) => main.textContent);
    expect(text).toMatch(/These deliveries filled the frequency cap:First/);
    expect(await findingsIn(tab.page, `trace-capped`)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('show the result for the same person’s other browsers, and link to the reason', async () => {
    await tab.goTo(`/apps/${app}/subscribers/${ids[0]}/deliveries/${delivery}`);
    await arriveAt(tab, 'Delivery result');
    const others = `[...document.querySelectorAll('main section')]
      .find((section) => section.textContent.startsWith('The same person’s other browsers'))?.textContent`;
    const about = 'The same person’s other browsersThe result of this delivery for them:';
    expect(await tab.page.evaluate(others)).toBe(`${about}Subscriber ${ids[1]}Not in the audience`);
    await click(tab, named(`Subscriber ${ids[1]}`, 'link'));
    await tab.page.waitForFunction(
      `document.querySelector('main h2')?.textContent === 'Not in the audience'`,
    );
    expect(tab.page.url()).toContain(`/subscribers/${ids[1]}/deliveries/${delivery}`);
    await tab.page.waitForFunction(
      `${others} === ${JSON.stringify(`${about}Subscriber ${ids[0]}Held back`)}`,
    );
    await tab.goTo(`/apps/${app}/subscribers/${ids[2]}/deliveries/${delivery}`);
    await arriveAt(tab, 'Delivery result');
    expect(await tab.page.evaluate(others)).toBeUndefined();
    expect(tab.faults).toEqual([]);
  });

  it('are deleted only after one has confirmed it', async () => {
    await lookWith(tab.page, looks[0]);
    await go(`/${ids[2]}`, `Subscriber ${ids[2]}`);
    const status = async () => (await call('GET', `/apps/${app}/subscriptions/${ids[2]}`)).statusCode;
    await click(tab, named('Delete this subscriber'));
    await tab.page.waitForSelector('[role=dialog]');
    await tab.page.keyboard.press('Escape');
    await tab.page.waitForFunction(`document.querySelector('[role=dialog]') === null`);
    expect(await status()).toBe(200);
    await click(tab, named('Delete this subscriber'));
    await click(tab, named('Delete'));
    await arriveAt(tab, 'Subscribers');
    expect(await status()).toBe(404);
    await showsOnly('delta', 'beta', 'alpha');
    expect(tab.faults).toEqual([]);
  });
});
