// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { appBody, callAs } from '../../api/support.ts';
import { buildPastDelivery, dayBefore } from '../../support/analytics-rows.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { keepScreenshot, lookWith, someLooks } from './look.ts';
import { arriveAt, openAs, openStand, type Stand, type Tab, waitForText } from './stand.ts';

const looks = [
  { name: 'light', scheme: 'light', width: 1440, height: 900 },
  { name: 'dark', scheme: 'dark', width: 1440, height: 900 },
  { name: 'phone', scheme: 'light', width: 390, height: 844 },
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844 },
] as const;

describeBrowser('chromium', 'readers’ reactions in the dashboard', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let id: DeliveryId;

  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'admin' });
    tab = opened.tab;
    const { database, analytics } = stand.api;
    app = (await callAs(stand.api.app, opened.person)('POST', '/apps', appBody())).json().data.identifier;
    const [row] = await database.query<{ id: number }>('SELECT id FROM apps WHERE identifier = $1', [app]);
    id = await buildPastDelivery(database, { id: row?.id } as never, { daysAgo: 0, accepted: 116_011 });
    await database.query(
      `UPDATE deliveries SET started_at = now(), total_subscribers = 116011, name = 'Morning' WHERE id = $1`,
      [id],
    );
    const unproven = { displayed: 12, clicked: 3, closed: 0 };
    analytics.reactions.set(id, { displayed: 92_808, clicked: 4_640, closed: 30_112, unproven });
    analytics.clicks.set(id, 4_640);
    analytics.ended.set(id, { accepted: 116_000, failed: 0 });
    analytics.serviceTotals = [
      { day: dayBefore(0), service: 'fcm', accepted: 81_020, failed: 402, retried: 12, throttled: 9 },
      { day: dayBefore(0), service: 'mozilla', accepted: 22_418, failed: 121, retried: 0, throttled: 0 },
      { day: dayBefore(0), service: 'apple', accepted: 12_562, failed: 192, retried: 3, throttled: 0 },
    ];
  });
  afterAll(() => stand.close());

  /** Of each stage, its text, and how much of its place its bar takes. */
  const stages = () =>
    tab.page.evaluate(`[...document.querySelectorAll('ol[aria-label="Readers, stage by stage"] > li')].map((li) => {
      const place = li.querySelector('[aria-hidden]').getBoundingClientRect();
      const bar = li.querySelector('[aria-hidden] > *').getBoundingClientRect();
      return { text: li.innerText.replaceAll(/\\s+/g, ' ').trim(), share: bar.width / place.width,
        starts: Math.round(bar.left - place.left), at: Math.round(place.left), width: Math.round(place.width) };
    })`) as Promise<{ text: string; share: number; starts: number; at: number; width: number }[]>;
  const goTo = async (path: string, heading: string): Promise<void> => {
    await tab.goTo(`/apps/${app}/${path}`);
    await arriveAt(tab, heading);
    await tab.page.waitForSelector('ol[aria-label="Readers, stage by stage"]');
  };

  it('is drawn on a delivery’s page: four bars from one line, each as long as its share of those accepted', async () => {
    await goTo(`deliveries/${id}`, 'Morning');
    const drawn = await stages();
    expect(drawn.map(({ text }) => text)).toEqual([
      'Accepted 116,011 100% of accepted',
      'Displayed 92,808 80% of accepted',
      'Clicked 4,640 4% of accepted 5% of displayed',
      'Closed 30,112 26% of accepted 32.4% of displayed',
    ]);
    for (const [index, count] of [116_011, 92_808, 4_640, 30_112].entries()) {
      expect(drawn[index]?.share).toBeCloseTo(count / 116_011, 2);
      expect(drawn[index]?.starts).toBe(0);
    }
    await waitForText(tab, 'not counted above: 12 displayed, 3 clicked, 0 closed');
    expect(tab.faults).toEqual([]);
  });

  it.each(['deliveries', 'analytics'])(
    'fits every window on the page of %s, light and dark',
    async (page) => {
      const [path, heading] =
        page === 'analytics' ? ['analytics', 'Analytics'] : [`deliveries/${id}`, 'Morning'];
      for (const look of someLooks) {
        await lookWith(tab.page, look);
        await goTo(path, heading);
        const overflow = await tab.page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        const places = new Set((await stages()).map(({ at, width }) => `${at} ${width}`));
        expect([look.name, overflow, places.size]).toEqual([look.name, 0, 1]);
        await keepScreenshot(tab.page, `funnel-${page}-${look.name}`);
      }
      expect(tab.faults).toEqual([]);
    },
  );

  it('is in analytics with each push service’s accepted messages, and the ones not recorded yet', async () => {
    await lookWith(tab.page, looks[0]);
    await goTo('analytics', 'Analytics');
    const rows =
      await tab.page.evaluate(`[...document.querySelectorAll('section[aria-label="Push services"] tr')]
      .map((row) => [...row.cells].map((cell) => cell.textContent.replaceAll(/\\s+/g, ' ')))`);
    expect(rows).toEqual([
      ['Push service', 'Accepted', 'Failed', 'Retried', 'Acceptance rate'],
      ['Google', '81,020', '402', '12', '99.5%'],
      ['Mozilla', '22,418', '121', '0', '99.5%'],
      ['Apple', '12,562', '192', '3', '98.5%'],
    ]);
    await waitForText(tab, '11 messages more have ended');
    expect((await stages())[1]?.text).toBe('Displayed 92,808 80% of accepted');
  });

  it('is shown as unknown while ClickHouse is unavailable, and the rest of the page appears', async () => {
    stand.api.analytics.away = true;
    await tab.goTo(`/apps/${app}/deliveries/${id}`);
    await arriveAt(tab, 'Morning');
    await waitForText(tab, 'cannot be counted right now');
    await waitForText(tab, '116,011');
    await tab.goTo(`/apps/${app}/deliveries`);
    await waitForText(tab, 'Hello');
    stand.api.analytics.away = false;
  });
});
