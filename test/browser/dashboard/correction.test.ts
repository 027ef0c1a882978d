// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, findingsIn, keepScreenshots } from './look.ts';
import { type Newsroom, openNewsroom, READERS } from './newsroom.ts';
import { arriveAt, errorAt, fillField, press, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'a notification that was wrong', (executable) => {
  let newsroom: Newsroom;
  let tab: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    ({ tab } = newsroom);
  });
  afterAll(() => newsroom.close(), 60_000);

  it('is corrected from its page for those who got it, and both pages say so', async () => {
    await tab.goTo(`/apps/${newsroom.app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', 'The ferries stop');
    await fillField(tab, 'Text', 'From noon on.');
    await fillField(tab, 'Link', 'news.example.com/ferries');
    await press(tab, 'Send …');
    await press(tab, `Send to ${READERS.toLocaleString('en')} readers`);
    await arriveAt(tab, 'The ferries stop');
    await waitForText(tab, 'Sent');
    await press(tab, 'Correct');
    await waitForText(tab, 'Safari on iPhone and iPad cannot replace a notification');
    await press(tab, 'Send correction');
    expect(await errorAt(tab, 'Title')).toBe('Change the title, the text or the link.');
    await fillField(tab, 'Title', 'The ferries sail');
    await fillField(tab, 'Text', 'An earlier notification was wrong.');
    expect(await findingsIn(tab.page, `correct`)).toEqual([]);
    await press(tab, 'Send correction');
    await arriveAt(tab, 'Correction: The ferries stop');
    await waitForText(tab, 'This is the correction of');
    await waitForText(tab, 'Readers who got the notification that it corrects');
    await waitForText(tab, `${READERS.toLocaleString('en')} of ${READERS.toLocaleString('en')} readers`);
    const wrong = newsroom.shownDelivery() - 1;
    await press(tab, `notification ${wrong}`, 'link');
    await arriveAt(tab, 'The ferries stop');
    await waitForText(tab, '0 readers had seen this text before the correction.');
    await waitForText(tab, 'seen the right one:');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshots(tab.page, `corrected`);
    // It is corrected once: the page does not offer it again.
    expect(await tab.page.$$eval('button', (all) => all.map((each) => each.textContent))).not.toContain(
      'Correct',
    );
    expect(tab.faults).toEqual([]);
  });
});
