import type { Page } from 'puppeteer-core';
import type { Mailbox } from '../mozilla-push/mailbox.ts';
import type { MozillaPush } from '../mozilla-push/start.ts';

/**
 * Chromium's own push client needs Google's service: it is replaced by one whose messages the test gets,
 * decrypted, and hands to the browser. For the pages of one tab; every other part of push is real.
 * @returns the mailboxes made so far, the newest last.
 */
export async function borrowPush(page: Page, push: MozillaPush): Promise<readonly Mailbox[]> {
  const mailboxes: Mailbox[] = [];
  await page.exposeFunction('subscribeElsewhere', (key: string) => {
    const mailbox = push.createMailbox(key);
    mailboxes.push(mailbox);
    return mailbox.subscription;
  });
  await page.evaluateOnNewDocument(stub);
  return mailboxes;
}

/** What a subscription is to a page; it is kept where the next page finds it. */
const stub = `(() => {
  const KEPT = 'test-subscription';
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  const read = () => {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (kept === null) return null;
    return {
      endpoint: kept.subscription.endpoint,
      options: { applicationServerKey: bytesOf(kept.key).buffer },
      toJSON: () => kept.subscription,
      unsubscribe: async () => { localStorage.removeItem(KEPT); return true; },
    };
  };
  PushManager.prototype.getSubscription = async () => read();
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const subscription = await subscribeElsewhere(key);
    localStorage.setItem(KEPT, JSON.stringify({ key, subscription }));
    return read();
  };
})()`;
