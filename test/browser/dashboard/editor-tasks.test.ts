// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FeedServer, startFeedServer } from '../../api/client/campaigns/feed-server.ts';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { inFocus, openCommands, takeCommand } from './hands.ts';
import { keepScreenshot, looks, lookWith, overflows } from './look.ts';
import { arriveAt, openAs, openStand, type Stand, type Tab, waitForText } from './stand.ts';

/** Keys beside the letters of a text. At two a second, and with the texts typed at five letters a second: a minute. */
const MOST_KEYS = 70;

/** Six tasks of an editor's day, by keyboard alone: no mouse, and no focus that a person would not set. */
describeBrowser('chromium', 'an editor without a mouse', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let server: FeedServer;
  let call: ReturnType<typeof callAs>;
  let keys = 0;
  beforeAll(async () => {
    stand = await openStand(executable, { publicAddresses: loopbackAllowed });
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    call = callAs(stand.api.app, opened.person);
    app = String((await call('POST', '/apps', appBody())).json().data.identifier);
    await buildSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), 30);
    await tab.goTo('/');
    server = await startFeedServer();
    server.items = [{ name: 'Parliament votes' }];
  });
  afterAll(async () => {
    await server.close();
    await stand.close();
  });

  const press = async (key: 'Tab' | 'Enter' | 'Space' | 'ArrowRight' | 'ArrowDown'): Promise<void> => {
    keys++;
    await tab.page.keyboard.press(key);
  };
  /** Tab by tab. */
  const goTo = async (name: string): Promise<void> => {
    for (let stops = 0; stops < 40; stops++) {
      if (
        String(await tab.page.evaluate(inFocus))
          .replace(/ \*$/, '')
          .startsWith(name)
      )
        return;
      await press('Tab');
    }
    throw new Error(`no Tab leads to ${name}`);
  };
  const type = async (field: string, text: string): Promise<void> => {
    await goTo(field);
    await tab.page.keyboard.type(text);
  };
  const begin = async (path: string, heading: string): Promise<void> => {
    keys = 0;
    await tab.goToAnew(`/apps/${app}${path}`);
    await arriveAt(tab, heading);
  };
  const last = async () => {
    const [row] = await stand.api.database.query<{ kind: string; settings: Settings }>(
      'SELECT kind, settings FROM campaigns ORDER BY id DESC LIMIT 1',
    );
    return row;
  };
  const lastDelivery = async () => {
    const [row] = await stand.api.database.query<{ id: number; name: string; status: string }>(
      'SELECT id::int, name, status FROM deliveries WHERE campaign_id IS NULL ORDER BY id DESC LIMIT 1',
    );
    return row;
  };
  const command = async (text: string): Promise<void> => {
    keys += 3;
    await openCommands(tab);
    await takeCommand(tab, text);
  };
  interface Settings {
    readonly contents: readonly { readonly title: string }[];
    readonly plan: Readonly<Record<string, unknown>>;
  }

  it.each([looks[0], looks[2]])(
    'tests three titles and names no winner before the clicks do, $name',
    async (look) => {
      await lookWith(tab.page, look);
      await begin('/compose', 'Compose');
      await type('Title', 'Storm hits the coast');
      await type('Text', 'What to know');
      await type('Link', 'https://news.example.com/storm');
      await tab.page.keyboard.down('Shift');
      await goTo('Add a variant');
      await tab.page.keyboard.up('Shift');
      await press('Enter');
      await tab.page.waitForFunction(`${inFocus} === 'Title *'`);
      await tab.page.keyboard.type('Trains stop at noon');
      await goTo('Add a variant');
      await press('Enter');
      await tab.page.waitForFunction(`${inFocus} === 'Title *'`);
      await tab.page.keyboard.type('Is your street flooded?');
      await goTo('Test …');
      await press('Enter');
      await tab.page.waitForSelector('[role=dialog]');
      await goTo('Start the test');
      await press('Enter');
      await arriveAt(tab, 'Storm hits the coast');
      expect(keys).toBeLessThan(MOST_KEYS);
      expect(await last()).toMatchObject({ kind: 'ab_test', settings: { contents: { length: 3 } } });
      expect(await overflows(tab.page)).toBe(false);
    },
  );

  it.each([looks[0], looks[2]])(
    'sends a morning briefing at 07:30 where the reader is, $name',
    async (look) => {
      await lookWith(tab.page, look);
      await begin('/compose', 'Compose');
      await type('Title', 'Morning briefing');
      await type('Text', 'Five stories');
      await type('Link', 'https://news.example.com/today');
      await goTo('Send now');
      await press('ArrowRight');
      await press('ArrowRight');
      await goTo('Date and time');
      const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
      const [year, month, date] = day.split('-');
      await tab.page.keyboard.type(`${month}${date}${year}`);
      await press('Tab');
      await tab.page.keyboard.type('0730AM');
      await waitForText(tab, '30 readers in ');
      await keepScreenshot(tab.page, `editor-briefing-${look?.name}`);
      await goTo('Schedule …');
      await press('Enter');
      await tab.page.waitForSelector('[role=dialog]');
      await goTo('Schedule it');
      await press('Enter');
      await arriveAt(tab, 'Morning briefing');
      expect(keys).toBeLessThan(MOST_KEYS);
      expect((await last())?.settings.plan).toMatchObject({
        kind: 'local_time',
        at: { date: day, time: '07:30' },
      });
    },
  );

  it.each([looks[0], looks[2]])('starts a feed on review, $name', async (look) => {
    await lookWith(tab.page, look);
    await begin('/feeds/new', 'New feed');
    await type('URL of the feed', server.url);
    await waitForText(tab, '“News” has 1 item now.');
    await keepScreenshot(tab.page, `editor-feed-${look?.name}`);
    await press('Enter');
    await waitForText(tab, 'Nothing is waiting for you.');
    expect(keys).toBeLessThan(MOST_KEYS);
    expect((await last())?.settings.plan).toMatchObject({ url: server.url, publish: 'review' });
    expect(tab.faults).toEqual([]);
  });

  it.each([looks[0], looks[2]])('sends breaking news, $name', async (look) => {
    await lookWith(tab.page, look);
    const title = `The bridge is closed, ${look?.name}`;
    await begin('/compose', 'Compose');
    await type('Title', title);
    await type('Text', 'Until further notice');
    await type('Link', `https://news.example.com/bridge-${look?.name}`);
    await tab.page.keyboard.down('Control');
    await press('Enter');
    await tab.page.keyboard.up('Control');
    await waitForText(tab, 'It goes to 30 readers.');
    await goTo('Send to 30 readers');
    await press('Enter');
    await arriveAt(tab, title);
    expect(keys).toBeLessThan(MOST_KEYS);
    expect(await lastDelivery()).toMatchObject({ name: title, status: 'pending' });
  });

  it.each([looks[0], looks[2]])('makes a segment of readers in two countries, $name', async (look) => {
    await lookWith(tab.page, look);
    await begin('/segments/new', 'New segment');
    await type('Name', `Neighbours, ${look?.name}`);
    await goTo('Values');
    for (const country of ['Germany', 'Austria']) {
      await tab.page.keyboard.type(country);
      await press('Enter');
    }
    await goTo('Create segment');
    await press('Enter');
    await arriveAt(tab, 'Segments');
    expect(keys).toBeLessThan(MOST_KEYS);
    const [segment] = await stand.api.database.query<{ name: string; rules: object }>(
      'SELECT name, rules FROM segments ORDER BY id DESC LIMIT 1',
    );
    expect(segment).toEqual({
      name: `Neighbours, ${look?.name}`,
      rules: { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE', 'AT'] }] },
    });
  });

  it.each([looks[0], looks[2]])('finds what is scheduled and cancels it, $name', async (look) => {
    await lookWith(tab.page, look);
    const title = `Ferries, ${look?.name}`;
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const body = deliveryBody({ name: title, title, scheduled_at: at });
    const made = await call('POST', `/apps/${app}/deliveries`, body);
    expect(made.statusCode, made.body).toBe(201);
    await begin('', 'Example News');
    await command(title);
    await arriveAt(tab, title);
    await command('Cancel this');
    await waitForText(tab, 'It will not be sent.');
    await goTo('Cancel delivery');
    await press('Enter');
    await waitForText(tab, 'Delivery cancelled.');
    expect(keys).toBeLessThan(MOST_KEYS);
    expect(await lastDelivery()).toMatchObject({ id: made.json().data.id, status: 'cancelled' });
    expect(tab.faults).toEqual([]);
  });
});
