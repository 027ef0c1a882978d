// tier: system
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/browsers/accessibility.ts';
import { borrowPush } from '../support/browsers/borrowed-push.ts';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { type Newsroom, startNewsroom } from '../support/browsers/newsroom.ts';
import { openChromium, type ReadersBrowser, setNotifications } from '../support/browsers/readers.ts';

describeBrowser('chromium', 'the prompt', (executable) => {
  let newsroom: Newsroom;
  let browser: ReadersBrowser;

  beforeAll(async () => {
    newsroom = await startNewsroom();
  });
  afterAll(() => newsroom?.stop());
  beforeEach(async () => {
    browser = await openChromium(executable, newsroom.site.origin);
  });
  afterEach(async () => {
    await browser.close();
  });

  interface Front {
    readonly prompt?: object;
    readonly body?: string;
    readonly policy?: string;
    /** After `init`, and untouched: a test's own evaluate is a gesture to Chromium. */
    readonly after?: string;
  }
  /** The front page as the publisher made it. */
  const visit = async (
    { prompt, body = '<p>News</p>', policy, after = '' }: Front,
    prepare = async (page: Page): Promise<void> => void (await borrowPush(page, newsroom.push)),
  ): Promise<Page> => {
    const { site, apiUrl, appId } = newsroom;
    const options = JSON.stringify({ appId, baseUrl: apiUrl, ...(prompt && { prompt }) });
    const script = `addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective));
      window.ready = Broadside.init(${options}); ${after}`;
    site.setPage({ apiUrl, body, script, ...(policy === undefined ? {} : { policy }) });
    const page = await browser.newPage();
    await prepare(page);
    await page.goto(site.origin);
    if (after === '') await page.evaluate('ready');
    return page;
  };
  const setPermission = (page: Page, setting: 'prompt' | 'denied'): Promise<void> =>
    setNotifications(page, newsroom.site.origin, setting);
  const named = (page: Page, name: string) => page.waitForSelector(`aria/${name}`);
  /** By the keyboard alone: Tab until it has the focus, then the key. */
  const press = async (page: Page, name: string, key: 'Enter' | 'Space' | 'Escape'): Promise<void> => {
    const wanted = await named(page, name);
    for (let tabs = 0; tabs < 10; tabs++) {
      await page.keyboard.press('Tab');
      const isThere = await wanted?.evaluate((element) => {
        const root = element.getRootNode() as unknown as { activeElement: unknown };
        return root.activeElement === element;
      });
      if (isThere) return page.keyboard.press(key);
    }
    throw new Error(`“${name}” is not reached by Tab`);
  };

  it('shows a bell by default, reached, named and pressed by the keyboard', async () => {
    const page = await visit({});
    await press(page, 'Turn notifications on', 'Enter');
    await named(page, 'Turn notifications off');
    await page.waitForSelector('>>> [role=status]::-p-text(Notifications are on.)');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Space');
    await named(page, 'Turn notifications on');
    await page.waitForSelector('>>> [role=status]::-p-text(Notifications are off.)');
  });

  it('opens a slide-down by a call right after the snippet, before the SDK has come', async () => {
    const page = await visit({ after: 'void Broadside.prompt();' });
    await page.waitForSelector('>>> [role=region] button');
    expect(await page.evaluate(`Broadside.prompt('bar').then(() => 'shown')`)).toBe('shown');
  });

  it('says what to call first, where it is called before init', async () => {
    const page = await visit({});
    await page.evaluate('delete window[Symbol.for("broadside")].first');
    const ending = await page.evaluate(`Broadside.prompt().catch((error) => error.message)`);
    expect(ending).toContain('init needs appId and baseUrl');
  });

  it('asks for no preferences of a browser that has no subscription: its console stays clean', async () => {
    const errors: string[] = [];
    const src = `${newsroom.apiUrl}/sdk/v1/preferences.js`;
    const body = `<broadside-preferences></broadside-preferences><script nonce="news" src="${src}"></script>`;
    const page = await visit({ body }, async (fresh) => {
      fresh.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await borrowPush(fresh, newsroom.push);
    });
    // By now the browser has a secret, and the API has never heard of it.
    await page.reload({ waitUntil: 'networkidle0' });
    await page.evaluate('ready');
    expect(errors.filter((text) => !text.includes('favicon'))).toEqual([]);
  });

  it('shows a bar with the publisher’s texts and colours, speaks it, and is gone after a yes', async () => {
    const texts = { question: 'Sturmwarnungen?', accept: 'Ja', later: 'Nein', subscribed: 'Läuft.' };
    const colours = { background: '#102030', text: '#ffffff', accent: '#ffd54a', accentText: '#000000' };
    const page = await visit({ prompt: { kind: 'bar', place: 'top', afterSeconds: 0, texts, colours } });
    await page.waitForSelector('>>> [role=region][aria-label="Sturmwarnungen?"]');
    const style = `getComputedStyle(document.querySelector('broadside-prompt').shadowRoot.querySelector('.bar'))`;
    expect(await page.evaluate(`${style}.backgroundColor`)).toBe('rgb(16, 32, 48)');
    await page.waitForSelector('>>> [role=status]::-p-text(Sturmwarnungen?)');
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, 'Ja', 'Enter');
    await page.waitForSelector('>>> [role=status]::-p-text(Läuft.)');
    expect(await page.$('>>> [role=region]')).toBeNull();
  });

  it('puts the bar away by Escape, and does not ask again on the next visit', async () => {
    const prompt = { kind: 'bar', afterSeconds: 0 };
    const page = await visit({ prompt });
    await press(page, 'Not now', 'Escape');
    await page.waitForFunction(
      `!document.querySelector('broadside-prompt').shadowRoot.querySelector('.bar')`,
    );
    const again = await visit({ prompt });
    await again.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
    expect(await again.$('broadside-prompt')).toBeNull();
    const asked = await visit({ prompt: { ...prompt, againAfterDays: 0 } });
    await named(asked, 'Not now');
  });

  it('takes an element of the page, which the keyboard reaches though it is not a button', async () => {
    const body = '<div id="alerts">Notifications</div>';
    const page = await visit({ body, prompt: { kind: 'element', element: '#alerts' } });
    await page.waitForSelector('#alerts[data-broadside-state=unsubscribed][aria-pressed=false]');
    await press(page, 'Notifications', 'Space');
    await page.waitForSelector('#alerts[data-broadside-state=subscribed][aria-pressed=true]');
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('needs no more of a strict policy than to name the API', async () => {
    const policy = `default-src 'none'; script-src 'nonce-news'; connect-src ${newsroom.apiUrl}; worker-src 'self'`;
    const problems: string[] = [];
    const page = await visit({ policy }, async (fresh) => {
      fresh.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await borrowPush(fresh, newsroom.push);
    });
    await press(page, 'Turn notifications on', 'Enter');
    await named(page, 'Turn notifications off');
    // The browser asks for it by itself.
    expect(problems.filter((text) => !text.includes('favicon') && !text.includes('img-src'))).toEqual([]);
  });

  it('does not ask for the permission unless the reader does something', async () => {
    const said = Promise.withResolvers<string>();
    const after = `ready.then((broadside) => broadside.subscribe()).then(console.info, (error) => console.info(error.message));`;
    await visit({ after }, async (fresh) => {
      await setPermission(fresh, 'prompt');
      fresh.on('console', (message) => message.type() === 'info' && said.resolve(message.text()));
    });
    expect(await said.promise).toContain('call subscribe() from a click or key press');
  });

  it('shows readers who have blocked notifications where to allow them', async () => {
    const page = await visit({}, async (fresh) => {
      await setPermission(fresh, 'denied');
    });
    await press(page, 'Turn notifications on', 'Enter');
    await page.waitForSelector('>>> [role=status]::-p-text(Notifications are blocked.)');
    expect(await page.evaluate('ready.then((broadside) => broadside.state())')).toBe('denied');
  });

  it('explains the home screen on an iPhone', async () => {
    const page = await visit({}, async (fresh) => {
      await fresh.setUserAgent({
        userAgent:
          'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      });
      // As Safari outside of the home screen.
      await fresh.evaluateOnNewDocument('delete window.PushManager; delete window.Notification;');
    });
    expect(await page.evaluate('ready.then((broadside) => broadside.state())')).toBe('needs-home-screen');
    await press(page, 'Turn notifications on', 'Enter');
    await page.waitForSelector('>>> [role=status]::-p-text(Add to Home Screen)');
  });

  it('shows nothing in a browser without web push', async () => {
    const page = await visit({}, async (fresh) => {
      await fresh.evaluateOnNewDocument('delete window.PushManager; delete window.Notification;');
    });
    expect(await page.evaluate('ready.then((broadside) => broadside.state())')).toBe('unsupported');
    await page.waitForSelector('broadside-prompt[hidden]');
  });
});
