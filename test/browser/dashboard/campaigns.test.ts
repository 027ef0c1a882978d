// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { findingsIn, looks } from './look.ts';
import { type Newsroom, openNewsroom, READERS } from './newsroom.ts';
import { arriveAt, click, errorAt, fillField, named, press, type Tab, waitForText } from './stand.ts';

const narrow = { name: 'narrow', scheme: 'dark', width: 360, height: 780 } as const;

describeBrowser('chromium', 'campaigns', (executable) => {
  let newsroom: Newsroom;
  let tab: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    ({ tab } = newsroom);
  });
  afterAll(() => newsroom.close(), 60_000);

  const compose = async (title: string): Promise<void> => {
    await tab.goToAnew(`/apps/${newsroom.app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', title);
    await fillField(tab, 'Text', 'What to know before noon.');
    await fillField(tab, 'Link', `news.example.com/${encodeURIComponent(title)}`);
  };
  const choose = (label: string) => click(tab, `::-p-xpath(//label[normalize-space()="${label}"])`);
  const pick = async (field: string, option: string): Promise<void> => {
    await click(tab, named(field, 'combobox'));
    await press(tab, option, 'option');
  };
  /** Times of an input that the browser draws itself: set as its value, in any display order. */
  const setTime = (type: string, value: string): Promise<unknown> =>
    tab.page.evaluate(`(() => {
      const input = document.querySelector('main input[type="${type}"]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  const stored = async (name: string) => {
    const rows = await newsroom.stand.api.database.query<{ id: number; status: string; settings: Settings }>(
      'SELECT id, status, settings FROM campaigns WHERE name = $1 ORDER BY id DESC LIMIT 1',
      [name],
    );
    return rows[0];
  };
  interface Settings {
    readonly contents: readonly { readonly title: string; readonly url: string }[];
    readonly plan: Readonly<Record<string, unknown>>;
  }
  /** @returns what axe finds, on a desk and on a small phone. */
  const look = (name: string): Promise<string[]> => findingsIn(tab.page, name, [looks[0], narrow]);

  it('tests three titles, and the editor sends the winner to all others', async () => {
    await compose('Storm hits the coast');
    await press(tab, 'Add a variant');
    await fillField(tab, 'Title', 'Trains stop at noon');
    await press(tab, 'Add a variant');
    await tab.page.waitForSelector(named('Variant 3', 'tab'));
    await press(tab, 'Test …');
    // The variant without a title is the one that is shown, with its error.
    expect(await errorAt(tab, 'Title')).toBe('Give it a title.');
    await fillField(tab, 'Title', 'Is your street flooded?');
    await pick('Test share', '50%');
    await pick('Winner', 'I choose');
    await waitForText(tab, `Now: 3 variants, about ${READERS / 6} readers each`);
    await press(tab, 'Variant 2', 'tab');
    await tab.page.waitForFunction(
      `document.querySelector('figure')?.innerText.includes('Trains stop at noon')`,
    );
    expect(await look('compose-test')).toEqual([]);
    await press(tab, 'Test …');
    await tab.page.waitForSelector('[role=dialog]');
    await waitForText(tab, 'You choose the one that the others get.');
    await press(tab, 'Start the test');
    await arriveAt(tab, 'Storm hits the coast');
    await waitForText(tab, 'It is waiting for you.');
    await tab.page.waitForSelector(named('Choose as winner: variant 2'));
    expect(await look('campaign-choose')).toEqual([]);
    await press(tab, 'Choose as winner: variant 2');
    await press(tab, 'Send the winner');
    await waitForText(tab, 'Variant 2 won');
    await press(tab, 'Winner', 'link');
    await waitForText(tab, 'Part of the campaign “Storm hits the coast”');
    const sent = await newsroom.stand.api.database.query<{ title: string }>(
      `SELECT title FROM deliveries WHERE campaign_role = 'winner'`,
    );
    expect(sent).toEqual([{ title: 'Trains stop at noon' }]);
    expect(tab.faults).toEqual([]);
  });

  it('keeps the texts of the variants in the draft, and the others when one is removed', async () => {
    await compose('First');
    await press(tab, 'Add a variant');
    await fillField(tab, 'Title', 'Second');
    await press(tab, 'Add a variant');
    await fillField(tab, 'Title', 'Third');
    await tab.page.waitForFunction(
      `Object.values(sessionStorage).some((draft) => draft.includes('"title":"Third"'))`,
    );
    await tab.page.reload();
    await waitForText(tab, 'Your draft was restored.');
    await press(tab, 'Variant 1', 'tab');
    await press(tab, 'Remove variant 1');
    const title = `document.querySelector('[role=tabpanel] input')?.value`;
    await tab.page.waitForFunction(`${title} === 'Second'`);
    await press(tab, 'Remove variant 1');
    await tab.page.waitForFunction(
      `[...document.querySelectorAll('[role=tab]')].every((each) => !each.textContent.startsWith('Variant'))`,
    );
    await press(tab, 'Send …');
    await tab.page.waitForSelector(named(`Send to ${READERS} readers`));
    await press(tab, 'Cancel');
  });

  it('sends a morning briefing at 07:30 where the reader is, until somebody cancels it', async () => {
    await compose('Morning briefing');
    await choose('Local time');
    await press(tab, 'Schedule …');
    expect(await errorAt(tab, 'Date and time')).toBe('Choose a date and a time.');
    // The API knows whether a time has passed everywhere: its error is shown at the field.
    await setTime('datetime-local', '2020-01-01T07:30');
    await press(tab, 'Schedule …');
    await press(tab, 'Schedule it');
    expect(await errorAt(tab, 'Date and time')).toContain('not passed everywhere');
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await setTime('datetime-local', `${day}T07:30`);
    await waitForText(tab, `${READERS} readers in `);
    expect(await look('compose-local')).toEqual([]);
    await press(tab, 'Schedule …');
    await waitForText(tab, 'by the clock where they are.');
    await press(tab, 'Schedule it');
    await arriveAt(tab, 'Morning briefing');
    await waitForText(tab, 'Time zones to come');
    expect((await stored('Morning briefing'))?.settings.plan).toMatchObject({
      kind: 'local_time',
      at: { date: day, time: '07:30' },
    });
    await press(tab, 'Cancel');
    await waitForText(tab, 'None of it will be sent.');
    await press(tab, 'Cancel campaign');
    await waitForText(tab, 'It was cancelled.');
    expect((await stored('Morning briefing'))?.status).toBe('cancelled');
    expect(tab.faults).toEqual([]);
  });

  it('repeats a briefing on chosen days by a friendly choice, or by a cron line', async () => {
    await compose('Weekly briefing');
    await choose('Repeat');
    await choose('Chosen days');
    await tab.page.waitForSelector('main [aria-label="Monday"]');
    await tab.page.focus('main [aria-label="Monday"]');
    await tab.page.keyboard.press('Space');
    await press(tab, 'Repeat …');
    await waitForText(tab, 'Choose at least one day.');
    for (const day of ['Saturday', 'Sunday']) {
      await tab.page.focus(`main [aria-label="${day}"]`);
      await tab.page.keyboard.press('Space');
    }
    await setTime('time', '09:15');
    await waitForText(tab, 'What it will send');
    expect(await look('compose-repeats')).toEqual([]);
    await press(tab, 'Repeat …');
    await waitForText(tab, 'Saturday and Sunday at 9:15');
    await press(tab, 'Start repeating');
    await arriveAt(tab, 'Weekly briefing');
    await waitForText(tab, 'Next sends');
    expect((await stored('Weekly briefing'))?.settings.plan).toMatchObject({ cron: '15 9 * * 6,7' });

    await compose('By cron');
    await choose('Repeat');
    await click(tab, 'button[aria-expanded] h2');
    await fillField(tab, 'Cron line', 'every day');
    await press(tab, 'Repeat …');
    await press(tab, 'Start repeating');
    expect(await errorAt(tab, 'Cron line')).not.toBe('');
    await fillField(tab, 'Cron line', '0 8 1 * *');
    await press(tab, 'Repeat …');
    await press(tab, 'Start repeating');
    await arriveAt(tab, 'By cron');
    expect(tab.faults).toEqual([]);
  });

  it('is changed until its first step, keeps what the form does not show, and is sent again as a copy', async () => {
    const { app, stand } = newsroom;
    const { id } = (await stored('Weekly briefing')) ?? {};
    await stand.api.database.query(
      `UPDATE campaigns SET settings = jsonb_set(settings, '{plan,graceMinutes}', '5') WHERE id = $1`,
      [id],
    );
    await tab.goTo(`/apps/${app}/campaigns/${id}`);
    await arriveAt(tab, 'Weekly briefing');
    await press(tab, 'Change', 'link');
    await arriveAt(tab, 'Change the campaign');
    await waitForText(tab, 'It stays as it is until you save.');
    // The parts of the form come in turn.
    await tab.page.waitForFunction(`document.querySelector('main [aria-label="Sunday"]')?.checked`);
    await fillField(tab, 'Title', 'Your weekend');
    expect(await look('campaign-change')).toEqual([]);
    await press(tab, 'Save …');
    await press(tab, 'Save it');
    await arriveAt(tab, 'Weekly briefing');
    const changed = await stored('Weekly briefing');
    expect(changed).toMatchObject({ id, settings: { contents: [{ title: 'Your weekend' }] } });
    expect(changed?.settings.plan).toMatchObject({ cron: '15 9 * * 6,7', graceMinutes: 5 });

    await press(tab, 'Duplicate', 'link');
    await arriveAt(tab, 'Compose');
    await waitForText(tab, 'A copy of “Weekly briefing”.');
    await press(tab, 'Repeat …');
    await press(tab, 'Start repeating');
    await arriveAt(tab, 'Weekly briefing');
    await expect.poll(async () => (await stored('Weekly briefing'))?.id).not.toBe(id);
    expect(tab.faults).toEqual([]);
  });

  it('are listed with their next step, filtered, and found in the command menu', async () => {
    await tab.goTo(`/apps/${newsroom.app}/campaigns`);
    await arriveAt(tab, 'Campaigns');
    await waitForText(tab, 'Weekly briefing');
    await tab.goTo(`/apps/${newsroom.app}/campaigns?kind=local_time`);
    await waitForText(tab, 'Morning briefing');
    expect(await tab.page.evaluate(`document.body.innerText.includes('Weekly briefing')`)).toBe(false);
    await press(tab, 'Search');
    await tab.page.waitForSelector('[role=dialog] input');
    await fillField(tab, 'Search and commands', 'weekly brief');
    await press(tab, 'Weekly briefing Campaign', 'option');
    await arriveAt(tab, 'Weekly briefing');
    expect(tab.faults).toEqual([]);
  });
});
