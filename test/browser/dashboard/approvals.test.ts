// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeGrants } from '../../../api/auth/grant-store.ts';
import type { Person } from '../../api/account/support.ts';
import { callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { findingsIn } from './look.ts';
import { type Newsroom, openNewsroom, READERS } from './newsroom.ts';
import { arriveAt, fillField, named, openAs, press, type Tab, waitForText } from './stand.ts';

describeBrowser('chromium', 'an app that asks for a second person', (executable) => {
  let newsroom: Newsroom;
  let author: Tab;
  let editor: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    author = newsroom.tab;
    const { organizationId } = newsroom.person;
    ({ tab: editor } = await openAs(newsroom.stand, { role: 'admin', organizationId }));
  });
  afterAll(() => newsroom.close(), 60_000);

  const lookAround = async (tab: Tab, name: string): Promise<void> => {
    expect(await findingsIn(tab.page, `${name}`)).toEqual([]);
  };

  it('is set up by an admin, and sends what one has written once another approves it', async () => {
    await editor.goTo(`/apps/${newsroom.app}/settings?tab=approval`);
    await editor.page.waitForSelector(named('Who approves', 'combobox'));
    await editor.page.focus(named('Who approves', 'combobox'));
    await editor.page.keyboard.press('Space');
    await press(editor, 'Another person, except for breaking news', 'option');
    await press(editor, 'Save');
    await waitForText(editor, 'Settings saved.');

    await author.goToAnew(`/apps/${newsroom.app}/compose`);
    await arriveAt(author, 'Compose');
    await fillField(author, 'Title', 'The ferries stop');
    await fillField(author, 'Text', 'From noon on.');
    await fillField(author, 'Link', 'news.example.com/ferries');
    await press(author, 'Ask for approval …');
    await waitForText(author, 'Somebody else has to approve it before it is sent.');
    await press(author, 'Ask for approval');
    await arriveAt(author, 'The ferries stop');
    await waitForText(author, 'Somebody else in your team has to approve it.');
    expect(await author.page.$(named('Approve'))).toBeNull();
    await lookAround(author, 'approval-author');

    await editor.goToAnew(`/apps/${newsroom.app}`);
    await waitForText(editor, 'is waiting for approval.');
    await press(editor, 'The ferries stop', 'link');
    await arriveAt(editor, 'The ferries stop');
    await lookAround(editor, 'approval-editor');
    await press(editor, 'Send back …');
    await fillField(editor, 'What should be different?', 'Which ferries?');
    await press(editor, 'Send back');
    await waitForText(editor, '“Which ferries?”');
    await lookAround(editor, 'approval-declined');

    const { pathname } = new URL(author.page.url());
    await author.goToAnew(`/apps/${newsroom.app}/deliveries?approval=waiting`);
    await arriveAt(author, 'Deliveries');
    // It was sent back: it waits for its author.
    await waitForText(author, 'Nothing matches');
    await author.goToAnew(pathname.replace('/dashboard', ''));
    await waitForText(author, '“Which ferries?”');
    await press(author, 'Change');
    await fillField(author, 'Text', 'All ferries, from noon on.');
    await press(author, 'Save');
    await waitForText(author, 'Somebody else in your team has to approve it.');

    await editor.goToAnew(`/apps/${newsroom.app}/deliveries?approval=waiting`);
    await press(editor, 'The ferries stop', 'link');
    await waitForText(editor, 'All ferries, from noon on.');
    await press(editor, 'Approve');
    await waitForText(editor, 'Approved by');
    await waitForText(editor, `${READERS.toLocaleString('en')} of ${READERS.toLocaleString('en')} readers`);
    expect([author.faults, editor.faults]).toEqual([[], []]);
  });

  it('lets an author cancel what they wrote, and only that', async () => {
    const { stand, app, person } = newsroom;
    const { organizationId } = person;
    const { tab, person: novice } = await openAs(stand, { role: 'guest', organizationId });
    const appId = await appIdOf(stand.api.database, app);
    await writeGrants(stand.api.database, novice.userId, new Map([[appId, 'author']]));
    const made = async (by: Person) =>
      (
        await callAs(stand.api.app, by)('POST', `/apps/${app}/deliveries`, deliveryBody({ name: 'Storm' }))
      ).json().data.id;
    const [own, other] = [await made(novice), await made(person)];
    await tab.goTo(`/apps/${app}/deliveries/${other}`);
    await arriveAt(tab, 'Storm');
    await waitForText(tab, 'Waiting for approval');
    expect(await tab.page.$(named('Cancel'))).toBeNull();
    await tab.goTo(`/apps/${app}/deliveries/${own}`);
    await arriveAt(tab, 'Storm');
    await press(tab, 'Cancel');
    await press(tab, 'Cancel delivery');
    await waitForText(tab, 'Cancelled');
    expect((await newsroom.read(own)).status).toBe('cancelled');
    expect(tab.faults).toEqual([]);
  });

  it('lets a campaign wait too', async () => {
    const call = callAs(newsroom.stand.api.app, newsroom.person);
    const made = await call('POST', `/apps/${newsroom.app}/campaigns`, {
      ...{ name: 'Morning', plan: { kind: 'recurring', schedule: '0 7 * * *', time_zone: 'UTC' } },
      notifications: [{ title: 'Morning', body: 'Text', url: 'https://news.example.com/m' }],
    });
    expect(made.statusCode, made.body).toBe(201);
    await editor.goToAnew(`/apps/${newsroom.app}/campaigns/${made.json().data.id}`);
    await waitForText(editor, 'Nothing is sent until you or somebody else approves it.');
    await waitForText(editor, 'It is waiting for approval.');
    await lookAround(editor, 'approval-campaign');
    await press(editor, 'Approve');
    await waitForText(editor, 'Approved by');
    expect(editor.faults).toEqual([]);
  });
});
