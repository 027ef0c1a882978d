// tier: core
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { alertOf } from '../support/browsers/firefox-alerts.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import { putSdkOn, subscribeIn } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';

describeBrowser('firefox', 'the whole way in Firefox', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  let browser: Browser;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
    putSdkOn(newsroom);
    browser = await startFirefox({ executable, pushServerUrl: newsroom.push.serverUrl });
  });
  afterAll(async () => {
    await browser?.close();
    await newsroom?.stop();
  });

  /** The browsers' reports about notifications. */
  const events = (): string[] =>
    newsroom.front.requests
      .filter(({ path, status }) => path === 'beacon' && status === 204)
      .flatMap(({ body }) => (body.events as { type: string }[]).map(({ type }) => type));

  it('subscribes by a click, shows a notification, opens its page on a click, and counts it everywhere', async () => {
    await subscribeIn(browser, newsroom);
    expect(await publisher.subscriptions()).toMatchObject([
      { browser_name: 'Firefox', notifications_sent: 0, notifications_clicked: 0 },
    ]);

    const { id } = await publisher.sendAndWait('Storm warning');
    const alert = await alertOf(browser, 'Storm warning');
    expect(alert.text).toBe('Ferries stop at noon.');
    await alert.click();
    const story = `${newsroom.site.origin}/storm`;
    await until('the story to open', async () =>
      (await browser.pages()).some((page) => page.url() === story),
    );
    await until('the click to be counted', async () => (await publisher.delivery(id)).click_count === 1);
    expect(await publisher.delivery(id)).toMatchObject({
      ...{ status: 'success', total_subscribers: 1, success_count: 1, failed_count: 0 },
    });
    await until('the subscriber to have clicked', async () => {
      const [subscriber] = await publisher.subscriptions();
      return subscriber?.notifications_clicked === 1 && subscriber.notifications_sent === 1;
    });
    const overview = await newsroom.client.get(`/apps/${newsroom.appId}/analytics/overview`);
    expect(overview).toMatchObject({ total_clicks: 1, active_subscribers: 1, avg_click_rate: 100 });
    expect(events().sort()).toEqual(['clicked', 'displayed']);
    expect(newsroom.push.acknowledged()).toBe(1);
  });
});
