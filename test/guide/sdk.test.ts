// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snippetsOf } from '../../api/sdk/snippet.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher } from '../support/browsers/publisher.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { blocksOf } from './markdown.ts';

const shown = { appId: 'example-news-k3x9qa', baseUrl: 'https://push.example.com' };
const blocks = blocksOf('api/sdk/README.md');
const only = (language: string, having: string): string => {
  const found = blocks.filter((block) => block.language === language && block.text.includes(having));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
};
const snippets = {
  worker: only('js', 'importScripts'),
  page: only('html', 'Broadside.init'),
  preferences: only('html', '<broadside-preferences>'),
  manifestLink: only('html', 'rel="manifest"'),
  manifest: only('json', 'start_url'),
};

describe('the snippets of the SDK’s manual', () => {
  it('are all known here', () => {
    expect(blocks.map(({ text }) => text).sort()).toEqual(Object.values(snippets).sort());
  });

  it('are those that the dashboard shows', () => {
    expect({ worker: snippets.worker, page: snippets.page }).toEqual({
      worker: snippetsOf(shown).worker,
      page: snippetsOf(shown).page,
    });
  });

  it('make a site that may be added to a home screen', () => {
    expect(snippets.manifestLink).toBe('<link rel="manifest" href="/manifest.json">\n');
    expect(JSON.parse(snippets.manifest)).toMatchObject({ display: 'standalone', start_url: '/' });
  });
});

describeBrowser('chromium', 'a site with the snippets of the SDK’s manual', (executable) => {
  let newsroom: Newsroom;
  let browser: ReadersBrowser;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    browser = await openChromium(executable, newsroom.site.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await newsroom?.stop();
  });

  const asHere = (snippet: string): string =>
    snippet.replaceAll(shown.appId, newsroom.appId).replaceAll(shown.baseUrl, newsroom.apiUrl);

  it('subscribes a reader who presses the bell, the next delivery reaches the browser, and its preferences are there', async () => {
    const { site, push } = newsroom;
    const front = `<h1>Example News</h1>${snippets.manifestLink}${asHere(snippets.page)}`;
    site.setPage({ front, worker: asHere(snippets.worker) });
    const page = await browser.newPage();
    const mailboxes = await borrowPush(page, push);
    await page.goto(site.origin);
    await page.locator('broadside-prompt >>> [part~=bell]').click();
    const publisher = createPublisher(newsroom);
    await expect.poll(() => publisher.subscriptions()).toHaveLength(1);
    expect(await publisher.sendAndWait('Storm warning')).toMatchObject({
      total_subscribers: 1,
      success_count: 1,
    });
    expect(mailboxes).toHaveLength(1);
    site.setPage({ front: `${front}${asHere(snippets.preferences)}`, worker: asHere(snippets.worker) });
    await page.reload();
    await page.waitForSelector('>>> button::-p-text(Pause for a week)');
  });
});
