// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browsers, lookOf, type Taken } from '../../api/dashboard/web/notification/preview/browsers.ts';
import { describeEachBrowser } from '../support/browsers/each-browser.ts';
import { roomOf } from '../support/browsers/firefox-alerts.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import type { Readers, ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, subscribeIn, type Visit } from '../support/browsers/visit.ts';

/** Everything that a notification can have. */
const whole = {
  body: 'Trains are cancelled.',
  icon: '/icon.png',
  badge: '/badge.png',
  image: '/storm.png',
  dir: 'rtl',
  actions: [
    { action: 'map', title: 'Map' },
    { action: 'live', title: 'Live' },
    { action: 'more', title: 'More' },
  ],
};
const taken = `navigator.serviceWorker.ready.then(async (registration) => {
  await registration.showNotification('Storm over the coast', ${JSON.stringify(whole)});
  const [found] = await registration.getNotifications();
  const taken = {
    icon: found.icon === new URL('/icon.png', location.href).href,
    badge: found.badge === new URL('/badge.png', location.href).href,
    image: found.image === new URL('/storm.png', location.href).href,
    dir: found.dir === 'rtl',
    actions: Math.min(Notification.maxActions ?? 0, found.actions?.length ?? 0),
  };
  found.close();
  return taken;
})`;

describeEachBrowser('the looks of the previews', ({ start, prepare, hasOwnPush }) => {
  let newsroom: Newsroom;
  let browser: Readers;
  let reader: Visit;
  let part: ReadersBrowser;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    putSdkOn(newsroom);
    browser = await start(newsroom);
    part = await browser.open();
    reader = await subscribeIn(part, newsroom, (page) => prepare(page, newsroom));
  });
  afterAll(async () => {
    await browser?.close();
    await newsroom?.stop();
  });

  it('claim for each browser of this maker what it keeps of a notification, and no more', async () => {
    const kept = (await reader.page.evaluate(taken)) as Taken;
    const rows = browsers.filter(({ maker }) =>
      hasOwnPush ? maker === 'firefox' : maker === 'chrome' || maker === 'edge',
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { id, takes } of rows) expect(takes, id).toEqual(kept);
  });

  if (!hasOwnPush) return;

  it('cut what Firefox on Linux cuts in its own window, which has no image and no buttons', async () => {
    const { open, buttons, image } = lookOf('firefox-linux');
    const title = 'Storm over the coast: ferries stop at noon, and trains are late for hours';
    const shown = { ...whole, dir: 'ltr', body: 'Trains are cancelled until Thursday. '.repeat(20) };
    await reader.page.evaluate(
      `navigator.serviceWorker.ready.then((found) =>
        found.showNotification(${JSON.stringify(title)}, ${JSON.stringify(shown)}))`,
    );
    const room = await roomOf(part, title);
    expect(room.body).toBe(open.body);
    // By the letters of the machine's own font.
    expect(Math.abs(room.title - open.title), String(room.title)).toBeLessThanOrEqual(6);
    expect(room.buttons).toHaveLength(buttons);
    expect([image, room.pictures.some((address) => address.includes('storm'))]).toEqual([null, false]);
  });
});
