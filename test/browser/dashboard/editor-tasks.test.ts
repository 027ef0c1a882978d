// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FeedServer, startFeedServer } from '../../api/client/campaigns/feed-server.ts';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import { isThorough } from '../../support/cases.ts';
import { loopbackAllowed } from '../../support/images.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { type Hands, keyboardHands, touchHands } from './hands.ts';
import { keepScreenshot, looks, lookWith, overflows } from './look.ts';
import { arriveAt, openAs, openStand, type Stand, type Tab, waitForText } from './stand.ts';

/**
 * What each task may take: keys besides the letters of its texts, and taps. A change that makes a task longer fails here;
 * one that makes it shorter lowers the number.
 */
const most = {
  test: [101, 7],
  briefing: [50, 7],
  feed: [28, 1],
  breaking: [36, 5],
  segment: [39, 5],
  cancel: [6, 5],
  draft: [96, 9],
  correction: [38, 4],
} as const;

const ways = [
  { name: 'by keyboard', look: looks[0], handsOf: keyboardHands, at: 0 },
  { name: 'on a phone', look: looks[2], handsOf: touchHands, at: 1 },
] as const;
type Way = (typeof ways)[number];
let tasks = 0;
/** For one more task: in a quick run every other one has the keyboard, the rest the thumb. */
const waysNext = (): readonly Way[] => {
  const turn = tasks++ % 2;
  return isThorough ? ways : ways.slice(turn, turn + 1);
};

/** Eight tasks of an editor's day, by keyboard alone and by thumb alone: no focus that a person would not set. */
describeBrowser('chromium', 'an editor without a mouse', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let server: FeedServer;
  let call: ReturnType<typeof callAs>;
  let pressed = 0;
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

  const begin = async ({ look, handsOf }: Way, path: string, heading: string): Promise<Hands> => {
    await lookWith(tab.page, look);
    await tab.goToAnew(`/apps/${app}${path}`);
    await arriveAt(tab, heading);
    pressed = 0;
    return await handsOf(tab, () => {
      pressed++;
    });
  };
  const took = async (task: keyof typeof most, { name, at }: Way): Promise<void> => {
    expect(pressed, `${task} ${name}`).toBeLessThanOrEqual(most[task][at]);
    expect(await overflows(tab.page)).toBe(false);
    expect(tab.faults).toEqual([]);
  };
  const write = async (hands: Hands, title: string): Promise<void> => {
    await hands.write('Title', title);
    await hands.write('Text', 'What to know');
    await hands.write('Link', `https://news.example.com/${encodeURIComponent(title)}`);
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
  interface Settings {
    readonly contents: readonly { readonly title: string }[];
    readonly plan: Readonly<Record<string, unknown>>;
  }

  it.each(waysNext())('tests three titles and names no winner before the clicks do, $name', async (way) => {
    const hands = await begin(way, '/compose', 'Compose');
    await write(hands, 'Storm hits the coast');
    for (const title of ['Trains stop at noon', 'Is your street flooded?']) {
      await hands.pressBefore('Add a variant');
      await tab.page.waitForFunction(`document.activeElement.dataset.path?.endsWith('title')`);
      await hands.writeHere(title);
    }
    await hands.press('Test …');
    await tab.page.waitForSelector('[role=dialog]');
    await hands.press('Start the test');
    await arriveAt(tab, 'Storm hits the coast');
    expect(await last()).toMatchObject({ kind: 'ab_test', settings: { contents: { length: 3 } } });
    await took('test', way);
  });

  it.each(waysNext())('sends a morning briefing at 07:30 where the reader is, $name', async (way) => {
    const hands = await begin(way, '/compose', 'Compose');
    await write(hands, 'Morning briefing');
    await hands.choose('Local time');
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await hands.writeTime('Date and time', `${day}T07:30`);
    await waitForText(tab, '30 readers in ');
    await keepScreenshot(tab.page, `editor-briefing-${way.look.name}`);
    await hands.press('Schedule …');
    await tab.page.waitForSelector('[role=dialog]');
    await hands.press('Schedule it');
    await arriveAt(tab, 'Morning briefing');
    expect((await last())?.settings.plan).toMatchObject({
      kind: 'local_time',
      at: { date: day, time: '07:30' },
    });
    await took('briefing', way);
  });

  it.each(waysNext())('starts a feed on review, $name', async (way) => {
    const hands = await begin(way, '/feeds/new', 'New feed');
    await hands.write('URL of the feed', server.url);
    await waitForText(tab, '“News” has 1 item now.');
    await keepScreenshot(tab.page, `editor-feed-${way.look.name}`);
    await tab.page.keyboard.press('Enter');
    await waitForText(tab, 'Nothing is waiting for you.');
    expect((await last())?.settings.plan).toMatchObject({ url: server.url, publish: 'review' });
    await took('feed', way);
  });

  it.each(waysNext())('sends breaking news, $name', async (way) => {
    const title = `The bridge is closed, ${way.name}`;
    const hands = await begin(way, '/compose', 'Compose');
    await write(hands, title);
    await hands.submit('Send …');
    await waitForText(tab, 'It goes to 30 readers.');
    await hands.press('Send to 30 readers');
    await arriveAt(tab, title);
    expect(await lastDelivery()).toMatchObject({ name: title, status: 'pending' });
    await took('breaking', way);
  });

  it.each(waysNext())('makes a segment of readers in two countries, $name', async (way) => {
    const name = `Neighbours, ${way.name}`;
    const hands = await begin(way, '/segments/new', 'New segment');
    await hands.write('Name', name);
    await hands.writeSeveral('Values', ['Germany', 'Austria']);
    await hands.press('Create segment');
    await arriveAt(tab, 'Segments');
    const [segment] = await stand.api.database.query<{ name: string; rules: object }>(
      'SELECT name, rules FROM segments ORDER BY id DESC LIMIT 1',
    );
    expect(segment).toEqual({
      name,
      rules: { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE', 'AT'] }] },
    });
    await took('segment', way);
  });

  it.each(waysNext())('finds what is scheduled and cancels it, $name', async (way) => {
    const title = `Ferries, ${way.name}`;
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const body = deliveryBody({ name: title, title, scheduled_at: at });
    const made = await call('POST', `/apps/${app}/deliveries`, body);
    expect(made.statusCode, made.body).toBe(201);
    const hands = await begin(way, '', 'Example News');
    await hands.command(title);
    await arriveAt(tab, title);
    await hands.command('Cancel this');
    await waitForText(tab, 'It will not be sent.');
    await hands.press('Cancel delivery');
    await waitForText(tab, 'Delivery cancelled.');
    expect(await lastDelivery()).toMatchObject({ id: made.json().data.id, status: 'cancelled' });
    await took('cancel', way);
  });

  it.each(waysNext())('keeps an idea as a draft and schedules it later, $name', async (way) => {
    const title = `Museum night, ${way.name}`;
    const hands = await begin(way, '/compose', 'Compose');
    await write(hands, title);
    await hands.press('Save as draft');
    await waitForText(tab, `Team draft: ${title}.`);
    await tab.goToAnew(`/apps/${app}/drafts`);
    await arriveAt(tab, 'Drafts');
    await hands.press(title, 'link');
    await arriveAt(tab, 'Compose');
    await hands.choose('Schedule');
    const at = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await hands.writeTime('Date and time', `${at.slice(0, 10)}T09:30`);
    await hands.submit('Schedule …');
    await tab.page.waitForSelector('[role=dialog]');
    await hands.press('Schedule it');
    await arriveAt(tab, title);
    expect(await lastDelivery()).toMatchObject({ name: title, status: 'scheduled' });
    await took('draft', way);
  });

  it.each(waysNext())('corrects what was wrong, $name', async (way) => {
    const title = `The ferries stop, ${way.name}`;
    const made = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ name: title, title }));
    await stand.api.database.query(
      `UPDATE deliveries SET status = 'success', started_at = now(), completed_at = now(), total_subscribers = 30,
         success_count = 30 WHERE id = $1`,
      [made.json().data.id],
    );
    const hands = await begin(way, '', 'Example News');
    await hands.press(title, 'link');
    await arriveAt(tab, title);
    await hands.press('Correct');
    await hands.write('Title', `The ferries sail, ${way.name}`);
    await hands.press('Send correction');
    await arriveAt(tab, `Correction: ${title}`);
    expect(await lastDelivery()).toMatchObject({ name: `Correction: ${title}` });
    await took('correction', way);
  });
});
