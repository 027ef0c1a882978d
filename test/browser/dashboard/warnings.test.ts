// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { until } from '../../support/engine-harness.ts';
import { type ImageServer, loopbackAllowed, makePng, startImageServer } from '../../support/images.ts';
import { axeFindings, keepScreenshot, looks, looksAt, lookWith } from './look.ts';
import {
  arriveAt,
  click,
  fillField,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

describeBrowser('chromium', 'warnings beside the fields of a notification', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let server: ImageServer;
  beforeAll(async () => {
    server = await startImageServer((request, response) =>
      request.url?.startsWith('/members') === true ? response.writeHead(403).end() : response.end(makePng()),
    );
    stand = await openStand(executable, { publicAddresses: loopbackAllowed });
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    app = String(
      (await callAs(stand.api.app, opened.person)('POST', '/apps', appBody())).json().data.identifier,
    );
  });
  afterAll(async () => {
    await stand.close();
    await server.close();
  });

  const compose = async (title: string): Promise<void> => {
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', title);
    await fillField(tab, 'Text', 'Trains are cancelled until Thursday.');
    await fillField(tab, 'Link', 'https://news.example.com/storm');
    await waitForText(tab, 'Add a button');
  };
  const heightOfPage = (): Promise<unknown> =>
    tab.page.evaluate(`Math.round(document.querySelector('form').getBoundingClientRect().height)`);
  /** What the field with this label is described by, as a screen reader reads it. */
  const descriptionOf = (label: string): Promise<unknown> =>
    tab.page.evaluate(`(() => {
      const field = [...document.querySelectorAll('input, textarea')]
        .find((each) => each.labels?.[0]?.textContent.startsWith(${JSON.stringify(label)}));
      return document.getElementById(field.getAttribute('aria-describedby')).innerText;
    })()`);

  it('appear once somebody pauses, are spoken politely, move nothing, stop nothing and go again', async () => {
    await compose('Storm over the coast');
    const before = await heightOfPage();
    await fillField(tab, 'Title', 'YOUR ACCOUNT HAS BEEN SUSPENDED');
    await waitForText(tab, 'All capitals read like spam.');
    expect(await descriptionOf('Title')).toContain('it threatens an account');
    const spoken = `[...document.querySelectorAll('[role=status]')].some((each) => each.innerText.includes('All capitals'))`;
    expect(await tab.page.evaluate(spoken)).toBe(true);
    expect(await heightOfPage()).toBe(before);
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await arriveAt(tab, 'YOUR ACCOUNT HAS BEEN SUSPENDED');
    await compose('YOUR ACCOUNT HAS BEEN SUSPENDED');
    await waitForText(tab, 'All capitals read like spam.');
    await fillField(tab, 'Title', 'Storm over the coast');
    await tab.page.waitForFunction(`!document.body.innerText.includes('All capitals')`);
    expect(tab.faults).toEqual([]);
  });

  it('name an image that readers do not get, and only then', async () => {
    await compose('With a picture of members');
    await click(tab, '::-p-xpath(//label[normalize-space()="From a URL"])');
    await fillField(tab, 'Image URL', `${server.url}/members.png`);
    await waitForText(tab, 'Readers get no image from this address');
    await fillField(tab, 'Image URL', `${server.url}/storm.png`);
    await until('the picture to be fetched', () => server.asked.includes('/storm.png'));
    await tab.page.waitForFunction(`!document.body.innerText.includes('Readers get no image')`);
  });

  it('stand at buttons and translations too, as axe and a phone like it', async () => {
    await compose('Breaking: your guide to the storm over the coast, hour by hour');
    await press(tab, 'Add a button');
    await fillField(tab, 'Text of button 1', 'Claim your prize');
    await fillField(tab, 'Link of button 1', 'https://paypa1.example.com/');
    await waitForText(tab, 'it says that the reader has won');
    await waitForText(tab, 'Android shows about 35 characters of a title.');
    await waitForText(tab, 'can be taken for another');
    for (const look of looksAt(0)) {
      await lookWith(tab.page, look);
      expect(await axeFindings(tab.page)).toEqual([]);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await keepScreenshot(tab.page, `compose-warnings-${look.name}`);
    }
    await lookWith(tab.page, looks[0]);
  });
});
