// tier: system
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browsers } from '../../../api/dashboard/web/notification/preview/browsers.ts';
import { type AppId, toId } from '../../../engine/contract/ids.ts';
import { appBody, callAs, deliveryBody } from '../../api/support.ts';
import { describeBrowser } from '../../support/browsers/describe-browsers.ts';
import { buildSubscriptions } from '../../support/builders.ts';
import { loopbackAllowed, startImageServer } from '../../support/images.ts';
import { axeFindings, keepScreenshot, looks, looksAt, lookWith } from './look.ts';
import { paintPicture } from './picture.ts';
import {
  arriveAt,
  click,
  errorAt,
  fillField,
  named,
  openAs,
  openStand,
  press,
  type Stand,
  type Tab,
  waitForText,
} from './stand.ts';

const SHOWN_IN = 'select[aria-label="Shown in"]';

/** The types of the page's own elements are not known here. */
interface FileField {
  uploadFile(path: string): Promise<void>;
}

describeBrowser('chromium', 'the page to write a notification', (executable) => {
  let stand: Stand;
  let tab: Tab;
  let app: string;
  let folder: string;
  let send: ReturnType<typeof callAs>;
  beforeAll(async () => {
    // No permit for a stream: pages must do without.
    stand = await openStand(executable, {
      progressStreams: { maxStreams: 0 },
      publicAddresses: loopbackAllowed,
    });
    const opened = await openAs(stand, { role: 'member' });
    ({ tab } = opened);
    send = callAs(stand.api.app, opened.person);
    app = String((await send('POST', '/apps', appBody())).json().data.identifier);
    folder = await mkdtemp(join(tmpdir(), 'broadside-compose-'));
  });
  afterAll(async () => {
    await stand.close();
    await rm(folder, { recursive: true, force: true });
  });

  const compose = async (title: string): Promise<void> => {
    await tab.goTo(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await fillField(tab, 'Title', title);
    await fillField(tab, 'Text', 'What happened today.');
    await fillField(tab, 'Link', `https://news.example.com/${encodeURIComponent(title)}`);
  };
  const choose = (label: string) => click(tab, `::-p-xpath(//label[normalize-space()="${label}"])`);
  const chooseFile = async (name: string, bytes: Buffer, at = 0): Promise<void> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    await tab.page.waitForSelector('input[type=file]');
    const input = (await tab.page.$$('input[type=file]'))[at];
    await (input as FileField | undefined)?.uploadFile(path);
  };

  /** The API does its work, and its answer gets lost on the way. */
  const loseNextAnswer = async (): Promise<void> => {
    const session = await tab.page.createCDPSession();
    session.once('Fetch.requestPaused', ({ requestId }) =>
      session
        .send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
        .then(() => session.detach()),
    );
    await session.send('Fetch.enable', {
      patterns: [{ urlPattern: '*/deliveries', requestStage: 'Response' }],
    });
  };
  /** The header and the button to send stay in sight above what is scrolled: no field is half under them. */
  const scrollClear = `(() => {
    document.querySelector('[data-path=image_file]')?.scrollIntoView({ block: 'center' });
    const top = document.querySelector('header').getBoundingClientRect().bottom;
    const bottom = document.querySelector('main button[type=submit]').parentElement.getBoundingClientRect().top;
    const isCut = (field) => {
      const box = field.getBoundingClientRect();
      return [top, bottom].some((edge) => box.top < edge && box.bottom > edge);
    };
    const fields = [...document.querySelectorAll('form :is(input, textarea, button, a):not([type=submit])')];
    for (let step = 0; step < 40 && fields.some(isCut); step++) scrollBy(0, 5);
  })()`;
  /** Every drawing. @returns what axe finds. */
  const lookAtPreviews = async (): Promise<string[]> => {
    const findings: string[] = [];
    for (const [place, { id, name: browser }] of browsers.entries()) {
      await tab.page.select(SHOWN_IN, id);
      for (const look of looksAt(place)) {
        await lookWith(tab.page, look);
        await tab.page.evaluate(scrollClear);
        findings.push(...(await axeFindings(tab.page)).map((finding) => `${browser}: ${finding}`));
        await keepScreenshot(tab.page, `compose-${browser.toLowerCase().replace(', ', '-')}-${look.name}`);
      }
    }
    await lookWith(tab.page, looks[0]);
    return findings;
  };
  /** As pasted: at once. */
  const paste = async (label: string, text: string): Promise<void> => {
    await fillField(tab, label, 'h');
    await tab.page.keyboard.press('Backspace');
    await tab.page.keyboard.sendCharacter(text);
  };

  it('takes an image and an icon as files: the image is in the preview, and both are sent with the buttons', async () => {
    await compose('With a picture');
    await choose('Upload');
    await chooseFile('large.png', Buffer.alloc(2_200_000));
    await waitForText(tab, 'The file is larger than 2 MB.');
    await chooseFile('storm.png', paintPicture(400, 200));
    await tab.page.waitForFunction(`document.querySelector('figure img')?.naturalWidth === 400`);
    await click(tab, '::-p-xpath((//label[normalize-space()="Upload"])[2])');
    await chooseFile('face.png', paintPicture(192, 192), 1);
    await press(tab, 'Add a button');
    await fillField(tab, 'Text of button 1', 'Read it');
    await fillField(tab, 'Link of button 1', 'news.example.com/more');
    expect(await lookAtPreviews()).toEqual([]);
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await arriveAt(tab, 'With a picture');
    const [made] = await stand.api.database.query(
      'SELECT image_url, icon_url, action_buttons FROM deliveries ORDER BY id DESC LIMIT 1',
    );
    expect(made).toMatchObject({
      image_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/images\/.+\.png$/),
      icon_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/images\/.+\.png$/),
      action_buttons: [{ title: 'Read it', url: 'https://news.example.com/more' }],
    });
    expect(tab.faults).toEqual([]);
  });

  it('shows the API’s errors at the fields, with everything typed still there', async () => {
    await compose('With a wrong picture');
    await choose('From a URL');
    await paste('Image URL', 'https://127.0.0.1/picture.png');
    await tab.page.keyboard.press('Tab');
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    expect(await errorAt(tab, 'Image URL')).not.toBe('');
    await waitForText(tab, 'Not sent');
    expect(await tab.page.evaluate(`document.querySelector('figure').innerText`)).toContain(
      'With a wrong picture',
    );
    // The picture itself cannot be shown: that is the browser's own lookup, of a host that is this machine.
    expect(tab.faults.filter((fault) => !fault.includes('picture.png'))).toEqual([]);
  });

  it('warns before sending that it is larger than push services accept', async () => {
    await compose('Long');
    await paste('Link', `https://news.example.com/${'long/'.repeat(395)}`);
    await tab.page.waitForFunction(`!document.body.innerText.includes('Too large for push services')`);
    await press(tab, 'Add a button');
    await paste('Link of button 1', `https://news.example.com/${'long/'.repeat(390)}`);
    await waitForText(tab, 'Too large for push services');
  });

  it('copies an earlier delivery with all of its options, unfolded', async () => {
    const made = await send(
      'POST',
      `/apps/${app}/deliveries`,
      deliveryBody({
        name: 'Teaser',
        topic: 'front-page',
        lane: 'breaking',
        rate_per_minute: 500,
        ttl_seconds: 90,
      }),
    );
    await tab.goTo(`/apps/${app}/compose?from=${made.json().data.id}`);
    await waitForText(tab, 'A copy of “Teaser”.');
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await press(tab, 'Send anyway');
    await arriveAt(tab, 'Teaser');
    const rows = await stand.api.database.query(
      `SELECT title, body, url, topic, lane, rate_per_minute, ttl_seconds, require_interaction
       FROM deliveries WHERE name = 'Teaser' ORDER BY id`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[1]).toEqual(rows[0]);
  });

  it('leads to a page that reads the delivery again every few seconds where it may not open a stream', async () => {
    const id = Number(/\/(\d+)$/.exec(tab.page.url())?.[1]);
    await waitForText(tab, 'Queued');
    await stand.api.database.query(
      `UPDATE deliveries SET status = 'processing', started_at = now(), total_subscribers = 10 WHERE id = $1`,
      [id],
    );
    await waitForText(tab, 'Updated every few seconds');
    await stand.api.database.query(
      `UPDATE deliveries SET status = 'success', completed_at = now(), success_count = 10 WHERE id = $1`,
      [id],
    );
    await waitForText(tab, 'Sent to every reader of the audience.');
  });

  it('sends once after an unanswered attempt and a retry', async () => {
    await compose('Sent once');
    await press(tab, 'Send …');
    await tab.page.waitForSelector(named('Send to 0 readers'));
    await loseNextAnswer();
    await press(tab, 'Send to 0 readers');
    await waitForText(tab, 'Not sent');
    await press(tab, 'Send …');
    await press(tab, 'Send to 0 readers');
    await arriveAt(tab, 'Sent once');
    const made = await stand.api.database.query(`SELECT id FROM deliveries WHERE title = 'Sent once'`);
    expect(made).toHaveLength(1);
  });

  it('shows the reach of a category: subscribers who chose it, and those who never chose any', async () => {
    const { database } = stand.api;
    const site = String((await send('POST', '/apps', appBody())).json().data.identifier);
    const category = (await send('POST', `/apps/${site}/delivery-categories`, { name: 'Sport' })).json().data
      .id;
    const [row] = await database.query<{ id: AppId }>('SELECT id FROM apps WHERE identifier = $1', [site]);
    await buildSubscriptions(database, toId<AppId>(row?.id), 1_300);
    await database.query(
      `UPDATE subscriptions SET category_ids = CASE WHEN seq < 1200 THEN ARRAY[$2::integer] ELSE ARRAY[]::integer[] END
       WHERE app_id = $1 AND seq < 1250`,
      [row?.id, category],
    );
    await tab.goTo(`/apps/${site}/compose`);
    await arriveAt(tab, 'Compose');
    await click(tab, named('Category', 'combobox'));
    await press(tab, 'Sport', 'option');
    await waitForText(tab, '1,200 of the audience chose it, and 50 never chose categories.');
    await waitForText(tab, '1,250 readers');
    await waitForText(tab, 'Readers who never chose receive every category.');
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'compose-category');
    // The image of an earlier test is where no stranger may lead us.
    expect(tab.faults.filter((fault) => !fault.includes('picture.png'))).toEqual([]);
  });

  it('takes the title and the image of a pasted link’s page, gives them back, and keeps typed text', async () => {
    const site = await startImageServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          '<title>Storm &amp; rain</title><meta property="og:image" content="https://127.0.0.1:1/storm.png">',
        ),
    );
    const shownIn = (label: string) =>
      tab.page.evaluate(`[...document.querySelectorAll('main input')].find((field) =>
        field.labels?.[0]?.textContent.startsWith(${JSON.stringify(label)}))?.value ?? null`);
    const pasteLink = async (): Promise<void> => {
      await paste('Link', site.url);
      await tab.page.evaluate(
        `document.activeElement.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }))`,
      );
    };
    await tab.goToAnew(`/apps/${app}/compose`);
    await arriveAt(tab, 'Compose');
    await pasteLink();
    await waitForText(tab, 'The title and the image were taken from the page.');
    expect([await shownIn('Title'), await shownIn('Image URL')]).toEqual([
      'Storm & rain',
      'https://127.0.0.1:1/storm.png',
    ]);
    expect(await axeFindings(tab.page)).toEqual([]);
    await keepScreenshot(tab.page, 'compose-proposed');
    await press(tab, 'Undo');
    expect([await shownIn('Title'), await shownIn('Image URL')]).toEqual(['', null]);
    await fillField(tab, 'Title', 'My own');
    await pasteLink();
    await waitForText(tab, 'The image was taken from the page.');
    expect(await shownIn('Title')).toBe('My own');
    await site.close();
  });

  it('has a few emoji, chosen by keyboard, put where the cursor was', async () => {
    await compose('Goal');
    const { page } = tab;
    await page.focus('main input');
    await page.keyboard.press('Home');
    await press(tab, 'Emoji');
    await page.waitForFunction(`document.activeElement?.textContent === '🔴'`);
    expect(await axeFindings(page)).toEqual([]);
    await keepScreenshot(page, 'compose-emoji');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key as 'ArrowDown');
    await page.keyboard.press('Enter');
    const title = `document.querySelector('main input').value`;
    await page.waitForFunction(
      `${title} === '⚽Goal' && document.activeElement === document.querySelector('main input')`,
    );
    await page.keyboard.type('!');
    expect(await page.evaluate(title)).toBe('⚽!Goal');
  });

  it('is sent by keyboard: about a dozen stops to the button, and Ctrl+Enter from any field', async () => {
    await compose('By keyboard');
    const focused = "document.activeElement.matches('main button[type=submit]')";
    await tab.page.focus('main input');
    let stops = 1;
    while (!(await tab.page.evaluate(focused)) && stops < 40) {
      await tab.page.keyboard.press('Tab');
      stops++;
    }
    expect(stops).toBeLessThanOrEqual(14);
    await tab.page.focus('main textarea');
    await tab.page.keyboard.down('Control');
    await tab.page.keyboard.press('Enter');
    await tab.page.keyboard.up('Control');
    await tab.page.waitForSelector('[role=dialog]');
    await tab.page.keyboard.press('Escape');
    await tab.page.waitForFunction("document.querySelector('[role=dialog]') === null");
  });
});
