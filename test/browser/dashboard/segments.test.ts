// tier: system
import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { someOf } from '../../support/cases.ts';
import { appIdOf, insertSubscriptions } from '../../support/subscriptions.ts';
import { axeFindings } from './look.ts';
import {
  arriveAt,
  click,
  named,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

const readers = [
  { country: 'DE', tags: { plan: 'gold' }, device_type: 'mobile', last_clicked_at: '2020-01-01T00:00:00Z' },
  { country: 'DE', tags: { plan: 'silver' }, device_type: 'desktop' },
  { country: 'AT', tags: { plan: 'gold' }, device_type: 'desktop' },
  { country: 'FR', device_type: 'mobile' },
] as const;

describeBrowser('chromium', 'segments in the dashboard', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let category: number;
  let call: ReturnType<typeof callAs>;

  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    tab = opened.tab;
    // Leaving an unsaved segment asks, and every test goes to a new one.
    tab.page.on('dialog', (dialog) => void dialog.accept());
    call = callAs(stand.api.app, opened.person);
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
    await insertSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), readers);
    const made = await call('POST', `/apps/${app}/delivery-categories`, { name: 'Sport' });
    category = made.json().data.id;
  });
  afterAll(() => stand.close());
  beforeEach(async () => {
    await tab.goTo(`/apps/${app}/segments/new`);
    await arriveAt(tab, 'New segment');
  });

  /** The condition of this number: `1`, `2.1`. */
  const row = (number: string): string => `fieldset:has(> legend:text-is("Condition ${number}"))`;
  const inRow = async (number: string, label: string) => {
    const found = await tab.page.evaluateHandle(`[...document.querySelectorAll('fieldset')]
      .find((each) => each.querySelector(':scope > legend')?.textContent === ${JSON.stringify(`Condition ${number}`)})
      .querySelector('[aria-label=${JSON.stringify(label)}]')`);
    const element = found.asElement();
    if (element === null) throw new Error(`${row(number)} has no ${label}`);
    return element as NonNullable<Awaited<ReturnType<typeof tab.page.$>>>;
  };
  const choose = async (number: string, label: string, value: string): Promise<void> => {
    // Categories are asked for when the row needs them.
    await tab.page.waitForSelector(`select[aria-label="${label}"] option[value="${value}"]`);
    await (await inRow(number, label)).select(value);
  };
  const write = async (number: string, label: string, ...texts: string[]): Promise<void> => {
    const input = await inRow(number, label);
    for (const text of texts) {
      await input.type(text);
      await input.press('Enter');
    }
  };
  const type = async (number: string, label: string, text: string): Promise<void> => {
    await (await inRow(number, label)).type(text);
  };
  const count = async (): Promise<unknown> =>
    tab.page.evaluate(`document.querySelector('[data-audience]')?.dataset.audience ?? null`);
  const stored = async (name: string) => {
    const { data } = (await call('GET', `/apps/${app}/segments`)).json();
    return data.find((each: { name: string }) => each.name === name)?.rules;
  };
  const counted = async (rules: object): Promise<string> =>
    String((await call('POST', `/apps/${app}/segments/preview`, { rules })).json().data.count);
  const save = async (name: string): Promise<void> => {
    await tab.page.locator('form input[maxlength="255"][required]').fill(name);
    await click(tab, named('Create segment'));
  };

  it('are built of groups and conditions, counted while one builds, and stored as the API takes them', async () => {
    await write('1', 'Values', 'Germany', 'Austria');
    await expect.poll(count).toBe('3');
    await click(tab, named('Add a group'));
    await choose('2.1', 'Field', 'tag');
    await type('2.1', 'Tag', 'plan');
    await choose('2.1', 'Comparison', 'equals');
    await type('2.1', 'Value', 'gold');
    const rules = {
      match: 'all',
      conditions: [
        { field: 'country', operator: 'in', values: ['DE', 'AT'] },
        { match: 'all', conditions: [{ field: 'tag', key: 'plan', operator: 'equals', value: 'gold' }] },
      ],
    };
    await expect.poll(count).toBe(await counted(rules));
    expect(await count()).toBe('2');
    await tab.page.select('select[aria-label="The whole rule: Match"]', 'any');
    await expect.poll(count).toBe('3');
    await save('Gold or near');
    await arriveAt(tab, 'Segments');
    expect(await stored('Gold or near')).toEqual({ ...rules, match: 'any' });
    expect(tab.faults).toEqual([]);
  });

  it('say to a screen reader that they are counted', async () => {
    const { page } = tab;
    const held: HTTPRequest[] = [];
    const hold = (request: HTTPRequest): void => {
      if (request.url().endsWith('/segments/preview')) held.push(request);
      else void request.continue();
    };
    await page.setRequestInterception(true);
    page.on('request', hold);
    try {
      await write('1', 'Values', 'Germany');
      // Closes the list of countries, which is drawn outside the page's landmarks.
      await page.keyboard.press('Escape');
      await page.waitForSelector('[aria-label="Counting …"]');
      expect(await axeFindings(page)).toEqual([]);
    } finally {
      for (const request of held) await request.continue();
      page.off('request', hold);
      await page.setRequestInterception(false);
    }
    await expect.poll(count).toBe('2');
  });

  const kinds: readonly [string, string, (number: string) => Promise<void>, object][] = [
    [
      'tag',
      'not_equals',
      (n) => type(n, 'Tag', 'plan').then(() => type(n, 'Value', 'gold')),
      { key: 'plan', value: 'gold' },
    ],
    [
      'tag',
      'in',
      (n) => type(n, 'Tag', 'plan').then(() => write(n, 'Values', 'a', 'b')),
      { key: 'plan', values: ['a', 'b'] },
    ],
    [
      'tag',
      'not_in',
      (n) => type(n, 'Tag', 'x').then(() => write(n, 'Values', 'a')),
      { key: 'x', values: ['a'] },
    ],
    ['tag', 'exists', (n) => type(n, 'Tag', 'plan'), { key: 'plan' }],
    ['tag', 'not_exists', (n) => type(n, 'Tag', 'plan'), { key: 'plan' }],
    ['country', 'not_in', (n) => write(n, 'Values', 'France'), { values: ['FR'] }],
    ['device_type', 'in', (n) => write(n, 'Values', 'Mob'), { values: ['mobile'] }],
    ['browser', 'in', (n) => write(n, 'Values', 'Chrome'), { values: ['Chrome'] }],
    ['os', 'not_in', (n) => write(n, 'Values', 'Android'), { values: ['Android'] }],
    ['category', 'has', async (n) => choose(n, 'Category', String(category)), {}],
    ['category', 'has_not', async (n) => choose(n, 'Category', String(category)), {}],
    ['created', 'after', (n) => type(n, 'Day', '01312020'), { date: '2020-01-31' }],
    ['last_seen', 'before', (n) => type(n, 'Day', '01312020'), { date: '2020-01-31' }],
    ['last_seen', 'within_days', async () => {}, { days: 30 }],
    ['last_clicked', 'more_than_days_ago', async () => {}, { days: 30 }],
    ['last_clicked', 'never', async () => {}, {}],
    ['reachable', 'is_not', async () => {}, {}],
  ];

  it.each(someOf(kinds, 4))(
    'can filter by %s: %s, and count it as the API does',
    async (field, operator, fill, rest) => {
      await choose('1', 'Field', field);
      await choose('1', 'Comparison', operator);
      await fill('1');
      const category_id = field === 'category' ? { category_id: category } : {};
      const rules = { match: 'all', conditions: [{ field, operator, ...rest, ...category_id }] };
      await expect.poll(count).toBe(await counted(rules));
      const name = `${field} ${operator}`;
      await save(name);
      await arriveAt(tab, 'Segments');
      expect(await stored(name)).toEqual(rules);
      expect(tab.faults).toEqual([]);
    },
  );

  it('are edited as they are stored, and deleted only after one has confirmed it', async () => {
    const rules = {
      match: 'any',
      conditions: [
        { field: 'last_clicked', operator: 'never' },
        { match: 'all', conditions: [{ field: 'device_type', operator: 'in', values: ['mobile'] }] },
      ],
    };
    const made = await call('POST', `/apps/${app}/segments`, { name: 'Kept', rules });
    const { id } = made.json().data;
    await tab.goTo(`/apps/${app}/segments/${id}`);
    await arriveAt(tab, 'Edit segment');
    await expect.poll(count).toBe('4');
    await click(tab, named('Remove condition 1'));
    await tab.page.waitForFunction(`document.activeElement?.textContent === 'Add a condition'`);
    await expect.poll(count).toBe('2');
    await click(tab, named('Save'));
    await arriveAt(tab, 'Segments');
    expect(await stored('Kept')).toEqual({ match: 'any', conditions: rules.conditions.slice(1) });
    await click(tab, named('Delete Kept'));
    await click(tab, named('Delete'));
    await expect.poll(() => stored('Kept')).toBeUndefined();
    expect(tab.faults).toEqual([]);
  });

  it('show at its row the missing part of a condition, and the API’s errors', async () => {
    const problems = () =>
      tab.page.evaluate(`[...document.querySelectorAll('fieldset .mantine-InputWrapper-error, fieldset [role=alert]')]
        .map((each) => each.textContent)`);
    await click(tab, named('Add a condition'));
    await choose('2', 'Field', 'tag');
    await save('Unfinished');
    await expect.poll(problems).toEqual(['Enter at least one.', 'Enter the tag.']);
    await write('1', 'Values', 'Germany');
    await type('2', 'Tag', 'plan');
    await choose('2', 'Field', 'created');
    await choose('2', 'Comparison', 'after');
    // A year that the API does not take.
    await type('2', 'Day', '01310900');
    await expect.poll(problems).toEqual([expect.stringMatching(/^Must be a date/)]);
    await click(tab, named('Create segment'));
    await expect.poll(problems).toEqual([expect.stringMatching(/^Must be a date/)]);
    expect(await stored('Unfinished')).toBeUndefined();
    expect(tab.faults).toEqual([]);
  });

  it('can be built with the keyboard alone', async () => {
    await tab.page.focus('form input[required]');
    await tab.page.keyboard.type('By keys');
    const press = async (...keys: Parameters<typeof tab.page.keyboard.press>[0][]): Promise<void> => {
      for (const key of keys) await tab.page.keyboard.press(key);
    };
    // The match, then the row: about, comparison, values.
    await press('Tab', 'Tab', 'Tab', 'Tab');
    await tab.page.keyboard.type('Germany');
    await press('Enter', 'Escape', 'Tab', 'Tab', 'Enter');
    // The new row has the focus: last clicked, never.
    await tab.page.waitForFunction(`document.activeElement?.getAttribute('aria-label') === 'Field'`);
    await tab.page.keyboard.type('Last clicked');
    await press('Tab');
    await tab.page.keyboard.type('never');
    await expect.poll(count).toBe('1');
    await tab.page.focus('form button[type=submit]');
    await press('Enter');
    await arriveAt(tab, 'Segments');
    expect(await stored('By keys')).toEqual({
      match: 'all',
      conditions: [
        { field: 'country', operator: 'in', values: ['DE'] },
        { field: 'last_clicked', operator: 'never' },
      ],
    });
    expect(tab.faults).toEqual([]);
  });

  it('lead to their readers, and to a notification for them', async () => {
    const rules = { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE'] }] };
    const made = await call('POST', `/apps/${app}/segments`, { name: 'Germans', rules });
    expect(made.statusCode, made.body).toBe(201);
    await tab.goTo(`/apps/${app}/segments`);
    await arriveAt(tab, 'Segments');
    await press(tab, 'List its readers: Germans', 'link');
    await arriveAt(tab, 'Subscribers');
    await waitForText(tab, '2 subscribers');
    expect(await axeFindings(tab.page)).toEqual([]);
    await tab.goTo(`/apps/${app}/segments/${made.json().data.id}`);
    await arriveAt(tab, 'Edit segment');
    await press(tab, 'Send to this segment: Germans', 'link');
    await arriveAt(tab, 'Compose');
    await waitForText(tab, '2 readers');
    await tab.page.waitForFunction(
      `[...document.querySelectorAll('main input')].some(({ value }) => value === 'Germans')`,
    );
  });
});
