import type { Page } from 'puppeteer-core';
import { until } from '../engine-harness.ts';

/**
 * Everything that an operation of the SDK waits for outside of the page, one after another: a request, the push manager,
 * the site's worker. One of them can be held, before it is asked or with its answer, while something else happens.
 */
export interface HeldSteps {
  /**
   * Starts something of which the step of this number is held: two a call, before it and with its answer.
   * @returns false where it ended before.
   */
  holdAt(step: number, script: string): Promise<boolean>;
  /** Starts something of which nothing is held. */
  start(script: string): Promise<void>;
  release(): Promise<void>;
  /** Resolves when nothing that was started is under way. @throws what it failed with. */
  quiet(): Promise<void>;
}

const QUIET_LOOKS = 4;

/** Before the site's page. */
export async function holdSteps(page: Page): Promise<HeldSteps> {
  await page.evaluateOnNewDocument(hold);
  const evaluate = async (script: string): Promise<boolean> => (await page.evaluate(script)) as boolean;
  // A visit goes on by itself between two steps, with what the browser keeps. Timers of a tab in the background are slow.
  const isQuiet = async (): Promise<boolean> => {
    for (let looks = 0; looks < QUIET_LOOKS; looks++) {
      if (!(await evaluate('steps.isQuiet()'))) return false;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return true;
  };
  const start = (step: number | 'Infinity', script: string): Promise<unknown> =>
    page.evaluate(`steps.start(${step}, async () => { ${script} })`);
  return {
    async holdAt(step, script) {
      await start(step, script);
      let isHeld = false;
      await until('a step to be held, or the end', async () => {
        isHeld = await evaluate('steps.isHeld()');
        return isHeld || isQuiet();
      });
      return isHeld;
    },
    start: async (script) => void (await start('Infinity', script)),
    release: async () => void (await page.evaluate('steps.release?.()')),
    async quiet() {
      await until('everything to end', isQuiet);
      const failure = await page.evaluate('steps.failure');
      if (failure !== null) throw new Error(String(failure));
    },
  };
}

const hold = `(() => {
  const steps = (window.steps = { left: Infinity, release: null, failure: null, isHeld, isQuiet, start });
  let running = 0;
  let wake = () => {};
  const meet = () => steps.left-- !== 0 ? undefined : new Promise((resolve) => {
    steps.release = () => { steps.release = null; resolve(); };
    wake();
  });
  const counted = async (work) => {
    running++;
    try { return await work(); } finally { if (--running === 0) wake(); }
  };
  // Until a step is held or nothing is under way: to look again and again would take most of a test.
  async function stopped() {
    if (running > 0 && steps.release === null) await new Promise((resolve) => { wake = resolve; });
  }
  async function isHeld() {
    await stopped();
    return steps.release !== null;
  }
  function start(step, work) {
    Object.assign(steps, { left: step, failure: null });
    void counted(work).catch((error) => { steps.failure = String(error); });
  }
  async function isQuiet() {
    await stopped();
    const { held, pending } = await navigator.locks.query();
    return running + held.length + pending.length === 0;
  }
  const holding = (owner, name) => {
    const real = owner[name];
    owner[name] = function (...given) {
      return counted(async () => {
        await meet();
        const answer = await real.apply(this, given);
        // A borrowed subscription has its own.
        if (answer && Object.hasOwn(answer, 'unsubscribe')) holding(answer, 'unsubscribe');
        await meet();
        return answer;
      });
    };
  };
  holding(window, 'fetch');
  for (const name of ['register', 'getRegistration']) holding(ServiceWorkerContainer.prototype, name);
  for (const name of ['subscribe', 'getSubscription']) holding(PushManager.prototype, name);
  holding(PushSubscription.prototype, 'unsubscribe');
})()`;
