// tier: system
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { alertOf } from '../support/browsers/firefox-alerts.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import { meetWorker, readShown, type Shown } from '../support/browsers/pushed-worker.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';
import { makePng } from '../support/images.ts';
import type { Mailbox } from '../support/mozilla-push/mailbox.ts';

interface Stand {
  readonly newsroom: Newsroom;
  readonly publisher: Publisher;
  readonly appIcon: string;
  readonly badge: string;
}

async function openStand(): Promise<Stand> {
  const newsroom = await startNewsroom();
  putSdkOn(newsroom);
  const { origin } = newsroom.site;
  const [appIcon, badge] = [`${origin}/icon.png`, `${origin}/badge.png`];
  await newsroom.client.put(`/apps/${newsroom.appId}`, {
    ...{ name: 'Example News', site_domain: origin, icon_url: appIcon, badge_url: badge, app_badge: true },
  });
  return { newsroom, publisher: createPublisher(newsroom), appIcon, badge };
}

interface Sent {
  readonly title: string;
  readonly icon: string;
  readonly lang: string;
  readonly dir: string;
}

/** The same notifications for each browser: the app’s icon, one of a file, and that file’s by its address. */
async function send({ newsroom, publisher, appIcon }: Stand): Promise<Sent[]> {
  await publisher.sendAndWait('Storm', { language: 'en' });
  const form = new FormData();
  const says = { name: 'عاصفة', title: 'عاصفة', body: 'توقفت العبارات', language: 'ar', topic: 'file' };
  for (const [name, value] of Object.entries({ ...says, url: `${newsroom.site.origin}/storm` }))
    form.set(name, value);
  form.set('icon_url', new File([new Uint8Array(makePng({ width: 192, height: 192 }))], 'face.png'));
  const path = `/apps/${newsroom.appId}/deliveries`;
  const { data } = await newsroom.client.post<{ data: { icon_url: string } }>(path, form);
  expect(data.icon_url).toMatch(/\/images\/[0-9a-f]{64}\.png$/);
  await publisher.sendAndWait('סערה', { language: 'he', icon_url: data.icon_url });
  return [
    { title: 'Storm', icon: appIcon, lang: 'en', dir: 'auto' },
    { title: 'عاصفة', icon: data.icon_url, lang: 'ar', dir: 'rtl' },
    { title: 'סערה', icon: data.icon_url, lang: 'he', dir: 'rtl' },
  ];
}

const startedLately = (timestamp: number | null): boolean =>
  timestamp !== null && Math.abs(Date.now() - timestamp) < 600_000;

describeBrowser('chromium', 'the face of a notification in Chromium', (executable) => {
  let stand: Stand;
  let browser: ReadersBrowser;
  beforeAll(async () => {
    stand = await openStand();
    browser = await openChromium(executable, stand.newsroom.site.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.newsroom.stop();
  });

  it('is the icon, badge, language, direction and time that were sent', async () => {
    let mailboxes: readonly Mailbox[] = [];
    const { page } = await subscribeIn(browser, stand.newsroom, async (fresh) => {
      mailboxes = await borrowPush(fresh, stand.newsroom.push);
    });
    const worker = await meetWorker(page);
    await worker.evaluate(
      `self.counts = []; navigator.setAppBadge = async (count) => void counts.push(count);`,
    );
    for (const { title, ...expected } of await send(stand)) {
      let message = '';
      await until(`“${title}” to come`, () => {
        message = mailboxes.at(-1)?.messages.find((one) => one.includes(title)) ?? '';
        return message !== '';
      });
      const shown = await worker.push(message, title);
      expect(shown).toMatchObject({ ...expected, badge: stand.badge });
      expect(startedLately(shown.timestamp)).toBe(true);
    }
    await until('three to be counted', async () => String(await worker.evaluate('counts')) === '1,2,3');
    expect(await worker.click('Storm')).toHaveLength(1);
    await until('two to be left', async () => String(await worker.evaluate('counts')) === '1,2,3,2');
    // Whoever comes to the site has seen what there is.
    await page.evaluate(`void (window.cleared = new Promise((resolve) => {
      navigator.clearAppBadge = async () => resolve(true);
    }))`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await page.evaluate('window.cleared')).toBe(true);
  });
});

describeBrowser('firefox', 'the face of a notification in Firefox', (executable) => {
  let stand: Stand;
  let browser: Browser;
  beforeAll(async () => {
    stand = await openStand();
    browser = await startFirefox({ executable, pushServerUrl: stand.newsroom.push.serverUrl });
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.newsroom.stop();
  });

  const shownOn = async (page: Page): Promise<readonly Shown[]> =>
    (await page.evaluate(readShown)) as readonly Shown[];

  it('is the icon, language and direction that were sent', async () => {
    const { page } = await subscribeIn(browser, stand.newsroom);
    for (const { title, ...expected } of await send(stand)) {
      await alertOf(browser, title);
      const shown = (await shownOn(page)).find((one) => one.title === title);
      expect(shown).toMatchObject(expected);
      // As far as this Firefox has them.
      expect([null, stand.badge]).toContain(shown?.badge);
      expect(shown?.timestamp === null || startedLately(shown?.timestamp ?? null)).toBe(true);
    }
  });
});
