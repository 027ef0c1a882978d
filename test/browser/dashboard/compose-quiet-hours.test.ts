// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { keepScreenshot } from './look.ts';
import {
  arriveAt,
  fillField,
  named,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

describeBrowser('chromium', 'the page to write a notification during quiet hours', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let send: ReturnType<typeof callAs>;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    send = callAs(stand.api.app, opened.person);
  });
  afterAll(() => stand.close());

  it('says what they do to it, and drops it for who is in them where one chooses that', async () => {
    // All day but an hour: somewhere it is that hour.
    const quiet = { ...appBody(), quiet_hours: { from: '00:00', to: '23:00', time_zone: 'reader' } };
    const identifier = String((await send('POST', '/apps', quiet)).json().data.identifier);
    await tab.goTo(`/apps/${identifier}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', 'At night');
    await fillField(tab, 'Text', 'What happened today.');
    await fillField(tab, 'Link', 'https://news.example.com/today');
    await waitForText(tab, 'Readers in their quiet hours get it when those end.');
    await press(tab, 'More options Kept for offline readers, pace, urgency, topic, expiry.');
    // By keyboard: what unfolds moves under a mouse.
    await tab.page.waitForSelector(named('During quiet hours', 'combobox'));
    await tab.page.focus(named('During quiet hours', 'combobox'));
    await tab.page.keyboard.press('Space');
    await press(tab, 'Leave those readers out', 'option');
    await waitForText(tab, 'Readers in their quiet hours do not get it.');
    await keepScreenshot(tab.page, 'compose-quiet-hours');
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await expect
      .poll(async () => (await send('GET', `/apps/${identifier}/campaigns`)).json().data)
      .toMatchObject([{ kind: 'quiet_hours', status: 'completed', name: 'At night' }]);
    expect(tab.faults).toEqual([]);
  });
});
