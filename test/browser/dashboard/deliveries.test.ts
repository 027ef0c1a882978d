// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings } from './look.ts';
import { type Newsroom, openNewsroom, READERS, READERS_A_BLOCK } from './newsroom.ts';
import { arriveAt, click, errorAt, fillField, named, press, type Tab, waitForText } from './stand.ts';

/** Readers whose browser has gone: in the first block, so that their push service says so at once. */
const GONE = 6;

describeBrowser('chromium', 'a notification', (executable) => {
  let newsroom: Newsroom;
  let tab: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    ({ tab } = newsroom);
  });
  afterAll(() => newsroom.close(), 60_000);

  const compose = async (title: string): Promise<void> => {
    await tab.goTo(`/apps/${newsroom.app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', title);
    await fillField(tab, 'Text', 'What happened today, in two minutes.');
    await fillField(tab, 'Link', `news.example.com/${encodeURIComponent(title)}`);
  };
  const chooseMode = (mode: string) => click(tab, `::-p-xpath(//label[normalize-space()="${mode}"])`);
  const setPace = async (readersAMinute: number): Promise<void> => {
    await click(tab, 'button[aria-expanded] h2');
    await fillField(tab, 'Readers per minute', String(readersAMinute));
  };
  /** Times of an input that the browser draws itself: typed as its value, in any display order. */
  const setTime = (value: string): Promise<unknown> =>
    tab.page.evaluate(`(() => {
      const input = document.querySelector('input[type=datetime-local]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  /** Counts as the page shows them, by their names. */
  const shownCounts = async (): Promise<Record<string, number>> =>
    (await tab.page.evaluate(`Object.fromEntries([...document.querySelectorAll('table tr')]
      .map((row) => [row.querySelector('th[scope=row]')?.innerText.split('\\n')[0], row.querySelector('td')?.innerText])
      .filter(([name]) => name !== undefined)
      .map(([name, text]) => [name, Number(text.replaceAll(/\\D/g, ''))]))`)) as Record<string, number>;
  const hasBadge = (text: string): Promise<unknown> =>
    tab.page.waitForFunction(
      `[...document.querySelectorAll('.mantine-Badge-root')].some((badge) => badge.textContent === '${text}')`,
    );

  it('is written, seen as four browsers show it, counted, confirmed, sent once, and followed to its end', async () => {
    await newsroom.pushService.setFaults([{ action: { kind: 'status', status: 410 }, from: 0, to: GONE }]);
    await tab.goTo(`/apps/${newsroom.app}/deliveries`);
    await arriveAt(tab, 'Deliveries');
    await waitForText(tab, 'Nothing sent yet');
    await press(tab, 'Compose', 'link');
    await arriveAt(tab, 'Compose');
    await press(tab, 'Send …');
    expect(await errorAt(tab, 'Title')).toBe('Give it a title.');
    await compose('The evening in brief');
    for (const browser of ['firefox', 'chrome-android', 'safari', 'chrome-windows']) {
      await tab.page.select('select[aria-label="Shown in"]', browser);
      await tab.page.waitForFunction(
        `document.querySelector('figure')?.innerText.includes('The evening in brief')`,
      );
    }
    await waitForText(tab, `${READERS} readers`);
    await setPace(READERS * 8);
    await press(tab, 'Send …');
    await tab.page.waitForSelector(named(`Send to ${READERS} readers`));
    expect(await axeFindings(tab.page)).toEqual([]);
    await tab.page.locator(named(`Send to ${READERS} readers`)).click({ count: 2 });

    await arriveAt(tab, 'The evening in brief');
    await hasBadge('Live');
    await tab.page.waitForFunction(`(() => {
      const now = Number(document.querySelector('[role=progressbar]')?.ariaValueNow);
      return now > 0 && now < 100;
    })()`);
    await hasBadge('Sent');
    expect(await shownCounts()).toMatchObject({
      ...{ Accepted: READERS - GONE, Unsubscribed: GONE, Failed: 0, Readers: READERS },
    });
    await waitForText(tab, 'What failed, and why');
    await waitForText(tab, 'Unsubscribed in the browser');
    const id = newsroom.shownDelivery();
    expect(await newsroom.read(id)).toMatchObject({
      ...{ status: 'partial', total_subscribers: READERS, success_count: READERS - GONE, failed_count: GONE },
    });
    expect(await newsroom.pushService.ledger()).toMatchObject({ distinct: READERS - GONE, duplicates: 0 });
    const all = await newsroom.stand.api.database.query('SELECT id FROM deliveries');
    expect(all, 'two clicks send once').toHaveLength(1);
    expect(tab.faults).toEqual([]);
  });

  it('is explained for one subscriber, in words', async () => {
    const [gone] = await newsroom.stand.api.database.query<{ id: number }>(
      `SELECT id FROM subscriptions WHERE status = 'unsubscribed' ORDER BY id LIMIT 1`,
    );
    await fillField(tab, 'Subscriber number', 'Ada');
    await press(tab, 'Look up');
    expect(await errorAt(tab, 'Subscriber number')).toMatch(/^Enter a subscriber number/);
    await fillField(tab, 'Subscriber number', String(gone?.id));
    await press(tab, 'Look up');
    await waitForText(tab, 'It could not be delivered, and will not be retried.');
    expect(tab.page.url()).toContain(`subscriber=${gone?.id}`);
    expect(tab.faults).toEqual([]);
  });

  it('is cancelled while it runs: delivered messages stay, and no further one is sent', async () => {
    await newsroom.pushService.clearFaults();
    const { distinct: before } = await newsroom.pushService.mark('cancelled');
    expect(before).toBe(READERS - GONE);
    await compose('A slow one');
    await setPace(READERS_A_BLOCK);
    await press(tab, 'Send …');
    await press(tab, `Send to ${READERS - GONE} readers`);
    await arriveAt(tab, 'A slow one');
    await expect.poll(async () => (await shownCounts()).Accepted).toBeGreaterThan(0);
    await press(tab, 'Cancel');
    await waitForText(tab, 'cannot be recalled');
    await press(tab, 'Cancel delivery');
    await hasBadge('Cancelled');
    const id = newsroom.shownDelivery();
    await expect.poll(() => newsroom.shardsInHand(id)).toBe(0);
    const { distinct } = await newsroom.pushService.ledger();
    await expect.poll(shownCounts).toMatchObject({
      ...{ Accepted: distinct, 'Not sent': READERS - GONE - distinct, Readers: READERS - GONE },
    });
    expect(distinct).toBeLessThanOrEqual(READERS_A_BLOCK);
    expect(tab.faults).toEqual([]);
  });

  it('is scheduled for a time in one’s own time zone, and cancelled before it starts', async () => {
    await tab.page.emulateTimezone('Europe/Berlin');
    await compose('Tomorrow’s front page');
    await chooseMode('Schedule');
    await press(tab, 'Schedule …');
    await waitForText(tab, 'Choose a date and a time.');
    await setTime('2031-01-31T12:00');
    await waitForText(tab, 'Europe/Berlin');
    await waitForText(tab, '11:00');
    await press(tab, 'Schedule …');
    await waitForText(tab, 'You can cancel it until then.');
    await press(tab, 'Schedule it');
    await arriveAt(tab, 'Tomorrow’s front page');
    await hasBadge('Scheduled');
    const id = newsroom.shownDelivery();
    expect((await newsroom.read(id)).scheduled_at?.toISOString()).toBe('2031-01-31T11:00:00.000Z');
    await press(tab, 'Cancel');
    await press(tab, 'Cancel delivery');
    await hasBadge('Cancelled');
    expect((await newsroom.read(id)).status).toBe('cancelled');
    await tab.page.emulateTimezone('UTC');
    expect(tab.faults).toEqual([]);
  });

  it('shows as sent in an open list once its time has come', async () => {
    const title = 'At its time';
    const answer = await callAs(newsroom.stand.api.app, newsroom.person)(
      'POST',
      `/apps/${newsroom.app}/deliveries`,
      deliveryBody({ title, scheduled_at: new Date(Date.now() + 5_000).toISOString() }),
    );
    expect(answer.statusCode, answer.body).toBe(201);
    await tab.goTo(`/apps/${newsroom.app}/deliveries?search=${encodeURIComponent(title)}`);
    await hasBadge('Scheduled');
    await hasBadge('Sent');
    expect(tab.faults).toEqual([]);
  });

  it('is rehearsed: every subscriber is counted, none receives it, and it leads to the real one', async () => {
    await newsroom.pushService.mark('rehearsed');
    await compose('Not for anybody yet');
    await chooseMode('Rehearse');
    await press(tab, 'Rehearse …');
    await waitForText(tab, 'no one receives anything');
    await press(tab, 'Rehearse it');
    await arriveAt(tab, 'Not for anybody yet');
    await hasBadge('Rehearsal');
    await waitForText(tab, 'This was a rehearsal: no one received anything.');
    expect(
      await tab.page.$$eval('.mantine-Badge-root', (all) => all.map((each) => each.textContent)),
    ).not.toContain('Sent');
    expect(await shownCounts()).toMatchObject({
      Accepted: READERS - GONE,
      Failed: 0,
      Readers: READERS - GONE,
    });
    expect((await newsroom.pushService.ledger()).received).toBe(0);
    await press(tab, 'Send for real', 'link');
    await arriveAt(tab, 'Compose');
    await waitForText(tab, 'A copy of “Not for anybody yet”.');
    await tab.page.waitForSelector(named('Send …'));
    expect(tab.faults).toEqual([]);
  });

  it('stays as a draft in the tab until it is sent or thrown away', async () => {
    await compose('Half a thought');
    await expect
      .poll(() => tab.page.evaluate('Object.values(sessionStorage).join()'))
      .toContain('Half a thought');
    await press(tab, 'Deliveries', 'link');
    await arriveAt(tab, 'Deliveries');
    await tab.goTo(`/apps/${newsroom.app}/compose`);
    await waitForText(tab, 'Your draft was restored.');
    await tab.page.waitForFunction(`document.querySelector('figure')?.innerText.includes('Half a thought')`);
    await press(tab, 'Start over');
    await tab.page.waitForFunction(
      `document.querySelector('figure')?.innerText.includes('Half a thought') === false`,
    );
    expect(await tab.page.evaluate('Object.values(sessionStorage).join()')).not.toContain('Half a thought');
    expect(tab.faults).toEqual([]);
  });
});
