// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { findingsIn } from './look.ts';
import { type Newsroom, openNewsroom, READERS } from './newsroom.ts';
import { arriveAt, errorAt, fillField, named, press, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'a notification in several languages', (executable) => {
  let newsroom: Newsroom;
  let tab: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    ({ tab } = newsroom);
  });
  afterAll(() => newsroom.close(), 60_000);

  const choose = async (field: string, option: string): Promise<void> => {
    await tab.page.focus(named(field, 'combobox'));
    await tab.page.keyboard.type(option);
    await press(tab, option, 'option');
  };
  const lookAround = async (name: string): Promise<void> => {
    expect(await findingsIn(tab.page, `${name}`)).toEqual([]);
  };

  it('is written, previewed, sent and corrected in each of them, and names readers’ tags', async () => {
    await tab.goTo(`/apps/${newsroom.app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Text', 'From noon on.');
    await fillField(tab, 'Link', 'news.example.com/ferries');
    await fillField(tab, 'Title', 'Dear ');
    // The cursor was in the title last.
    await tab.page.focus(named('Title', 'textbox'));
    await tab.page.focus(named('Emoji'));
    await tab.page.keyboard.press('ArrowRight');
    await tab.page.keyboard.press('Enter');
    await fillField(tab, 'Tag', 'name');
    await fillField(tab, 'For readers without it', 'reader');
    // Enter inserts it, and does not send what is around it.
    await tab.page.keyboard.press('Enter');
    await waitForText(tab, 'Dear reader');
    expect(
      await tab.page.$eval(named('Title', 'textbox'), (field) => (field as { value?: string }).value),
    ).toBe('Dear {{ tag.name | default: "reader" }}');

    await press(tab, 'Add a button');
    await fillField(tab, 'Text of button 1', 'Read it');
    await fillField(tab, 'Link of button 1', 'news.example.com/ferries?b');
    await choose('Add a language', 'German');
    await tab.page.waitForSelector(named('Title, German', 'textbox'));
    await choose('Language of the text above', 'English');
    await press(tab, 'Send …');
    expect(await errorAt(tab, 'Title, German')).toBe('Give it a title.');
    await fillField(tab, 'Title, German', 'Liebe {{ tag.name | default: "Leserin" }}');
    await fillField(tab, 'Text, German', 'Ab Mittag.');
    await fillField(tab, 'Button 1, German', 'Lesen');
    await tab.page.focus(named('Preview in', 'combobox'));
    await tab.page.keyboard.press('Space');
    await press(tab, 'German', 'option');
    await waitForText(tab, 'Liebe Leserin');
    await waitForText(tab, 'Lesen');
    await lookAround('compose-languages');

    await press(tab, 'Send …');
    await press(tab, `Send to ${READERS.toLocaleString('en')} readers`);
    await waitForText(tab, 'Sent');
    await waitForText(tab, 'English, and everyone else');
    await waitForText(tab, 'It contains tags of the reader');
    await lookAround('delivery-languages');

    await press(tab, 'Correct');
    await tab.page.waitForSelector(named('Title, German', 'textbox'));
    await fillField(tab, 'Title, German', 'Verehrte Leserschaft');
    await lookAround('correct-languages');
    await press(tab, 'Send correction');
    await waitForText(tab, 'This is the correction of');
    await waitForText(tab, 'Verehrte Leserschaft');
    expect(tab.faults).toEqual([]);
  });

  it('is kept in a copy of it', async () => {
    await tab.goTo(`/apps/${newsroom.app}/compose?from=${newsroom.shownDelivery()}`);
    await tab.page.waitForSelector(named('Title, German', 'textbox'));
    await press(tab, 'Remove German');
    await tab.page.waitForSelector(named('Title, German', 'textbox'), { hidden: true });
    expect(tab.faults).toEqual([]);
  });
});
