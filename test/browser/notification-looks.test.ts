// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browsers, type Taken } from '../../api/dashboard/web/notification/preview/browsers.ts';
import { describeEachBrowser } from '../support/browsers/each-browser.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import type { Readers } from '../support/browsers/readers.ts';
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
  beforeAll(async () => {
    newsroom = await startNewsroom();
    putSdkOn(newsroom);
    browser = await start(newsroom);
    reader = await subscribeIn(await browser.open(), newsroom, (page) => prepare(page, newsroom));
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
});
