// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, findingsIn, keepScreenshots } from './look.ts';
import {
  arriveAt,
  errorAt,
  fillField,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

describeBrowser('chromium', 'a scheduled notification', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let send: ReturnType<typeof callAs>;
  let app: string;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    send = callAs(stand.api.app, opened.person);
    app = String((await send('POST', '/apps', appBody())).json().data.identifier);
  });
  afterAll(() => stand.close());

  const schedule = async (): Promise<number> => {
    const body = deliveryBody({ name: 'Evening', scheduled_at: '2999-01-31T18:00:00Z' });
    const { id } = (await send('POST', `/apps/${app}/deliveries`, body)).json().data;
    await tab.goTo(`/apps/${app}/deliveries/${id}`);
    await arriveAt(tab, 'Evening');
    return id;
  };
  const read = async (id: number) => (await send('GET', `/apps/${app}/deliveries/${id}`)).json().data;
  /** The browser draws the field itself: typed as its value, in any display order. */
  const setTime = (value: string): Promise<unknown> =>
    tab.page.evaluate(`(() => {
      const input = document.querySelector('input[type=datetime-local]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);

  it('is changed on its page until it starts, and shows what it said before', async () => {
    const id = await schedule();
    await press(tab, 'Change');
    await fillField(tab, 'Title', 'Good evening');
    await setTime('2020-01-31T18:00');
    await press(tab, 'Save');
    expect(await errorAt(tab, 'Date and time')).toBe('Choose a time in the future.');
    await setTime('2999-02-01T19:30');
    expect(await findingsIn(tab.page, `change`)).toEqual([]);
    await press(tab, 'Save');
    await waitForText(tab, 'Earlier versions');
    await waitForText(tab, 'What it said before it was changed.');
    expect(await read(id)).toMatchObject({ title: 'Good evening', changes: 1 });
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshots(tab.page, `changed`);
  });

  it('is not changed over what somebody else changed meanwhile', async () => {
    const id = await schedule();
    await press(tab, 'Change');
    await fillField(tab, 'Title', 'Mine');
    await send('PATCH', `/apps/${app}/deliveries/${id}`, { title: 'Theirs' });
    await press(tab, 'Save');
    await waitForText(tab, 'Somebody has changed the delivery meanwhile');
    expect(await read(id)).toMatchObject({ title: 'Theirs', changes: 1 });
  });

  it('is sent now, once one has said so twice', async () => {
    const id = await schedule();
    await press(tab, 'Send now');
    await waitForText(tab, 'It is sent now instead of at its time.');
    await tab.page.locator('[role=dialog] button[type=submit]').click();
    await waitForText(tab, 'It is being sent.');
    expect(await read(id)).toMatchObject({ status: 'pending', scheduled_at: null });
  });
});
