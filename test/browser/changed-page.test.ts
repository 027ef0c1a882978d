// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeEachBrowser } from '../support/browsers/each-browser.ts';
import { changeKept } from '../support/browsers/kept-profile.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import type { Readers, ReadersBrowser } from '../support/browsers/readers.ts';
import { putSdkOn, type Visit, visit } from '../support/browsers/visit.ts';
import { until } from '../support/engine-harness.ts';

/** What pages do to what every script of theirs shares, before the SDK comes. */
const changes: Readonly<Record<string, string>> = {
  // `https://github.com/prototypejs/prototype/issues/327`
  'as Prototype 1.6 does': `
    for (const { prototype } of [Array, String, Number, Date])
      prototype.toJSON = function () { return '"' + String(this) + '"'; };
    Array.prototype.map = Array.prototype.collect = function (work, context) {
      const results = [];
      this.forEach((value, index) => results.push((work ?? ((each) => each)).call(context, value, index)));
      return results;
    };
    Array.prototype.entries = Array.prototype.toArray = function () { return this.concat(); };
    Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
    Array.from = (given) => Array.prototype.slice.call(given);
    Object.keys = (given) => { const names = []; for (const name in given) names.push(name); return names; };
    Object.values = (given) => { const all = []; for (const name in given) all.push(given[name]); return all; };`,
  'with another `Promise`': `window.Promise = class { constructor() { throw new Error('another Promise'); } };`,
  'with a `JSON` of its own': `window.JSON = {
    stringify: () => 'another JSON', parse: () => { throw new Error('another JSON'); } };`,
  'with a `fetch` that throws': `window.fetch = () => { throw new Error('another fetch'); };`,
  'with a `fetch` that answers nothing': `window.fetch = async () => ({});`,
  'with more on all objects': `Object.assign(Object.prototype, { each() {}, extend() {}, toJSON() { return 'changed'; },
    scope: '/elsewhere/', type: 'other', signal: 'none', mode: 'other', keyPath: 'none', prompt: { kind: 'bar' } });`,
};

describeEachBrowser('a page that is not ours', ({ start, prepare, hasOwnPush }) => {
  let newsroom: Newsroom;
  let readers: Readers;
  let browser: ReadersBrowser;
  let page: Page | undefined;
  beforeAll(async () => {
    newsroom = await startNewsroom();
    readers = await start(newsroom);
  });
  afterAll(async () => {
    await readers?.close();
    await newsroom?.stop();
  });
  beforeEach(async () => {
    putSdkOn(newsroom);
    browser = await readers.open();
  });
  afterEach(() => browser.close());

  const options = (): string => {
    const { appId, apiUrl: baseUrl } = newsroom;
    return JSON.stringify({ appId, baseUrl, prompt: { kind: 'element', element: '#notify' } });
  };
  const open = (): Promise<Visit> =>
    visit(browser, newsroom.site.origin, (fresh) => {
      page = fresh;
      return prepare(fresh, newsroom);
    });
  const mine = async ({ run }: Visit) => {
    const { userId } = (await run('broadside.user()')) as { userId: string };
    const path = `/apps/${newsroom.appId}/subscriptions?search=${userId}`;
    return (await newsroom.client.get<{ data: { status: string; tags: object }[] }>(path)).data;
  };
  /** By a click of the reader, with a tag, and off again. */
  const isUsable = async (reader: Visit): Promise<void> => {
    await reader.shows('unsubscribed');
    await reader.click();
    await reader.shows('subscribed');
    await reader.run(`broadside.setTags({ city: 'Köln "Süd"', topic: 'sports' })`);
    await reader.run('broadside.setCategories([])');
    await reader.run(`broadside.setExternalIds({ account: 'Ada 😀' })`);
    const tags = { city: 'Köln "Süd"', topic: 'sports' };
    expect(await mine(reader)).toMatchObject([{ status: 'subscribed', tags }]);
    await reader.click();
    await reader.shows('opted-out');
    expect(await mine(reader)).toMatchObject([{ status: 'unsubscribed' }]);
  };

  // The borrowed push client is a script of the page itself, and would be changed as well.
  const tried = hasOwnPush ? Object.entries(changes) : [];
  it.each(tried)('%s has readers as any other', async (_, script) => {
    const { apiUrl, site } = newsroom;
    const body = `<button id="notify">Notifications</button><script>${script}</script>`;
    site.setPage({ apiUrl, body, script: `window.ready = Broadside.init(${options()});` });
    await isUsable(await open());
  });

  it('that requires Trusted Types needs only to allow the SDK’s policy', async () => {
    const { apiUrl, site } = newsroom;
    const policy = `default-src 'none'; script-src 'nonce-news'; connect-src ${apiUrl}; worker-src 'self';
      require-trusted-types-for 'script'; trusted-types broadside`.replaceAll('\n', ' ');
    site.setPage({ apiUrl, policy, script: `window.ready = Broadside.init(${options()});` });
    const reader = await open();
    await isUsable(reader);
    // The second file of the SDK goes the same way.
    await reader.run('broadside.help().then(() => 0)');
    await page?.waitForSelector('>>> dialog[open]');
  });

  it('whose `<base>` leads to another origin has the worker of its own', async () => {
    const { apiUrl, site } = newsroom;
    const body = '<base href="https://elsewhere.example/"><button id="notify">Notifications</button>';
    site.setPage({ apiUrl, body, script: `window.ready = Broadside.init(${options()});` });
    const reader = await open();
    await isUsable(reader);
    await reader.page.evaluate(`location.hash = 'broadside-test=token'; 0`);
    await until(
      'the token to be taken off',
      async () => (await reader.page.evaluate('location.hash')) === '',
    );
    expect(reader.page.url()).toBe(`${site.origin}/`);
  });

  it('that calls init twice has one bell and is told so', async () => {
    const { apiUrl, appId, site } = newsroom;
    const given = JSON.stringify({ appId, baseUrl: apiUrl, prompt: { kind: 'bell' } });
    const script = `window.warnings = [];
      console.warn = (...said) => warnings.push(said.join(' '));
      window.ready = Broadside.init(${given});`;
    site.setPage({ apiUrl, body: '<p>News</p>', script });
    const { page } = await open();
    expect(
      await page.evaluate(`Broadside.init(${given}).then(async (second) => second === await ready)`),
    ).toBe(true);
    // The snippet may be in the page twice as well.
    await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = '${apiUrl}/sdk/v1/broadside.js';
      script.onload = () => resolve(0);
      document.head.append(script);
    })`);
    expect(await page.evaluate(`Broadside.init(${given}).then(async (third) => third === await ready)`)).toBe(
      true,
    );
    expect(await page.evaluate('document.querySelectorAll("broadside-prompt").length')).toBe(1);
    const warnings = (await page.evaluate('warnings')) as readonly string[];
    expect(warnings.filter((text) => text.includes('init() was called before'))).toHaveLength(2);
  });

  it('whose storage does not open is told why, and subscribes once it does', async () => {
    const reader = await visit(browser, newsroom.site.origin, async (fresh) => {
      await prepare(fresh, newsroom);
      await fresh.evaluateOnNewDocument(`(() => {
        const { open } = IDBFactory.prototype;
        window.isBroken = true;
        IDBFactory.prototype.open = function (...given) {
          if (window.isBroken) throw new DOMException('The disk is full', 'UnknownError');
          return open.apply(this, given);
        };
      })()`);
    });
    expect(await reader.run('broadside.state()')).toBe('unsubscribed');
    const said = await reader.run(`broadside.subscribe().then(() => '', ({ message }) => message)`);
    expect(said).toMatch(/^Broadside: IndexedDB does not open: .*The disk is full/);
    await reader.page.evaluate('window.isBroken = false; 0');
    await reader.click();
    await reader.shows('subscribed');
    expect(await mine(reader)).toMatchObject([{ status: 'subscribed' }]);
  });

  it('sends a reader again whose clock was ahead when they subscribed', async () => {
    const reader = await open();
    await reader.click();
    await reader.shows('subscribed');
    await changeKept(reader.page, '{ sent: { ...kept.sent, atMs: Date.now() + 31_536_000_000 } }');
    const sent = (): number => newsroom.front.requests.filter(({ path }) => path === 'subscribe').length;
    const before = sent();
    await reader.page.reload();
    await until('it to be sent again', () => sent() > before);
  });
});
