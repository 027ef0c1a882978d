// tier: system
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appBody, callAs } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { type ImageServer, loopbackAllowed, startImageServer } from '../../support/images.ts';
import { axeFindings, keepScreenshot } from './look.ts';
import { arriveAt, openAs, openStand, press, type Stand, type Tab, waitForText } from './stand.ts';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../support/icons/${name}`, import.meta.url));
const shownImages = `[...document.querySelectorAll('main img')].map((image) => [image.alt, image.naturalWidth])`;

describeBrowser('chromium', 'the pictures of an app in the dashboard', (executable) => {
  let stand: Stand;
  let site: ImageServer;
  beforeAll(async () => {
    site = await startImageServer(({ url }, response) => {
      response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'image/png' });
      response.end(url === '/' ? '<title>News</title>' : readFileSync(pathOf('pillow-rgba.png')));
    });
    stand = await openStand(executable, { publicAddresses: loopbackAllowed });
  });
  afterAll(async () => {
    await stand?.close();
    await site?.close();
  });

  async function openSettings() {
    const { tab, person } = await openAs(stand);
    const call = callAs(stand.api.app, person);
    const made = await call('POST', '/apps', { ...appBody(), site_domain: site.url });
    const app = String(made.json().data.identifier);
    const read = async () => (await call('GET', `/apps/${app}`)).json().data;
    await tab.goTo(`/apps/${app}/settings`);
    await arriveAt(tab, 'App settings');
    await waitForText(tab, 'Icon and badge');
    return { tab, app, read };
  }
  const upload = async ({ page }: Tab, use: 'icon' | 'badge', name: string) => {
    const inputs = await page.$$('main input[type=file]');
    const input = inputs[use === 'icon' ? 0 : 1];
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(pathOf(name));
  };

  it('are uploaded, seen as they are drawn, and taken back; an opaque badge is a white square', async () => {
    const { tab, app, read } = await openSettings();
    await upload(tab, 'icon', 'pillow-lossless.webp');
    await waitForText(tab, 'Pictures saved.');
    await tab.page.waitForFunction(
      `${shownImages}.some(([alt, width]) => alt === 'Icon of the app' && width === 192)`,
    );
    const { icon_url } = await read();
    expect(icon_url).toMatch(/-192\.png$/);
    await upload(tab, 'badge', 'pillow-profile.png');
    await waitForText(tab, 'This is how Android would draw it.');
    await waitForText(tab, 'white square');
    expect((await read()).badge_url).toBeNull();
    await keepScreenshot(tab.page, 'app-pictures');
    await upload(tab, 'badge', 'pillow-badge.png');
    await tab.page.waitForFunction(
      `${shownImages}.some(([alt, width]) => alt === 'Badge as Android draws it' && width === 96)`,
    );
    await press(tab, 'Remove the icon');
    await tab.page.waitForFunction(`!${shownImages}.some(([alt]) => alt === 'Icon of the app')`);
    await press(tab, 'Undo');
    await waitForText(tab, 'The pictures are back as they were.');
    expect((await read()).icon_url).toBe(icon_url);
    expect(await axeFindings(tab.page)).toEqual([]);
    await tab.page.setViewport({ width: 390, height: 844 });
    await keepScreenshot(tab.page, 'app-pictures-phone');
    await tab.goTo(`/apps/${app}`);
    await waitForText(tab, 'Notifications have your icon');
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('are found on the site, taken with one press, and undone with another', async () => {
    const { tab, read } = await openSettings();
    await press(tab, 'Find them on your site');
    await waitForText(tab, 'Your site has these');
    await waitForText(tab, `${site.url}/apple-touch-icon.png`);
    await keepScreenshot(tab.page, 'app-pictures-found');
    await press(tab, 'Use these');
    await waitForText(tab, 'Pictures saved.');
    expect((await read()).icon_url).toMatch(/-192\.png$/);
    await press(tab, 'Undo');
    await waitForText(tab, 'The pictures are back as they were.');
    expect((await read()).icon_url).toBeNull();
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
