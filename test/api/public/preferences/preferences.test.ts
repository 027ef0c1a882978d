// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPreferenceLinks } from '../../../../api/shared/preferences/link.ts';
import { createSite, type Site } from '../../../support/site.ts';
import { MASTER_KEY, openTestApi } from '../../support.ts';

let site: Site;
let secret: string;
const api = await openTestApi();
beforeEach(async () => {
  site = await createSite(api.app, api.database);
  secret = randomBytes(32).toString('base64url');
  await site.post('subscribe', site.subscribeBody({ browserSecret: secret, language: 'en' }));
});

interface Wishes {
  readonly max_notifications: number | null;
  readonly window_minutes: number | null;
  readonly paused_until: Date | null;
  readonly quiet_from: string | null;
  readonly revision: number;
}

const wishes = () =>
  api.database.query<Wishes>('SELECT * FROM reader_wishes WHERE app_id = $1 ORDER BY seq', [site.appId]);
const read = async (browserSecret = secret, more: object = {}) =>
  site.post('preferences', { browserSecret, ...more });
const addressOf = async (browserSecret = secret): Promise<string> =>
  new URL((await read(browserSecret)).json().url).pathname;
const open = (url: string, language = 'en') =>
  api.app.inject({ url, headers: { 'accept-language': language } });
const submit = (url: string, fields: readonly (readonly [string, string])[]) =>
  api.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  });
const addCategory = async (name: string): Promise<number> => {
  const [row] = await api.database.query<{ id: number }>(
    'INSERT INTO delivery_categories (app_id, name) VALUES ($1, $2) RETURNING id',
    [site.appId, name],
  );
  return row?.id ?? 0;
};

describe('the page of a reader’s preferences', () => {
  it('shows what there is to choose, and keeps what the form posts', async () => {
    const [sports, news] = [await addCategory('Sports <b>'), await addCategory('News')];
    const url = await addressOf();
    const { statusCode, body, headers } = await open(url);
    expect(statusCode).toBe(200);
    expect(body).toContain('Sports &lt;b&gt;');
    expect(body).not.toContain('<script');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const saved = await submit(url, [
      ...[['act', 'save'] as const, ['fewer', '3-day'] as const],
      ...[['shown', `${sports}`] as const, ['shown', `${news}`] as const, ['category', `${news}`] as const],
      ...[['quiet', 'on'] as const, ['from', '21:30'] as const, ['to', '06:00'] as const],
    ]);
    expect(saved.statusCode).toBe(303);
    const next = new URL(String(saved.headers.location), `http://api${url}`);
    expect(`${next.pathname}${next.search}`).toBe(`${url}?saved=1`);
    expect(await wishes()).toMatchObject([
      { max_notifications: 3, window_minutes: 1_440, quiet_from: '21:30', paused_until: null, revision: 1 },
    ]);
    expect((await site.rows())[0]?.category_ids).toEqual([news]);
    const again = (await open(`${url}?saved=1`)).body;
    expect(again).toContain('Saved.');
    expect(again).toContain('<option value="3-day" selected>');
  });

  it('gives a reader who wants every topic those that come later, and keeps one that came meanwhile', async () => {
    const [sports, news] = [await addCategory('Sports'), await addCategory('News')];
    const url = await addressOf();
    const shown = [['shown', `${sports}`] as const, ['shown', `${news}`] as const];
    const late = await addCategory('Late');
    await submit(url, [['act', 'save'], ...shown, ['category', `${news}`]]);
    expect((await site.rows())[0]?.category_ids).toEqual([news, late]);
    await submit(url, [['act', 'save'], ...shown, ['category', `${news}`], ['category', `${sports}`]]);
    expect((await site.rows())[0]?.category_ids).toBeNull();
  });

  it('pauses for a week, ends the pause, and unsubscribes, each as often as it is asked', async () => {
    const url = await addressOf();
    for (const _ of [1, 2]) expect((await submit(url, [['act', 'pause']])).statusCode).toBe(303);
    const until = (await wishes())[0]?.paused_until?.getTime() ?? 0;
    expect(Math.abs(until - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
    expect((await open(url)).body).toContain('Paused until');
    await submit(url, [['act', 'resume']]);
    expect((await wishes())[0]?.paused_until).toBeNull();
    for (const _ of [1, 2]) await submit(url, [['act', 'leave']]);
    expect((await site.rows()).map(({ status }) => status)).toEqual(['unsubscribed']);
    const { counted, real } = await site.books();
    expect(counted).toEqual(real);
    expect((await open(url)).body).toContain('You get no notifications from');
    expect((await read()).json()).toMatchObject({ subscribed: false, hasLeft: true, revision: 5 });
  });

  it('is in the language that its address or the browser names, and from right to left where that is', async () => {
    const url = await addressOf();
    expect((await open(url, 'de-AT')).body).toContain('<html lang="de" dir="ltr">');
    expect((await open(`${url}?lang=he`, 'de')).body).toContain('<html lang="he" dir="rtl">');
    expect((await open(`${url}?lang=he&lang=ar`, 'ar')).body).toContain('<html lang="ar" dir="rtl">');
    const { headers } = await submit(`${url}?lang=ja`, [['act', 'pause']]);
    expect(headers.location).toContain('?lang=ja&saved=1');
  });

  it('is nobody’s whose address is forged, too old, or of a subscription that is gone', async () => {
    const url = await addressOf();
    const token = url.split('/').at(-1) ?? '';
    const bytes = Buffer.from(token, 'base64url');
    let tried = 0;
    for (let at = 0; at < bytes.length; at++) {
      const forged = Buffer.from(bytes);
      forged[at] = (forged[at] ?? 0) ^ 1;
      const answer = await submit(`/preferences/${forged.toString('base64url')}`, [['act', 'leave']]);
      expect(answer.statusCode).toBe(410);
      tried++;
    }
    expect(tried).toBe(28);
    expect((await site.rows()).map(({ status }) => status)).toEqual(['subscribed']);
    const old = createPreferenceLinks(MASTER_KEY).issue(
      { appId: site.appId, subscriptionId: 1 },
      Date.now() - 2 * 86_400_000,
      1,
    );
    expect((await open(old.path)).statusCode).toBe(410);
    expect((await open('/preferences/x')).body).toContain('no longer valid');
    await submit(url, [['act', 'pause']]);
    await api.database.query('DELETE FROM subscriptions WHERE app_id = $1', [site.appId]);
    expect(await wishes()).toEqual([]);
    expect((await open(url, 'fr')).body).toContain('Ce lien n’est plus valable');
    expect((await submit(url, [['act', 'pause']])).statusCode).toBe(410);
  });

  it.each([
    ['an act that there is not', [['act', 'delete']]],
    [
      'a cap that is not offered',
      [
        ['act', 'save'],
        ['fewer', '0-day'],
      ],
    ],
    [
      'a time that no clock shows',
      [
        ['act', 'save'],
        ['quiet', 'on'],
        ['from', '25:00'],
        ['to', '06:00'],
      ],
    ],
    [
      'a category that is not a number',
      [
        ['act', 'save'],
        ['shown', 'x'],
      ],
    ],
  ] as const)('changes nothing for %s', async (_name, fields) => {
    const url = await addressOf();
    const answer = await submit(url, fields);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, url.split('/').at(-1)]);
    expect(await wishes()).toEqual([]);
  });
});

describe('the preferences of a browser’s secret', () => {
  it('are read and changed by it alone', async () => {
    const quietHours = { from: '22:00', to: '07:00' };
    const changed = await read(secret, { choices: { fewer: '5-week', quietHours }, pause: true });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers['cache-control']).toBe('no-store');
    expect(changed.json()).toMatchObject({
      ...{ subscribed: true, hasLeft: false, categoryIds: null, quietHours: { on: true, ...quietHours } },
      texts: { title: 'Your notifications' },
    });
    expect(await wishes()).toMatchObject([{ max_notifications: 5, window_minutes: 10_080 }]);
    const strangers = randomBytes(32).toString('base64url');
    expect((await read(strangers, { unsubscribe: true })).statusCode).toBe(422);
    const { userId } = site.subscribeBody();
    expect((await site.post('preferences', { userId, unsubscribe: true })).statusCode).toBe(422);
    expect((await site.rows()).map(({ status }) => status)).toEqual(['subscribed']);
  });

  it('are another row’s at another app', async () => {
    const other = await createSite(api.app, api.database);
    expect((await other.post('preferences', { browserSecret: secret, pause: true })).statusCode).toBe(422);
    expect(await wishes()).toEqual([]);
  });
});
