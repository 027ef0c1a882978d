// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachBrowser } from '../support/browsers/each-browser.ts';
import { type HeldSteps, holdSteps } from '../support/browsers/held-steps.ts';
import { changeKept } from '../support/browsers/kept-profile.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import type { Readers, ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, type Visit, visit } from '../support/browsers/visit.ts';
import { cases, isThorough } from '../support/cases.ts';
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

describeEachBrowser('two tabs of one reader', ({ start, prepare, hasOwnPush }) => {
  let newsroom: Newsroom;
  let readers: Readers;
  let one: Tab;
  let other: Tab;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    putSdkOn(newsroom);
    readers = await start(newsroom);
    const browser = await readers.open();
    one = await openTab(browser);
    other = await openTab(browser);
  });
  afterAll(async () => {
    await readers?.close();
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

  /** What both pages say and the browser holds, and how often the API has their reader. */
  async function whatIs(): Promise<readonly unknown[]> {
    const script = `Promise.all([broadside.state(), broadside.user(), navigator.serviceWorker.getRegistration()])
      .then(async ([state, { userId }, found]) => ({
        userId, page: [state, (await found?.pushManager.getSubscription()) ? 1 : 0] }))`;
    const said = await Promise.all([one, other].map(({ run }) => run(script)));
    const [first, second] = said as { readonly userId: string; readonly page: readonly unknown[] }[];
    expect(second?.userId).toBe(first?.userId);
    const { data } = await newsroom.client.get<{ data: { status: string }[] }>(
      `/apps/${newsroom.appId}/subscriptions?search=${first?.userId}&status=subscribed`,
    );
    return [first?.page, second?.page, data.length];
  }
  const agreed = (state: string, held: number) => [[state, held], [state, held], held];
  const subscribed = agreed('subscribed', 1);
  const out = agreed('opted-out', 0);

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
    expect([where, ...(await whatIs())]).toEqual([where, ...expected]);
    return true;
  }

  const isNo = (pair: readonly Operation[]): boolean => pair.includes('unsubscribe');
  const pairs = names
    .flatMap((first) => names.map((second) => [first, second] as const))
    // Where nobody says no, in a quick run a pair is played in one of the browsers.
    .filter((pair, at) => isThorough || isNo(pair) || at % 2 === Number(hasOwnPush));

  it.each(pairs)(
    '%s and %s leave state, row and push subscription in agreement, wherever the first is held',
    async (first, second) => {
      // After a no each step in both browsers, in a quick run in one of them; otherwise half of that.
      const stride = cases(2, 1) * (isNo([first, second]) ? 1 : 2);
      const from = hasOwnPush ? 0 : Math.floor(stride / 2);
      let held = 0;
      while (await check(first, second, from + held * stride)) held++;
      expect(held).toBeGreaterThan(1);
    },
  );

  it('end a subscription that a no has left behind, with the next visit', async () => {
    await one.steps.start(operations.subscribe);
    await one.steps.quiet();
    // As an earlier version left it, where a visit was under way.
    await changeKept(one.page, `{ choice: 'out', sent: null }`);
    expect(await whatIs()).toEqual(agreed('opted-out', 1));
    await other.steps.start(operations.visit);
    await until('the visit to end it', async () => (await whatIs())[2] === 0);
    await other.steps.quiet();
    expect(await whatIs()).toEqual(out);
  });
});
