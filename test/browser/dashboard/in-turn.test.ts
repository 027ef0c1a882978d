// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';
import { arriveAt } from './stand.ts';

describeBrowser('chromium', 'the form of a notification', (executable) => {
  let newsroom: Newsroom;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
  });
  afterAll(() => newsroom.close());

  it('shows what one writes first, and the rest in turn', async () => {
    const { tab, app } = newsroom;
    const { page } = tab;
    const { identifier } = await page.evaluateOnNewDocument(`{
      const labels = () => [...document.querySelectorAll('main label')].map((label) => label.innerText);
      new MutationObserver(() => {
        if (labels().length > 0) self.firstLabels ??= labels();
      }).observe(document, { childList: true, subtree: true });
    }`);
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await page.removeScriptToEvaluateOnNewDocument(identifier);
    const first = (await page.evaluate('firstLabels')) as string[];
    expect(first.map((label) => label.replace(/ \*$/, ''))).toEqual(['Title', 'Text', 'Link']);
    // All of it, once the page says that it is whole.
    expect(await page.$('main button[type=submit]')).not.toBeNull();
    expect(await page.$('figure')).not.toBeNull();
  });
});
