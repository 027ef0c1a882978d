// tier: system
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookStore } from '../../../engine/adapters/postgres/outgoing/webhook-store.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { axeFindings, keepScreenshot, looks, lookWith, overflows } from './look.ts';
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

const HOOK = 'https://cms.example.com/broadside';
const phone = looks.find(({ name }) => name === 'phone') ?? looks[0];

describeBrowser('chromium', 'webhooks in the dashboard', (executable) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(executable);
  });
  afterAll(() => stand.close());

  /** What an engine does with the message that is due. */
  const answerWith = async (status: number, body: string): Promise<void> => {
    const store = createWebhookStore(stand.api.database);
    const claimed = await store.claim(5, { busyOrganizations: [], busyEndpoints: [], usedEndpoints: [] });
    expect(claimed).toHaveLength(1);
    const answer = {
      ...{ at: new Date().toISOString(), status, words: `answered ${status}`, body, took_ms: 41 },
    };
    const end = status < 300 ? ({ kind: 'sent' } as const) : ({ kind: 'again', afterMs: 5_000 } as const);
    for (const message of claimed) await store.note(message, end, answer);
  };
  const secretShown = async ({ page }: Tab): Promise<string> =>
    String(await page.evaluate("document.querySelector('[role=dialog] pre').textContent"));

  it('are added with a secret that is shown once, pinged, looked into, sent again, changed and deleted', async () => {
    const { tab } = await openAs(stand, { role: 'admin' });
    await tab.goTo('/');
    await press(tab, 'Webhooks', 'link');
    await arriveAt(tab, 'Webhooks');
    await waitForText(tab, 'No webhooks yet');
    expect(await axeFindings(tab.page)).toEqual([]);

    await press(tab, 'Add a webhook');
    await fillField(tab, 'URL', 'http://127.0.0.1/');
    expect(await axeFindings(tab.page)).toEqual([]);
    await press(tab, 'Add webhook');
    expect(await errorAt(tab, 'URL')).toBe('Must be an https URL on the public internet.');
    await fillField(tab, 'URL', HOOK);
    await press(tab, 'feed.broken', 'checkbox');
    await press(tab, 'Add webhook');
    await waitForText(tab, 'it is never shown again');
    const secret = await secretShown(tab);
    expect(secret).toMatch(/^whsec_[\w+/=]{44}$/);
    await press(tab, 'I have copied it');
    await tab.page.waitForFunction("document.querySelector('[role=dialog]') === null");
    await waitForText(tab, 'delivery.success');
    await waitForText(tab, 'feed.broken');
    expect(await tab.page.content()).not.toContain(secret);

    await press(tab, HOOK, 'link');
    await waitForText(tab, 'Nothing was sent in the last seven days.');
    await press(tab, 'Send a ping');
    await waitForText(tab, 'The ping is on its way.');
    await waitForText(tab, 'ping');
    await answerWith(200, 'thank you');
    await waitForText(tab, 'answered 200');
    const [{ id } = { id: 0 }] = await stand.api.database.query<{ id: number }>(
      `SELECT id FROM webhook_messages`,
    );
    await press(tab, `Show message ${id}`);
    await waitForText(tab, 'thank you');
    await waitForText(tab, 'If you can read this, the webhook works.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'webhook-message');
    await tab.page.keyboard.press('Escape');
    await tab.page.waitForFunction("document.querySelector('[role=dialog]') === null");
    await press(tab, `Send again: message ${id}`);
    await waitForText(tab, `Message ${id} is sent again.`);
    await answerWith(500, '');
    await waitForText(tab, 'answered 500');

    await press(tab, 'New secret');
    await waitForText(tab, 'For 24 hours, messages carry two signatures');
    await press(tab, 'Create secret');
    await waitForText(tab, 'it is never shown again');
    expect(await secretShown(tab)).not.toBe(secret);
    await press(tab, 'I have copied it');
    await tab.page.waitForFunction("document.querySelector('[role=dialog]') === null");
    await waitForText(tab, 'The previous secret also signs until');

    await press(tab, 'Edit');
    await press(tab, 'feed.broken', 'checkbox');
    await press(tab, 'Save');
    await waitForText(tab, 'Webhook changed.');
    await tab.page.waitForFunction("document.querySelector('[role=dialog]') === null");
    await press(tab, 'Disable');
    await waitForText(tab, 'what was waiting for it is not sent');
    await waitForText(tab, 'Given up');
    await lookWith(tab.page, phone);
    expect(await axeFindings(tab.page)).toEqual([]);
    expect(await overflows(tab.page)).toBe(false);
    await press(tab, 'Delete');
    await waitForText(tab, 'This cannot be undone.');
    await press(tab, 'Delete webhook');
    await waitForText(tab, 'Webhook deleted.');
    await waitForText(tab, 'No webhooks yet');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('are for admins: members do not see the page, and are refused at its address', async () => {
    const { tab } = await openAs(stand, { role: 'member' });
    await tab.goTo('/settings/webhooks');
    await waitForText(tab, 'Your role does not allow this. Ask an admin of your organization.');
    const offered = String(await tab.page.evaluate("document.querySelector('nav').innerText"));
    expect(offered).toContain('API tokens');
    expect(offered).not.toContain('Webhooks');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
