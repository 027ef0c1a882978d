// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAlertStore } from '../../../engine/adapters/postgres/outgoing/alert-store.ts';
import { alertKinds } from '../../../engine/contract/alerts.ts';
import type { SendEnd } from '../../../engine/outgoing/ports.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot, looks, lookWith, overflows } from './look.ts';
import { arriveAt, errorAt, fillField, openAs, openStand, press, type Stand, waitForText } from './stand.ts';

const HOOK = 'https://ops.example.com/broadside';
const phone = looks.find(({ name }) => name === 'phone') ?? looks[0];

describeBrowser('chromium', 'alerts in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  /** What an engine does with the sends that are due. */
  const answerAll = async (end: SendEnd): Promise<void> => {
    const store = createAlertStore(stand.api.database);
    for (const send of await store.claim(5, [])) await store.note(send, end);
  };

  it('go to a webhook that an admin adds, whose secret is shown once, and which is tried, changed, disabled and deleted', async () => {
    const { tab } = await openAs(stand, { role: 'admin' });
    await tab.goTo('/');
    await press(tab, 'Alerts', 'link');
    await arriveAt(tab, 'Alerts');
    await waitForText(tab, 'Add a channel first, then send a test alert to it.');
    expect(await axeFindings(tab.page)).toEqual([]);

    await press(tab, 'Add a channel');
    await tab.page.select('[role=dialog] select', 'webhook');
    await fillField(tab, 'Address', 'http://127.0.0.1/');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Add channel');
    expect(await errorAt(tab, 'Address')).toBe('Must be an https URL on the public internet.');
    await fillField(tab, 'Address', HOOK);
    await press(tab, 'Add channel');
    await waitForText(tab, 'it is never shown again');
    expect(await axeFindings(tab.page)).toEqual([]);
    const secret = String(await tab.page.evaluate("document.querySelector('[role=dialog] pre').textContent"));
    expect(secret).toMatch(/^whsec_[\w+/=]{44}$/);
    await keepScreenshot(tab.page, 'alert-secret');
    await press(tab, 'I have copied it');
    await waitForText(tab, HOOK);
    await tab.page.waitForFunction("document.querySelector('[role=dialog]') === null");
    expect(await tab.page.content()).not.toContain(secret);

    await press(tab, `Send a test alert to ${HOOK}`);
    await waitForText(tab, `The test alert to ${HOOK} is on its way.`);
    await answerAll({ kind: 'sent', answer: 'answered 204' });
    await waitForText(tab, `The test alert reached ${HOOK}: answered 204.`);
    await waitForText(tab, 'An admin tested the channel.');
    await press(tab, `Send a test alert to ${HOOK}`);
    await waitForText(tab, `The test alert to ${HOOK} is on its way.`);
    await answerAll({ kind: 'again', answer: 'answered 500', afterMs: 5_000 });
    await waitForText(tab, `has not reached ${HOOK} yet: answered 500. Broadside tries again`);
    expect(await axeFindings(tab.page)).toEqual([]);

    await press(tab, `Edit ${HOOK}`);
    await press(tab, 'Throttling', 'checkbox');
    await press(tab, 'Save');
    await waitForText(tab, `${HOOK} was changed.`);
    await press(tab, `Disable ${HOOK}`);
    await waitForText(tab, 'it gets no new alerts');
    const [row] = await stand.api.database.query<{ enabled: boolean; kinds: string[] }>(
      `SELECT enabled, alert_kinds AS kinds FROM alert_channels ORDER BY id DESC LIMIT 1`,
    );
    expect(row?.enabled).toBe(false);
    expect(row?.kinds).toHaveLength(alertKinds.length - 1);
    expect(row?.kinds).not.toContain('standing-changed');
    await press(tab, `Enable ${HOOK}`);
    await waitForText(tab, `${HOOK} was enabled.`);

    await press(tab, `Delete ${HOOK}`);
    await waitForText(tab, 'This cannot be undone.');
    await press(tab, 'Delete channel');
    await waitForText(tab, `${HOOK} was deleted.`);
    await waitForText(tab, 'No alert channels yet');
    await waitForText(tab, 'no channel');
    await lookWith(tab.page, phone);
    expect(await axeFindings(tab.page)).toEqual([]);
    expect(await overflows(tab.page)).toBe(false);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('by e-mail are refused at the field where no mail server is set', async () => {
    const { tab } = await openAs(stand, { role: 'admin' });
    await tab.goTo('/settings/alerts');
    await arriveAt(tab, 'Alerts');
    await press(tab, 'Add a channel');
    await fillField(tab, 'Address', 'ada@example.com');
    await press(tab, 'Add channel');
    await waitForText(tab, 'Alerts by e-mail need the settings SMTP_URL and MAIL_FROM.');
    expect(await tab.page.$eval('[role=dialog] select', (field) => field.ariaInvalid)).toBe('true');
    expect(await axeFindings(tab.page)).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('are for admins: members do not see the page, and are refused at its address', async () => {
    const { tab } = await openAs(stand, { role: 'member' });
    await tab.goTo('/settings/alerts');
    await waitForText(tab, 'Your role does not allow this. Ask an admin of your organization.');
    const offered = String(await tab.page.evaluate("document.querySelector('nav').innerText"));
    expect(offered).toContain('API tokens');
    expect(offered).not.toContain('Alerts');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
