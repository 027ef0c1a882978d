// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'how readers are asked and welcomed', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let call: ReturnType<typeof callAs>;
  let app: string;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    tab = opened.tab;
    call = callAs(stand.api.app, opened.person);
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
  });
  afterAll(() => stand.close());

  it('sets a second prompt beside the first, drawn as it is typed, and shows their results', async () => {
    await tab.goTo(`/apps/${app}/prompts`);
    await arriveAt(tab, 'Prompts');
    await press(tab, 'Ask readers as set here', 'switch');
    await press(tab, 'Compare with a second prompt');
    await fillField(tab, 'Question', 'Storm warnings?');
    await tab.page.waitForFunction(
      `document.querySelector('[role=img][aria-label="Preview of variant B"]').textContent.includes('Storm warnings?')`,
    );
    await fillField(tab, 'From page view number', '3');
    await fillField(tab, 'Only on these addresses', 'news');
    await press(tab, 'Save');
    await waitForText(tab, 'Each line must begin with / or *.');
    await fillField(tab, 'Only on these addresses', '/news/*');
    await press(tab, 'Save');
    await waitForText(tab, 'Saved. Your pages show it within two minutes.');
    expect((await call('GET', `/apps/${app}/prompts`)).json().data).toMatchObject({
      ...{ enabled: true, pages: 3, show_on: ['/news/*'], ask_again_after_days: null, round: 1 },
      variants: [{ kind: 'bell' }, { kind: 'slide-down', question: 'Storm warnings?' }],
    });
    await waitForText(tab, 'and could be forged');
    await waitForText(tab, 'B: Slide-down');
    expect(tab.faults).toEqual([]);
  });

  it('sets the welcome, and shows what it did', async () => {
    await tab.goTo(`/apps/${app}/welcome`);
    await arriveAt(tab, 'Welcome');
    await press(tab, 'Welcome new subscribers', 'switch');
    await fillField(tab, 'Title', 'Thank you');
    await fillField(tab, 'Text', 'We write when it matters.');
    await fillField(tab, 'Link', 'https://news.example.com/welcome');
    await fillField(tab, 'Minutes after subscribing', '5');
    await press(tab, 'Save');
    await waitForText(tab, 'Saved.');
    expect((await call('GET', `/apps/${app}/welcome`)).json().data).toMatchObject({
      ...{ enabled: true, title: 'Thank you', url: 'https://news.example.com/welcome', delay_minutes: 5 },
    });
    await tab.page.waitForSelector('section[aria-label="Welcomes of 30 days"]');
    expect(tab.faults).toEqual([]);
  });
});
