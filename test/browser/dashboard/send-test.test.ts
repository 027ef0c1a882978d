// tier: system
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { secretHashOf } from '../../../api/public/browser-name.ts';
import { reachKey } from '../../../engine/contract/audience.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { until } from '../../support/engine-harness.ts';
import { findingsIn } from './look.ts';
import { type Newsroom, openNewsroom, READERS } from './newsroom.ts';
import { arriveAt, click, errorAt, fillField, named, press, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'a test to your own browsers', (executable) => {
  let newsroom: Newsroom;
  let tab: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    ({ tab } = newsroom);
  });
  afterAll(() => newsroom.close(), 60_000);

  /** What the site's page does with the link that is shown: `chromium-test-link.test.ts` has the real one. */
  async function openLink(seq: number): Promise<void> {
    await tab.page.waitForSelector('pre');
    const url = await tab.page.$eval('pre', (element) => element.textContent ?? '');
    const token = url.split('#broadside-test=')[1] ?? '';
    const browserSecret = randomBytes(32).toString('base64url');
    const { app: server, database } = newsroom.stand.api;
    await database.query(
      `UPDATE subscriptions SET secret_hash = $2, browser_name = 'Chrome', os_name = 'Android' WHERE seq = $1`,
      [seq, secretHashOf(browserSecret)],
    );
    const answer = await server.inject({
      method: 'POST',
      url: '/api/v1/public/test-browser',
      headers: { origin: new URL(url).origin, 'x-app-id': newsroom.app },
      payload: { browserSecret, token },
    });
    expect(answer.statusCode, answer.body).toBe(200);
  }

  async function lookAround(name: string): Promise<void> {
    expect(await findingsIn(tab.page, name)).toEqual([]);
  }

  it('registers the first one on the way, sends to it alone, and shows how it went', async () => {
    await tab.goTo(`/apps/${newsroom.app}/compose`);
    await arriveAt(tab, 'Compose');
    await press(tab, 'Send a test');
    expect(await errorAt(tab, 'Title')).toBe('Give it a title.');
    await fillField(tab, 'Title', 'The ferries stop');
    await fillField(tab, 'Text', 'From noon on.');
    await fillField(tab, 'Link', 'news.example.com/ferries');
    await press(tab, 'Send a test');
    await waitForText(tab, 'It is good for one browser and 15 minutes.');
    await lookAround('send-test-none');
    await openLink(1_024);
    await waitForText(tab, 'Chrome on Android is now a test browser.');
    await waitForText(tab, 'They get it now, as readers would.');
    await press(tab, 'Send test');
    await waitForText(tab, 'Accepted');
    const [sent] = await newsroom.stand.api.database.query<{ id: number }>(
      'SELECT id FROM deliveries WHERE test ORDER BY id DESC LIMIT 1',
    );
    const id = sent?.id ?? 0;
    await expect
      .poll(() => newsroom.read(id))
      .toMatchObject({ status: 'success', total_subscribers: 1, success_count: 1 });
    const shown = new Uint8Array(200);
    shown[128] = 1;
    newsroom.stand.api.analytics.reached.set(
      reachKey({ deliveryId: id as never, reach: 'displayed' }),
      shown,
    );
    await waitForText(tab, 'Displayed');
    await lookAround('send-test');
    // Not the note beside it that a browser was added, which may still be there.
    await click(tab, `[role=dialog] ${named('Close')}`);
    // Nothing of it is lost: it is sent to everyone from there.
    await press(tab, 'Send …');
    await press(tab, `Send to ${READERS.toLocaleString('en')} readers`);
    await arriveAt(tab, 'The ferries stop');

    await tab.goTo(`/apps/${newsroom.app}/deliveries/${id}`);
    await arriveAt(tab, 'The ferries stop');
    await waitForText(tab, 'Displayed');
    await lookAround('delivery-test');
    expect(tab.faults).toEqual([]);
  });

  it('are named, removed, and picked from the subscribers', async () => {
    const [reader] = await newsroom.stand.api.database.query<{ id: number }>(
      'SELECT id FROM subscriptions WHERE seq = 0',
    );
    await tab.goTo(`/apps/${newsroom.app}/subscribers/${reader?.id}`);
    await arriveAt(tab, `Subscriber ${reader?.id}`);
    await press(tab, 'Use for tests');
    await waitForText(tab, 'It is the test browser');
    await press(tab, 'Test browsers', 'link');
    await arriveAt(tab, 'App settings');
    await press(tab, 'Rename Chrome on Android');
    await fillField(tab, 'New name', 'The desk');
    await press(tab, 'Rename');
    await waitForText(tab, 'The desk');
    await lookAround('test-browsers');
    await press(tab, 'Remove The desk');
    await press(tab, 'Remove');
    await until('it to be removed', async () => {
      const rows = await newsroom.stand.api.database.query('SELECT 1 FROM test_browsers');
      return rows.length === 1;
    });
    await press(tab, 'Add a browser');
    await openLink(2_048);
    await waitForText(tab, 'Chrome on Android is now a test browser.');
    expect(tab.faults).toEqual([]);
  });
});
