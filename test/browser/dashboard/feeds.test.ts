// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FeedServer, startFeedServer } from '../../api/client/campaigns/feed-server.ts';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
} from '../../support/engine-harness.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { axeFindings, keepScreenshot, looks, lookWith, overflows } from './look.ts';
import {
  arriveAt,
  click,
  errorAt,
  fillField,
  named,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

const narrow = { name: 'narrow', scheme: 'light', width: 360, height: 780 } as const;
const READERS = 12;

describeBrowser('chromium', 'feeds', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let token: string;
  let send: ReturnType<typeof callAs>;
  let server: FeedServer;
  let engine: EngineHarness;
  beforeAll(async () => {
    stand = await openStand(executable, { publicAddresses: loopbackAllowed });
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    ({ token } = opened.person);
    send = callAs(stand.api.app, opened.person);
    app = String((await send('POST', '/apps', appBody())).json().data.identifier);
    await buildSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), READERS);
    server = await startFeedServer();
    const sender = createFakeSender(() => 'accepted');
    engine = await startEngineHarness({ database: stand.api.database, logStore: createLogStore(), sender });
  });
  afterAll(async () => {
    await engine.close(500);
    await server.close();
    await stand.close();
  });

  const look = async (name: string): Promise<string[]> => {
    const findings: string[] = [];
    for (const each of [looks[0], looks[1], narrow]) {
      await lookWith(tab.page, each);
      findings.push(...(await axeFindings(tab.page)).map((finding) => `${each.name}: ${finding}`));
      if (await overflows(tab.page)) findings.push(`${each.name}: is wider than the window`);
      await keepScreenshot(tab.page, `${name}-${each.name}`);
    }
    await lookWith(tab.page, looks[0]);
    return findings;
  };
  const [stored, steps] = [
    async () => {
      const [row] = await stand.api.database.query<StoredFeed>(
        'SELECT id, status, name, step, next_step_at > now() AS rests, settings FROM campaigns ORDER BY id DESC LIMIT 1',
      );
      if (row === undefined) throw new Error('there is no feed');
      return row;
    },
    async () => (await stored()).step,
  ];
  interface StoredFeed {
    readonly id: number;
    readonly status: string;
    readonly name: string;
    readonly step: number;
    readonly rests: boolean;
    readonly settings: {
      readonly plan: Readonly<Record<string, unknown>>;
      readonly options: Readonly<Record<string, unknown>>;
    };
  }
  const lookNow = async (): Promise<void> => {
    await expect.poll(async () => (await stored()).rests).toBe(true);
    const before = await steps();
    await stand.api.database.query('UPDATE campaigns SET next_step_at = now() WHERE id = $1', [
      (await stored()).id,
    ]);
    await expect.poll(steps).toBeGreaterThan(before);
  };

  /** As the first test starts one on the page: it waits for an editor, and its first check is over. */
  const startFeed = async (): Promise<string> => {
    server.answer = null;
    server.items = [
      { name: 'Parliament votes', category: 'Politics' },
      { name: 'Cup final', category: 'Sport' },
    ];
    const plan = {
      ...{ kind: 'feed', url: server.url, every_minutes: 5, publish: 'review' },
      ...{ mapping: { title: '{category}: {title}' }, filter: { categories: ['Sport'] } },
    };
    // As the page asks, at the API's own address, where the images of its items will be.
    const made = await fetch(`${stand.url}/api/v1/client/apps/${app}/campaigns`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Sport', plan }),
    });
    expect(made.status).toBe(201);
    await expect.poll(async () => (await stored()).rests).toBe(true);
    return `/apps/${app}/campaigns/${(await stored()).id}`;
  };
  /** In px, of what is pressed or typed into in a list of tags: axe excuses less than 24 with some fonts. */
  const tagHeights = `[...document.querySelectorAll('.mantine-PillsInputField-field, .mantine-Pill-remove')].map(
    (each) => each.getBoundingClientRect().height)`;

  it('are started after a check of what would be sent, or say why they cannot be read', async () => {
    server.items = [
      { name: 'Parliament votes', category: 'Politics' },
      { name: 'Cup final', category: 'Sport' },
    ];
    await tab.goTo(`/apps/${app}/campaigns`);
    await arriveAt(tab, 'Campaigns');
    await press(tab, 'New feed', 'link');
    await arriveAt(tab, 'New feed');
    await press(tab, 'Start the feed');
    expect(await errorAt(tab, 'URL of the feed')).toBe('Enter the URL of the feed.');
    await fillField(tab, 'URL of the feed', `${server.url}/../page`);
    server.answer = { status: 200, body: '<html><body>Home</body></html>' };
    await waitForText(tab, 'The feed cannot be read');
    await waitForText(tab, 'Look for “RSS” or “Feed” on the site');
    server.answer = null;
    await fillField(tab, 'URL of the feed', server.url);
    await waitForText(tab, '“News” has 2 items now.');
    await fillField(tab, 'Title', '{category}: {title}');
    await tab.page.waitForFunction(
      `document.querySelector('figure')?.innerText.includes('Politics: Parliament votes')`,
    );
    await fillField(tab, 'Only in one of these categories', 'Sport');
    await tab.page.keyboard.press('Enter');
    await waitForText(tab, 'your filter lets 1 through');
    await tab.page.waitForFunction(
      `document.querySelector('figure')?.innerText.includes('Sport: Cup final')`,
    );
    const heights = (await tab.page.evaluate(tagHeights)) as number[];
    expect(heights.length).toBeGreaterThan(1);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    expect(await look('feed-new')).toEqual([]);
    await press(tab, 'Start the feed');
    await arriveAt(tab, new URL(server.url).host);
    await waitForText(tab, 'Nothing is waiting for you.');
    expect((await stored()).settings.plan).toMatchObject({
      url: server.url,
      publish: 'review',
      filter: { categories: ['Sport'] },
    });
    expect(tab.faults).toEqual([]);
  });

  it('wait for an editor, who sends an item with other words and dismisses another', async () => {
    const page = await startFeed();
    server.items = [
      { name: 'Late goal', category: 'Sport', image: '/image.png' },
      { name: 'Coach leaves', category: 'Sport' },
      ...server.items,
    ];
    await lookNow();
    await tab.goTo(page);
    await waitForText(tab, '2 drafts are waiting for your decision.');
    expect(await look('feed-drafts')).toEqual([]);
    await tab.goTo(`/apps/${app}`);
    await waitForText(tab, 'has 2 drafts waiting for your decision.');
    await keepScreenshot(tab.page, 'overview-needs');
    await tab.goTo(page);
    await press(tab, 'Approve …: Sport: Late goal');
    await waitForText(tab, `It goes to ${READERS} readers.`);
    await fillField(tab, 'Title', 'Goal in the last minute');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'feed-approve');
    await press(tab, 'Send it now');
    await waitForText(tab, 'One draft is waiting for your decision.');
    await press(tab, 'Dismiss: Sport: Coach leaves');
    await press(tab, 'Dismiss it');
    await waitForText(tab, 'Nothing is waiting for you.');
    await expect
      .poll(() => stand.api.database.query('SELECT title, success_count AS sent, status FROM deliveries'))
      .toEqual([{ title: 'Goal in the last minute', sent: READERS, status: 'success' }]);
    expect(tab.faults).toEqual([]);
  });

  it('are changed while they run, keep what the form does not show, and say how they broke', async () => {
    const page = await startFeed();
    const { id, settings } = await stored();
    const plan = { kind: 'feed', url: server.url, every_minutes: 7, publish: 'review' };
    const given = { name: 'Sport', topic: 'sport', ttl_seconds: 900, plan };
    expect((await send('PUT', `/apps/${app}/campaigns/${id}`, given)).statusCode).toBe(200);
    await tab.goTo(page);
    await arriveAt(tab, 'Sport');
    await press(tab, 'Change', 'link');
    await arriveAt(tab, 'Change the feed');
    await tab.page.waitForFunction(
      `[...document.querySelectorAll('main input')].some(({ value }) => value === '7 minutes')`,
    );
    await press(tab, 'Sent automatically', 'radio');
    await click(tab, '::-p-xpath(//label[normalize-space()="As a digest"])');
    expect(await look('feed-change')).toEqual([]);
    await press(tab, 'Save');
    await arriveAt(tab, 'Sport');
    await waitForText(tab, 'Monday to Friday at 6:00 PM');
    const changed = (await stored()).settings;
    expect(changed.plan).toMatchObject({ publish: 'automatic', digest: { cron: '0 18 * * 1-5' } });
    expect(changed.options).toMatchObject({ topic: 'sport', ttlSeconds: 900 });
    expect(settings.options).not.toMatchObject({ topic: 'sport' });
    expect((await send('PUT', `/apps/${app}/campaigns/${id}`, given)).statusCode).toBe(200);
    server.answer = { status: 404, body: '' };
    await lookNow();
    await tab.page.reload();
    await waitForText(tab, 'The feed answered 404.');
    expect(await look('feed-broken')).toEqual([]);
    await press(tab, 'Duplicate', 'link');
    await arriveAt(tab, 'New feed');
    await waitForText(tab, 'The feed cannot be read');
    expect(await tab.page.evaluate(`document.querySelector('main input').value`)).toBe(server.url);
    await tab.page.waitForSelector(named('Start the feed'));
    expect(tab.faults).toEqual([]);
  });
});
