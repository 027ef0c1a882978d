// tier: core
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { createPublisher, type Publisher } from '../support/browsers/publisher.ts';
import { openChromium, type ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, type Visit, visit } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';
import type { Mailbox } from '../support/mozilla-push/mailbox.ts';

describeBrowser('chromium', 'a click that no worker sees', (executable) => {
  let newsroom: Newsroom;
  let publisher: Publisher;
  let browsers: ReadersBrowser[];
  let reader: Visit;
  let mailboxes: readonly Mailbox[];

  beforeAll(async () => {
    newsroom = await startNewsroom();
    publisher = createPublisher(newsroom);
    putSdkOn(newsroom);
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    browsers = [];
    newsroom.front.requests.length = 0;
    reader = await subscribeIn(await open(), newsroom, async (page) => {
      mailboxes = await borrowPush(page, newsroom.push);
    });
  });
  afterEach(async () => {
    for (const browser of browsers) await browser.close();
  });

  const open = async (): Promise<ReadersBrowser> => {
    const browser = await openChromium(executable, newsroom.site.origin);
    browsers.push(browser);
    return browser;
  };
  const front = (): string => `${newsroom.site.origin}/?edition=de#top`;
  /** Where a browser leads that shows the message by itself. */
  const send = async () => {
    const { id } = await publisher.sendAndWait('Storm', {
      url: front(),
      action_buttons: [{ title: 'Map', url: front() }],
    });
    await until('the message', () => mailboxes.at(-1)?.messages.length === 1);
    const { notification } = JSON.parse(mailboxes.at(-1)?.messages[0] ?? '');
    return { id, link: notification.navigate as string, button: notification.actions[0].navigate as string };
  };
  const events = (): string[] =>
    newsroom.front.requests
      .filter(({ path, status }) => path === 'beacon' && status === 204)
      .flatMap(({ body }) => body.events as { type: string; action?: string }[])
      .map(({ type, action = '' }) => `${type} ${action}`.trim())
      .sort();
  const addressOf = ({ page }: Visit): Promise<unknown> => page.evaluate('ready.then(() => location.href)');

  it('is reported once by the page that it leads to, and taken off its address', async () => {
    const { id, link } = await send();
    expect(link).not.toBe(front());
    await reader.page.goto(link);
    expect(await addressOf(reader)).toBe(front());
    await until('the click to be counted', async () => (await publisher.delivery(id)).click_count === 1);
    await reader.page.reload();
    await reader.shows('subscribed');
    await reader.page.goto(link);
    expect(await addressOf(reader)).toBe(front());
    await until('the second report', () => events().length === 2);
    // However often the link is opened, this reader clicked once.
    expect(await publisher.delivery(id)).toMatchObject({ click_count: 1 });
    const [subscriber] = await publisher.subscriptions();
    expect(subscriber?.notifications_clicked).toBe(1);
  });

  it('says which button it was', async () => {
    const { button } = await send();
    await reader.page.goto(button);
    expect(await addressOf(reader)).toBe(front());
    await until('the report', () => events().length === 1);
    expect(events()).toEqual(['clicked button-0']);
  });

  it('is none of a browser that the link was passed on to', async () => {
    const { id, link } = await send();
    const stranger = await visit(await open(), link);
    expect(await addressOf(stranger)).toBe(front());
    await stranger.shows('unsubscribed');
    expect(events()).toEqual([]);
    expect(await publisher.delivery(id)).toMatchObject({ click_count: 0 });
  });
});
