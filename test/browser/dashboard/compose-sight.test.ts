// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browsers } from '../../../api/dashboard/web/notification/preview/browsers.ts';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { axeFindings, type Look, lookWith } from './look.ts';
import { paintPicture } from './picture.ts';
import { arriveAt, click, fillField, openAs, openStand, press, type Stand, type Tab } from './stand.ts';

const desk: Look = { name: 'desk', scheme: 'light', width: 1_440, height: 900 };
const phone: Look = { name: 'phone', scheme: 'light', width: 390, height: 844 };

describeBrowser('chromium', 'what is in sight while one composes', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  beforeAll(async () => {
    stand = await openStand(executable, { publicAddresses: loopbackAllowed });
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    const call = callAs(stand.api.app, opened.person);
    app = String((await call('POST', '/apps', appBody())).json().data.identifier);
  });
  afterAll(() => stand.close());

  /** With all that a notification can have. */
  const compose = async (look: Look): Promise<void> => {
    await tab.goToAnew(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await lookWith(tab.page, look);
    await fillField(tab, 'Title', 'Storm warning for the coast: trains and ferries stop');
    await fillField(
      tab,
      'Text',
      'What to expect tonight, which roads are closed, and where you find help. '.repeat(3),
    );
    await fillField(tab, 'Link', 'https://news.example.com/storm');
    await click(tab, '::-p-xpath(//label[normalize-space()="Upload"])');
    const bytes = JSON.stringify(paintPicture(400, 200).toString('base64'));
    // As chosen from a disk.
    await tab.page.waitForSelector('input[type=file]');
    await tab.page.evaluate(`(() => {
      const given = new DataTransfer();
      const bytes = Uint8Array.from(atob(${bytes}), (each) => each.charCodeAt(0));
      given.items.add(new File([bytes], 'storm.png', { type: 'image/png' }));
      const field = document.querySelector('input[type=file]');
      field.files = given.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    for (const [at, title] of ['Read it now', 'Later'].entries()) {
      await press(tab, 'Add a button');
      await fillField(tab, `Text of button ${at + 1}`, title);
      await fillField(tab, `Link of button ${at + 1}`, 'news.example.com/more');
    }
  };
  /** Names of what is cut by the window, the header, the bar or a frame that scrolls. */
  const cut = (selectors: Readonly<Record<string, string>>): Promise<unknown> =>
    tab.page.evaluate(`(() => {
      const top = document.querySelector('header').getBoundingClientRect().bottom;
      const bar = document.querySelector('[data-bar]').parentElement;
      const floor = getComputedStyle(bar).position === 'sticky' ? bar : document.querySelector('[data-bar]');
      const isCut = (element) => {
        const box = element.getBoundingClientRect();
        const bottom = floor.contains(element) ? innerHeight : floor.getBoundingClientRect().top;
        for (let frame = element.parentElement; frame !== null; frame = frame.parentElement) {
          if (!/auto|scroll/.test(getComputedStyle(frame).overflowY) || frame.matches('html, body')) continue;
          if (box.bottom > frame.getBoundingClientRect().bottom + 1) return true;
        }
        return box.height === 0 || box.top < top || box.bottom > bottom + 1;
      };
      return Object.entries(${JSON.stringify(selectors)}).flatMap(([name, selector]) => {
        const found = document.evaluate(selector, document, null, 9).singleNodeValue;
        return found === null ? [name + ' is missing'] : isCut(found) ? [name] : [];
      });
    })()`);
  const acts = {
    send: '//main//button[@type="submit"]',
    test: '//button[normalize-space()="Send a test"]',
  };
  const onDesk = {
    ...acts,
    draft: '//button[normalize-space()="Save as draft"]',
    template: '//button[normalize-space()="Save as template"]',
    summary: '//dl[.//dt[normalize-space()="Audience now"]]',
    notification: '//figure/div',
    browser: '//select[@aria-label="Shown in"]',
  };

  it('on a desk, the whole notification in each browser, the summary and all buttons, wherever one is', async () => {
    await compose(desk);
    const found: string[] = [];
    const see = async (where: string): Promise<void> => {
      for (const each of (await cut(onDesk)) as string[]) found.push(`${where}: ${each}`);
    };
    for (const { id } of browsers) {
      await tab.page.select('select[aria-label="Shown in"]', id);
      await tab.page.evaluate('scrollTo(0, 0)');
      await see(`${id}, at the top`);
    }
    await tab.page.select('select[aria-label="Shown in"]', 'chrome-android');
    await click(tab, 'main section > button[aria-expanded=false]');
    await click(tab, '::-p-xpath(//label[normalize-space()="Repeat"])');
    for (const label of [
      'Internal name',
      'Audience',
      'Readers per minute',
      'Stays until clicked or closed',
    ]) {
      await tab.page.evaluate(`[...document.querySelectorAll('main label')]
        .find((each) => each.innerText.startsWith('${label}')).scrollIntoView({ block: 'center' })`);
      await see(label);
    }
    await tab.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await see('at the end');
    expect(found).toEqual([]);
    expect(await axeFindings(tab.page)).toEqual([]);
  });

  it('on a phone, the notification after the link, and the buttons to send wherever one is', async () => {
    await compose(phone);
    const order = await tab.page.evaluate(`[...document.querySelectorAll('main input, main figure')]
      .map((each) => each.matches('figure') ? 'figure' : each.labels?.[0]?.textContent ?? '')
      .filter((name) => /^(Link \\*|figure|None)$/.test(name))`);
    expect(order).toEqual(['Link *', 'figure', 'None']);
    for (const label of ['Title', 'Internal name', 'Audience']) {
      await tab.page.evaluate(`[...document.querySelectorAll('main label')]
        .find((each) => each.innerText.startsWith('${label}')).scrollIntoView({ block: 'center' })`);
      expect(await cut(acts), label).toEqual([]);
    }
    await tab.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    expect(await cut({ ...acts, draft: onDesk.draft, summary: onDesk.summary })).toEqual([]);
    expect(await axeFindings(tab.page)).toEqual([]);
  });

  it.each([desk, phone])(
    'is asked for once more with the notification, its link and its time, $name',
    async (look) => {
      await compose(look);
      await press(tab, 'Send …');
      await tab.page.waitForSelector('[role=dialog] [data-scheme]');
      const asked = String(await tab.page.evaluate(`document.querySelector('[role=dialog]').innerText`));
      expect(asked).toContain('Storm warning for the coast');
      expect(asked).toMatch(/Link:\s+https:\/\/news\.example\.com\/storm/);
      expect(asked).toMatch(/When\s+Now/);
      expect(await axeFindings(tab.page)).toEqual([]);
      expect(tab.faults).toEqual([]);
    },
  );
});
