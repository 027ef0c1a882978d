// tier: system
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { findingsIn, looks, lookWith } from './look.ts';
import { arriveAt, named, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

/** A month that is always to come: the browser's clock is this machine's, in UTC. */
const YEAR = new Date().getUTCFullYear() + 1;
const day = (date: number): string => `${YEAR}-03-${String(date).padStart(2, '0')}`;

describeBrowser('chromium', 'the calendar', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let call: ReturnType<typeof callAs>;
  let app: string;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    await tab.page.emulateTimezone('UTC');
    call = callAs(stand.api.app, opened.person);
  });
  afterAll(() => stand.close());
  beforeEach(async () => {
    app = String((await call('POST', '/apps', appBody())).json().data.identifier);
  });

  const schedule = async (name: string, at: string): Promise<number> => {
    const made = await call('POST', `/apps/${app}/deliveries`, deliveryBody({ name, scheduled_at: at }));
    expect(made.statusCode, made.body).toBe(201);
    return made.json().data.id;
  };
  const timeOf = async (id: number): Promise<string> =>
    (await call('GET', `/apps/${app}/deliveries/${id}`)).json().data.scheduled_at;
  const open = async (view: string, date: number): Promise<void> => {
    await tab.goTo(`/apps/${app}/calendar?view=${view}&day=${day(date)}`);
    await arriveAt(tab, 'Calendar');
  };
  /** As a mouse does it, with the browser's own drag and drop. */
  const drag = (name: string, to: string): Promise<unknown> =>
    tab.page.evaluate(`(() => {
      const from = [...document.querySelectorAll('[draggable=true]')].find((each) => each.textContent.includes(${JSON.stringify(name)}));
      const to = ${to};
      const dataTransfer = new DataTransfer();
      const fire = (element, type) =>
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      fire(from, 'dragstart');
      const isTaken = !fire(to, 'dragover');
      fire(to, 'drop');
      return isTaken;
    })()`);
  const cellOf = (date: number): string =>
    `document.querySelector('time[datetime="${day(date)}"]').closest('td')`;

  it('shows a month of what is scheduled and expected, and moves it to another day, and back', async () => {
    const id = await schedule('Briefing', `${day(10)}T18:30:00Z`);
    for (let n = 0; n < 6; n++) await schedule(`Item ${n}`, `${day(12)}T1${n}:00:00Z`);
    const plan = { kind: 'recurring', schedule: '30 7 * * 1', time_zone: 'UTC' };
    const notifications = [{ title: 'Week', body: 'Text', url: 'https://news.example.com/w' }];
    await call('POST', `/apps/${app}/campaigns`, { name: 'Mondays', notifications, plan });
    await open('month', 1);
    await waitForText(tab, 'Briefing');
    await waitForText(tab, 'Mondays');
    await waitForText(tab, '2 more');
    expect(await findingsIn(tab.page, `calendar-month`)).toEqual([]);
    await tab.page.waitForSelector('td time');

    expect(await drag('Briefing', cellOf(20))).toBe(true);
    await waitForText(tab, 'Briefing is scheduled for');
    expect(await timeOf(id)).toBe(`${day(20)}T18:30:00+00:00`);
    await press(tab, 'Undo');
    await expect.poll(() => timeOf(id)).toBe(`${day(10)}T18:30:00+00:00`);
    // A firing is the campaign's to move.
    expect(
      await tab.page.$$eval('[draggable=true]', (all) => all.map((each) => each.textContent ?? '')),
    ).not.toContainEqual(expect.stringContaining('Mondays'));
    expect(tab.faults).toEqual([]);
  });

  it('moves by hours in a week, not into the past, and not over somebody else’s change', async () => {
    const id = await schedule('Briefing', `${day(10)}T18:30:00Z`);
    await open('week', 10);
    await waitForText(tab, 'Briefing');
    expect(await findingsIn(tab.page, `calendar-week`)).toEqual([]);
    const nine = `document.querySelectorAll('tbody tr')[9].querySelectorAll('td')[2]`;
    await drag('Briefing', nine);
    await waitForText(tab, 'Briefing is scheduled for');
    expect(await timeOf(id)).toMatch(/T09:30:00\+00:00$/);
    const moved = await timeOf(id);

    // Somebody changes it; the page has not seen that yet.
    await call('PATCH', `/apps/${app}/deliveries/${id}`, { title: 'Another title' });
    await drag('Briefing', `document.querySelectorAll('tbody tr')[11].querySelectorAll('td')[3]`);
    await waitForText(tab, 'Somebody has changed the delivery meanwhile');
    expect(await timeOf(id)).toBe(moved);
  });

  it('moves by keyboard, says why it does not move into the past, and begins one for a day', async () => {
    const id = await schedule('Briefing', `${day(10)}T18:30:00Z`);
    await open('month', 1);
    await tab.page.waitForSelector(named('Move Briefing'));
    await tab.page.focus(named('Move Briefing'));
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForSelector(named('Move'));
    const set = (value: string): Promise<unknown> =>
      tab.page.evaluate(`(() => {
        const field = document.querySelector('input[type=datetime-local]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${value}');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    await set('2020-01-01T10:00');
    await press(tab, 'Move');
    await waitForText(tab, 'Choose a time in the future.');
    await set(`${day(11)}T08:15`);
    await press(tab, 'Move');
    await expect.poll(() => timeOf(id)).toBe(`${day(11)}T08:15:00+00:00`);

    await press(tab, `Write one for ${weekdayOf(15)}, March 15`, 'link');
    await arriveAt(tab, 'Compose');
    await tab.page.waitForSelector('input[type=datetime-local]');
    expect(
      await tab.page.$eval('input[type=datetime-local]', (field) => (field as { value?: string }).value),
    ).toBe(`${day(15)}T09:00`);
    expect(tab.faults).toEqual([]);
  });

  const inDays = (days: number, hour: number): Date => {
    const at = new Date(Date.now() + days * 86_400_000);
    at.setUTCHours(hour, 0, 0, 0);
    return at;
  };
  /** Buttons, links and fields that something lies over. */
  const covered = `[...document.querySelectorAll('header :is(a, button), main :is(a, button, input, select)')]
    .filter((each) => each.checkVisibility()).flatMap((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      return above?.closest('.mantine-Notifications-root') ? [each.outerHTML.slice(0, 120)] : [];
    })`;

  it('begins with what is to come, on a desk and on a phone', async () => {
    await schedule('Tomorrow’s briefing', inDays(1, 8).toISOString());
    await schedule('In three weeks', inDays(21, 8).toISOString());
    await tab.goTo(`/apps/${app}/calendar`);
    await arriveAt(tab, 'Calendar');
    await waitForText(tab, 'In three weeks');
    const first = await tab.page.$eval('td time', (each) => String((each as { dateTime?: string }).dateTime));
    expect(Date.parse(first)).toBeGreaterThan(Date.now() - 8 * 86_400_000);
    await press(tab, 'Previous month');
    await tab.page.waitForFunction(`location.search.includes('day=')`);
    await press(tab, 'Today');
    await waitForText(tab, 'In three weeks');
    await lookWith(tab.page, looks[2]);
    await waitForText(tab, 'Tomorrow’s briefing');
    const names = await tab.page.$$eval('main li a', (all) => all.map((each) => each.textContent ?? ''));
    expect(names.findIndex((name) => name.includes('Tomorrow'))).toBe(0);
    await lookWith(tab.page, looks[0]);
  });

  it('shows two lines of a long name, and nothing of a third', async () => {
    await schedule(
      'A very long name of a notification that no cell of a month has room for',
      `${day(10)}T18:30:00Z`,
    );
    await open('month', 1);
    await tab.page.waitForSelector('td a[href*="/deliveries/"]');
    const [shown, line] = (await tab.page.$eval('td a[href*="/deliveries/"]', (each) => {
      const name = each as unknown as { clientHeight: number };
      const { lineHeight } = (
        globalThis as never as { getComputedStyle(of: unknown): { lineHeight: string } }
      ).getComputedStyle(each);
      return [name.clientHeight, Number.parseFloat(lineHeight)];
    })) as [number, number];
    expect(shown).toBeGreaterThan(line);
    expect(shown).toBeLessThanOrEqual(Math.ceil(2 * line));
  });

  it.each([looks[0], looks[2], { name: 'wide', scheme: 'light', width: 1_440, height: 900 } as const])(
    'says what was moved where nothing is used, $name',
    async (look) => {
      const id = await schedule('Briefing', `${day(10)}T18:30:00Z`);
      await open('month', 1);
      await lookWith(tab.page, look);
      await press(tab, 'Move Briefing');
      await tab.page.waitForSelector('input[type=datetime-local]');
      await tab.page.evaluate(`(() => {
        const field = document.querySelector('input[type=datetime-local]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${day(11)}T08:15');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await press(tab, 'Move');
      await waitForText(tab, 'Briefing is scheduled for');
      await expect.poll(() => timeOf(id)).toBe(`${day(11)}T08:15:00+00:00`);
      expect(await tab.page.evaluate(covered)).toEqual([]);
      await lookWith(tab.page, looks[0]);
    },
  );

  const weekdayOf = (date: number): string =>
    new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date(day(date)));
});
