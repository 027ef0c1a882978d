// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot, looks, lookWith } from './look.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'a notification that was sent before', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let call: ReturnType<typeof callAs>;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    call = callAs(stand.api.app, opened.person);
    app = String((await call('POST', '/apps', appBody())).json().data.identifier);
  });
  afterAll(() => stand.close());

  it('is asked about with the earlier one, kept as a draft, and sent where it is meant', async () => {
    const url = 'https://news.example.com/storm';
    await call('POST', `/apps/${app}/deliveries`, deliveryBody({ title: 'Storm hits the coast', url }));
    const sent = async () => (await call('GET', `/apps/${app}/deliveries`)).json().meta.total;
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', 'Storm: what to know');
    await fillField(tab, 'Text', 'Ferries stop at noon.');
    await fillField(tab, 'Link', `${url}?utm_source=push`);
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await waitForText(tab, 'A notification with the same link was sent or scheduled within the last day:');
    await waitForText(tab, 'Storm hits the coast');
    await lookWith(tab.page, looks[2]);
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'compose-duplicate-phone');
    await lookWith(tab.page, looks[0]);
    await press(tab, 'Back to the draft');
    expect(await sent()).toBe(1);
    expect(await tab.page.evaluate(`document.querySelector('main input').value`)).toBe('Storm: what to know');
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await press(tab, 'Send anyway');
    await arriveAt(tab, 'Storm: what to know');
    expect(await sent()).toBe(2);
    expect(tab.faults).toEqual([]);
  });
});
