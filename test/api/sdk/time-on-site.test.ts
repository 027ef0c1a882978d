// tier: unit
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Named at run time: it is checked with the types of browsers, by the project of the SDK. */
const part = fileURLToPath(new URL('../../../api/sdk/browser/time-on-site.ts', import.meta.url));
const KEY = 'broadside-seconds';

describe('the time that pages of the site were in view', () => {
  let kept: Map<string, string>;
  let nowMs: number;
  const page = { hidden: false };
  beforeEach(() => {
    kept = new Map();
    nowMs = 0;
    page.hidden = false;
    vi.stubGlobal('document', page);
    vi.stubGlobal('performance', { now: () => nowMs });
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());
  /** As each page of the site loads it. */
  const open = async () => {
    vi.resetModules();
    return ((await import(part)) as { secondsOnSite: (heard?: number) => number }).secondsOnSite;
  };
  const pass = (seconds: number): void => {
    nowMs += seconds * 1_000;
  };

  it('is counted while a page is in view, and not while it is hidden, over visits', async () => {
    const secondsOnSite = await open();
    expect(secondsOnSite()).toBe(0);
    pass(30);
    page.hidden = true;
    expect(secondsOnSite()).toBe(30);
    pass(600);
    page.hidden = false;
    expect(secondsOnSite()).toBe(30);
    pass(12);
    expect(secondsOnSite()).toBe(42);
    const next = await open();
    next();
    pass(8);
    expect(next()).toBe(50);
  });

  it('is told once: what the API has heard is no longer in the sum', async () => {
    const secondsOnSite = await open();
    secondsOnSite();
    pass(90);
    expect(secondsOnSite()).toBe(90);
    pass(5);
    secondsOnSite(90);
    expect(secondsOnSite()).toBe(5);
  });

  it.each(['1e300', 'Infinity', '-Infinity', 'NaN', '-1e300', '{}', '9'.repeat(400)])(
    'is a number that the API takes, though the page’s storage says %s',
    async (text) => {
      kept.set(KEY, text);
      const secondsOnSite = await open();
      secondsOnSite();
      pass(1);
      const said = secondsOnSite();
      expect(Number.isInteger(said) && said >= 0 && said <= 2_147_483_647).toBe(true);
      secondsOnSite(said);
      pass(7);
      expect(secondsOnSite()).toBe(7);
    },
  );

  it('is nothing where the browser keeps nothing', async () => {
    vi.stubGlobal('localStorage', undefined);
    const secondsOnSite = await open();
    pass(10);
    expect(secondsOnSite()).toBe(0);
  });
});
