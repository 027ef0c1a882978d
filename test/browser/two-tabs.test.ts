// tier: system
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachBrowser } from '../support/browsers/each-browser.ts';
import { type HeldSteps, holdSteps } from '../support/browsers/held-steps.ts';
import { changeKept } from '../support/browsers/kept-profile.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { putSdkOn, type ReadersBrowser, type Visit, visit } from '../support/browsers/visit.ts';
import { isThorough } from '../support/cases.ts';
import { until } from '../support/engine-harness.ts';

/** What a reader or a page has the SDK do; `visit` is what each page view does, `changes` all of the others. */
const operations = {
  subscribe: 'await (await ready).subscribe();',
  unsubscribe: 'await (await ready).unsubscribe();',
  visit: `sessionStorage.clear(); await ready; dispatchEvent(new Event('online'));`,
  changes: `const broadside = await ready;
    await Promise.all([
      broadside.setTags({ city: String(Math.random()) }),
      broadside.setCategories([]),
      broadside.setExternalIds({ account: String(Math.random()) }),
      broadside.user(),
      broadside.state(),
    ]);`,
} as const;
type Operation = keyof typeof operations;
const names = Object.keys(operations) as readonly Operation[];

interface Tab extends Visit {
  readonly steps: HeldSteps;
}

describeEachBrowser('two tabs of one reader', ({ start, prepare }) => {
  let newsroom: Newsroom;
  let browser: Browser;
  let one: Tab;
  let other: Tab;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    putSdkOn(newsroom);
    browser = await start(newsroom);
    one = await openTab(browser);
    other = await openTab(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await newsroom?.stop();
  });

  async function openTab(where: ReadersBrowser): Promise<Tab> {
    let steps: HeldSteps | undefined;
    const opened = await visit(where, newsroom.site.origin, async (page: Page) => {
      await prepare(page, newsroom);
      steps = await holdSteps(page);
    });
    if (steps === undefined) throw new Error('the tab was not prepared');
    return { ...opened, steps };
  }

  /** What the page says, the API has, and the browser holds. */
  async function whatIs({ run, page }: Tab): Promise<readonly unknown[]> {
    const state = await run('broadside.state()');
    const { userId } = (await run('broadside.user()')) as { userId: string };
    const { data } = await newsroom.client.get<{ data: { status: string }[] }>(
      `/apps/${newsroom.appId}/subscriptions?search=${userId}&status=subscribed`,
    );
    const held = await page.evaluate(`navigator.serviceWorker.getRegistration()
        .then((found) => found?.pushManager.getSubscription()).then((found) => found ? 1 : 0)`);
    return [state, data.length, held];
  }
  const subscribed = ['subscribed', 1, 1];
  const out = ['opted-out', 0, 0];

  /** What was said last is what is left, wherever the first operation was held. */
  async function check(first: Operation, second: Operation, step: number): Promise<boolean> {
    await one.steps.start(operations[first === 'subscribe' ? 'unsubscribe' : 'subscribe']);
    await one.steps.quiet();
    const isHeld = await one.steps.holdAt(step, operations[first]);
    if (!isHeld) return false;
    await other.steps.start(operations[second]);
    if (second === 'unsubscribe')
      await until('the no to be kept', async () => (await other.run('broadside.state()')) === 'opted-out');
    await one.steps.release();
    await one.steps.quiet();
    await other.steps.quiet();
    const said = [second, first].find((name) => name === 'subscribe' || name === 'unsubscribe');
    const expected = said === 'unsubscribe' ? out : subscribed;
    const where = `${first} held at its step ${step}, then ${second}`;
    expect([where, await whatIs(one), await whatIs(other)]).toEqual([where, expected, expected]);
    return true;
  }

  it.each(names.flatMap((first) => names.map((second) => [first, second] as const)))(
    '%s and %s leave state, row and push subscription in agreement, wherever the first is held',
    async (first, second) => {
      const isNo = first === 'unsubscribe' || second === 'unsubscribe';
      const stride = isThorough || isNo ? 1 : 4;
      let held = 0;
      while (await check(first, second, held * stride)) held++;
      expect(held).toBeGreaterThan(1);
    },
  );

  it('end a subscription that a no has left behind, with the next visit', async () => {
    await one.steps.start(operations.subscribe);
    await one.steps.quiet();
    // As an earlier version left it, where a visit was under way.
    await changeKept(one.page, `{ choice: 'out', sent: null }`);
    expect(await whatIs(one)).toEqual(['opted-out', 1, 1]);
    await other.steps.start(operations.visit);
    await until('the visit to end it', async () => (await whatIs(other))[2] === 0);
    await other.steps.quiet();
    expect(await whatIs(one)).toEqual(out);
  });
});
