// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { axeFindings, keepScreenshot, keepScreenshots } from './look.ts';
import { arriveAt, fillField, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'drafts of a team', (executable) => {
  let stand: Stand;
  let ada: Tab;
  let ben: Tab;
  let benEmail: string;
  let call: ReturnType<typeof callAs>;
  let app: string;
  beforeAll(async () => {
    stand = await openStand(executable);
    const opened = await openAs(stand, { role: 'member' });
    ada = opened.tab;
    const { organizationId } = opened.person;
    const second = await openAs(stand, { role: 'member', organizationId });
    ben = second.tab;
    benEmail = second.person.email;
    call = callAs(stand.api.app, opened.person);
    app = String((await call('POST', '/apps', appBody())).json().data.identifier);
  });
  afterAll(() => stand.close());

  const compose = async (title: string): Promise<void> => {
    await ada.goToAnew(`/apps/${app}/compose`);
    await arriveAt(ada, 'Compose');
    await fillField(ada, 'Title', title);
    await fillField(ada, 'Text', 'What to know before noon.');
  };
  const drafts = async (kind: string) => (await call('GET', `/apps/${app}/drafts?kind=${kind}`)).json().data;
  const read = async (id: number) => (await call('GET', `/apps/${app}/drafts/${id}`)).json().data;
  const shownIn = (tab: Tab, label: string) =>
    tab.page.evaluate(`[...document.querySelectorAll('main input, main textarea')].find((field) =>
      field.labels?.[0]?.textContent.startsWith(${JSON.stringify(label)}))?.value ?? null`);
  const openDraft = async (tab: Tab, name: string): Promise<void> => {
    await tab.goTo(`/apps/${app}/drafts`);
    await arriveAt(tab, 'Drafts');
    await press(tab, name, 'link');
    await arriveAt(tab, 'Compose');
  };

  it('are saved for all while one writes, opened by another, and gone once they are sent', async () => {
    await ada.goTo(`/apps/${app}/drafts`);
    await arriveAt(ada, 'Drafts');
    await waitForText(ada, 'Save what you write as a draft, and your team can continue it.');
    expect(await axeFindings(ada.page)).toEqual([]);
    await keepScreenshot(ada.page, 'drafts-empty');
    await compose('Storm');
    await press(ada, 'Save as draft');
    await waitForText(ada, 'Team draft: Storm.');
    await fillField(ada, 'Link', 'news.example.com/storm');
    await waitForText(ada, 'Saved at');
    const [draft] = await drafts('draft');
    await expect
      .poll(async () => (await read(draft.id)).values)
      .toMatchObject({ title: 'Storm', url: expect.stringContaining('news.example.com/storm') });
    await openDraft(ben, 'Storm');
    expect(await shownIn(ben, 'Text')).toBe('What to know before noon.');
    await keepScreenshots(ben.page, `draft`);
    expect(await axeFindings(ben.page)).toEqual([]);
    await press(ben, 'Send …');
    await press(ben, 'Send to 0 readers');
    await arriveAt(ben, 'Storm');
    await expect.poll(() => drafts('draft')).toEqual([]);
    expect(ben.faults).toEqual([]);
  });

  it('are not written over: of two one takes the other’s, or keeps your own beside it', async () => {
    await compose('Flood');
    await press(ada, 'Save as draft');
    await waitForText(ada, 'Team draft: Flood.');
    await openDraft(ben, 'Flood');
    await fillField(ben, 'Text', 'By Ben');
    await waitForText(ben, 'Saved at');
    await fillField(ada, 'Text', 'By Ada');
    await waitForText(ada, 'has changed this draft');
    expect(await axeFindings(ada.page)).toEqual([]);
    await keepScreenshot(ada.page, 'draft-conflict');
    await press(ada, 'Keep mine as another draft');
    await waitForText(ada, 'Saved while you write');
    const all = await drafts('draft');
    const texts = await Promise.all(all.map(async ({ id }: { id: number }) => (await read(id)).values.body));
    expect(texts.toSorted()).toEqual(['By Ada', 'By Ben']);
    // Ben's, changed by somebody else.
    const [{ id }] = all.filter((_: unknown, place: number) => texts[place] === 'By Ben');
    const { name, values, version } = await read(id);
    await call('PUT', `/apps/${app}/drafts/${id}`, {
      name,
      values: { ...values, body: 'By a third' },
      version,
    });
    await fillField(ben, 'Title', 'Never saved');
    await waitForText(ben, 'has changed this draft');
    await press(ben, 'Take theirs');
    await ben.page.waitForFunction(`document.querySelector('main textarea')?.value === 'By a third'`);
    expect([await shownIn(ben, 'Title'), (await read(id)).values.title]).toEqual(['Flood', 'Flood']);
  });

  it('are handed to a colleague with a comment, who reads it on the overview and in the draft', async () => {
    // Without readers, the overview shows how to get some.
    await buildSubscriptions(stand.api.database, await appIdOf(stand.api.database, app), 3);
    await compose('Harbour');
    await press(ada, 'Save as draft');
    await waitForText(ada, 'Team draft: Harbour.');
    await press(ada, 'Hand over Harbour');
    await fillField(ada, 'To', benEmail);
    await fillField(ada, 'What they are to do', 'Please check the times.');
    expect(await axeFindings(ada.page)).toEqual([]);
    await press(ada, 'Hand over …');
    await waitForText(ada, 'Waiting for');
    await ben.goTo(`/apps/${app}`);
    await waitForText(ben, 'was handed over to you.');
    await waitForText(ben, 'Please check the times.');
    await press(ben, 'Harbour', 'link');
    await arriveAt(ben, 'Compose');
    await waitForText(ben, 'Written by');
    await waitForText(ben, 'Please check the times.');
    expect(ben.faults).toEqual([]);
  });

  it('may be templates, which fill the page and stay as they are', async () => {
    await compose('Weather');
    await press(ada, 'Save as template');
    await waitForText(ada, 'Template saved: Weather');
    await openDraft(ada, 'Weather');
    await waitForText(ada, 'Started from the template Weather.');
    expect(await shownIn(ada, 'Text')).toBe('What to know before noon.');
    await fillField(ada, 'Text', 'Rain');
    const [template] = await drafts('template');
    expect((await read(template.id)).values.body).toBe('What to know before noon.');
    await ada.goTo(`/apps/${app}/drafts`);
    await arriveAt(ada, 'Drafts');
    await keepScreenshots(ada.page, `drafts`);
    expect(await axeFindings(ada.page)).toEqual([]);
    await press(ada, 'Delete Weather');
    await press(ada, 'Delete');
    await expect.poll(() => drafts('template')).toEqual([]);
  });
});
