// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { isThorough } from '../../support/cases.ts';
import { type Hands, keyboardHands, touchHands } from './hands.ts';
import { axeFindings, keepScreenshot, type Look, looks, lookWith, overflows } from './look.ts';
import { type Newsroom, openNewsroom, READERS } from './newsroom.ts';
import { arriveAt, openAs, type Tab, waitForText } from './stand.ts';

interface Way {
  readonly name: string;
  readonly look: Look;
  readonly handsOf: (tab: Tab) => Hands | Promise<Hands>;
  /** Another story for each: the dashboard asks for confirmation where one is sent twice. */
  readonly story: string;
}

const ways: readonly [Way, Way] = [
  { name: 'by keyboard', look: looks[0], handsOf: keyboardHands, story: 'The ferries stop' },
  { name: 'on a phone', look: looks[2], handsOf: touchHands, story: 'The bridge is closed' },
];

/**
 * In a quick run of one story, whose author has the keyboard and whose approver a phone; with THOROUGH=1 of one each, for
 * both of them.
 */
const [byKeyboard, onPhone] = ways;
const stories = isThorough
  ? ways.map((way) => ({ ...way, approving: way }))
  : [{ ...byKeyboard, name: `${byKeyboard.name}, approved ${onPhone.name}`, approving: onPhone }];

/** From an idea to a notification that was approved, tested, sent and corrected: two people, no mouse. */
describeBrowser('chromium', 'an editor’s whole way', (executable) => {
  let newsroom: Newsroom;
  let author: Tab;
  let approver: Tab;
  beforeAll(async () => {
    newsroom = await openNewsroom(executable);
    author = newsroom.tab;
    const { api } = newsroom.stand;
    const { organizationId } = newsroom.person;
    const opened = await openAs(newsroom.stand, { role: 'admin', organizationId });
    approver = opened.tab;
    const [reader] = await api.database.query<{ id: number }>('SELECT id FROM subscriptions WHERE seq = 0');
    const call = callAs(api.app, opened.person);
    const asked = await call('PATCH', `/apps/${newsroom.app}`, { ...appBody(), approval: 'all' });
    expect(asked.statusCode, asked.body).toBe(200);
    const own = await call('POST', `/apps/${newsroom.app}/test-browsers`, {
      subscription_id: reader?.id,
      name: 'The desk',
    });
    expect(own.statusCode, own.body).toBe(201);
  });
  afterAll(() => newsroom.close(), 60_000);

  it.each(stories)('leads there $name', { timeout: 240_000 }, async ({ name, story, approving, ...way }) => {
    const lookOf = (tab: Tab): Look => (tab === author ? way : approving).look;
    const findings: string[] = [];
    const see = async (tab: Tab, step: string): Promise<void> => {
      for (const finding of await axeFindings(tab.page)) findings.push(`${step}: ${finding}`);
      if (await overflows(tab.page)) findings.push(`${step}: is wider than the window`);
      await keepScreenshot(tab.page, `desk-${step}-${name.replaceAll(' ', '-')}`);
      await lookWith(tab.page, lookOf(tab));
    };
    for (const tab of [author, approver]) {
      await tab.goToAnew(`/apps/${newsroom.app}`);
      await lookWith(tab.page, lookOf(tab));
    }
    const [write, approve] = [await way.handsOf(author), await approving.handsOf(approver)];

    // An idea, kept for later.
    await write.press('New notification', 'link');
    await arriveAt(author, 'Compose');
    await write.write('Title', story);
    await write.write('Text', 'From noon on.');
    await write.press('Save as draft');
    await waitForText(author, `Team draft: ${story}.`);
    await author.goToAnew(`/apps/${newsroom.app}/drafts`);
    await arriveAt(author, 'Drafts');
    await see(author, 'drafts');
    await write.press(story, 'link');
    await arriveAt(author, 'Compose');
    await write.write('Link', `news.example.com/${story.split(' ')[1]}`);
    await see(author, 'compose');

    // Tried on one's own browser.
    await write.press('Send a test');
    await write.press('Send test');
    await waitForText(author, 'Accepted');
    await see(author, 'test');
    await write.press('Close');

    await write.press('Ask for approval …');
    await waitForText(author, 'Somebody else has to approve it before it is sent.');
    await see(author, 'ask');
    await write.press('Ask for approval');
    await arriveAt(author, story);
    await waitForText(author, 'Somebody else in your team has to approve it.');
    const sent = newsroom.shownDelivery();

    await approver.goToAnew(`/apps/${newsroom.app}`);
    await waitForText(approver, 'is waiting for approval.');
    await see(approver, 'overview');
    await approve.press(story, 'link');
    await arriveAt(approver, story);
    await see(approver, 'approve');
    await approve.press('Approve');
    await waitForText(approver, 'Approved by');
    await waitForText(author, 'Sent');
    await expect.poll(() => newsroom.read(sent)).toMatchObject({ success_count: READERS });

    // It was wrong.
    await see(author, 'sent');
    await write.press('Correct');
    await write.write('Title', `${story} tomorrow`);
    await see(author, 'correct');
    await write.press('Ask for approval');
    await arriveAt(author, `Correction: ${story}`);
    const correction = newsroom.shownDelivery();
    await approver.goToAnew(`/apps/${newsroom.app}/deliveries?approval=waiting`);
    await arriveAt(approver, 'Deliveries');
    await see(approver, 'waiting');
    await approve.press(`${story} tomorrow`, 'link');
    await arriveAt(approver, `Correction: ${story}`);
    await approve.press('Approve');
    await waitForText(approver, 'Approved by');
    await waitForText(author, 'This is the correction of');
    await expect
      .poll(() => newsroom.read(correction))
      .toMatchObject({ status: 'success', success_count: READERS });
    await see(author, 'corrected');
    expect(findings).toEqual([]);
    expect([...author.faults, ...approver.faults]).toEqual([]);
  });
});
