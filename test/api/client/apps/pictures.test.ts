// tier: postgres
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import { removeUnusedImages } from '../../../../engine/adapters/postgres/removal/sweeps.ts';
import { writePng } from '../../../../engine/notification/icons/png-icon.ts';
import { appBody, openWithMember } from '../../support.ts';

const BASE = 'https://push.example.com/base';
const base64 = (name: string): string =>
  readFileSync(new URL(`../../../support/icons/${name}`, import.meta.url)).toString('base64');
const elsewhere = 'https://news.example.com/icon.png';

describe('the pictures of an app', async () => {
  const { api, call } = await openWithMember({ config: { publicBaseUrl: BASE } });

  const store = async (byte: number) => {
    const hash = Buffer.alloc(32, byte);
    await storeImage(api.database, { hash, contentType: 'image/png', bytes: Buffer.from('large') });
    await api.database.query(`UPDATE images SET small = 'small' WHERE hash = $1`, [hash]);
    return `${BASE}/images/${hash.toString('hex')}-192.png`;
  };
  const create = async (fields: object = {}) =>
    (await call('POST', '/apps', appBody(fields))).json().data.identifier as string;
  const patch = async (app: string, fields: object) => {
    const { name, site_domain } = appBody();
    return call('PATCH', `/apps/${app}`, { name, site_domain, ...fields });
  };

  it('are none at first, and are stated by every body that states the app', async () => {
    const app = await create();
    const none = { icon_url: null, badge_url: null, app_badge: false };
    expect((await call('GET', `/apps/${app}`)).json().data).toMatchObject(none);
    const given = { icon_url: elsewhere, badge_url: elsewhere, app_badge: true };
    expect((await patch(app, given)).json().data).toMatchObject(given);
    expect((await patch(app, { icon_url: null })).json().data).toMatchObject({ ...given, icon_url: null });
    const whole = await call('PUT', `/apps/${app}`, appBody(given));
    expect(whole.json().data).toMatchObject(given);
    expect((await call('PUT', `/apps/${app}`, appBody())).json().data).toMatchObject(none);
    expect((await call('POST', '/apps', appBody(given))).json().data).toMatchObject(given);
  });

  it('of ours are kept as paths, so that another address of the installation needs no change', async () => {
    const icon = await store(1);
    const app = await create({ icon_url: icon });
    expect((await call('GET', `/apps/${app}`)).json().data.icon_url).toBe(icon);
    const [row] = await api.database.query<{ icon_url: string }>(
      'SELECT icon_url FROM apps WHERE identifier = $1',
      [app],
    );
    expect(row?.icon_url).toBe(`/images/${'01'.repeat(32)}-192.png`);
    const list = (await call('GET', '/apps?per_page=100')).json().data as { identifier: string }[];
    expect(list.find(({ identifier }) => identifier === app)).toMatchObject({ icon_url: icon });
  });

  it.each([
    ['http://news.example.com/icon.png', 'must be a URL that starts with https://'],
    ['javascript:alert(1)', 'must be a URL that starts with http:// or https://'],
    [`${BASE}/images/${'0'.repeat(64)}-192.png`, 'names an image that is not here: upload it again'],
    [`${BASE}/images/${'0'.repeat(64)}.jpg`, 'names an image that is not here: upload it again'],
  ])('are refused as %s', async (url, words) => {
    const app = await create();
    for (const field of ['icon_url', 'badge_url']) {
      const answer = await patch(app, { [field]: url });
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        { [field]: [`The ${field} field ${words}.`] },
      ]);
      expect((await call('POST', '/apps', appBody({ [field]: url }))).statusCode).toBe(422);
    }
  });

  it('stay while their app is there, also those that were replaced', async () => {
    const app = await create({ icon_url: await store(2) });
    await patch(app, { icon_url: elsewhere });
    await store(3);
    await api.database.query(`UPDATE images SET used_at = now() - interval '2 days'`);
    const sweep = async () => {
      await removeUnusedImages(api.database, 100);
      const rows = await api.database.query<{ hash: Buffer }>('SELECT hash FROM images ORDER BY hash');
      return rows.map(({ hash }) => hash[0]);
    };
    expect(await sweep()).toEqual([1, 2]);
    await api.database.query('DELETE FROM apps WHERE identifier = $1', [app]);
    expect(await sweep()).toEqual([1]);
  });

  it('are uploaded as files, and served at two sizes by their hash', async () => {
    const app = await create();
    const answer = await call('POST', `/apps/${app}/pictures`, {
      use: 'icon',
      file: base64('pillow-cmyk.jpg'),
    });
    expect([answer.statusCode, answer.json().errors]).toEqual([200, undefined]);
    const { icon_url } = answer.json().data;
    expect(icon_url).toMatch(/^https:\/\/push\.example\.com\/base\/images\/[0-9a-f]{64}-192\.png$/);
    const path = icon_url.slice(BASE.length);
    for (const [url, side] of [
      [path, 192],
      [path.replace('-192', ''), 200],
    ]) {
      const served = await api.app.inject({ method: 'GET', url });
      expect(served.rawPayload.readUInt32BE(16)).toBe(side);
      expect(served.headers).toMatchObject({ 'cache-control': expect.stringContaining('immutable') });
      const again = { 'if-none-match': String(served.headers.etag) };
      expect((await api.app.inject({ method: 'GET', url, headers: again })).statusCode).toBe(304);
    }
    const badge = await call('POST', `/apps/${app}/pictures`, {
      use: 'badge',
      file: base64('pillow-badge.png'),
    });
    expect(badge.json().data).toMatchObject({
      icon_url,
      badge_url: expect.stringMatching(/[0-9a-f]{64}\.png$/),
    });
    const same = await call('POST', `/apps/${await create()}/pictures`, {
      use: 'icon',
      file: base64('pillow-cmyk.jpg'),
    });
    expect(same.json().data.icon_url).toBe(icon_url);
  });

  it('may be files of hundreds of kilobytes, and no other body is that large', async () => {
    const app = await create();
    const data = new Uint8Array(512 * 512 * 4).map((_, at) => (at * 2_654_435_761) >>> 24);
    const file = writePng({ width: 512, height: 512, data, colours: [] }).toString('base64');
    expect(file.length).toBeGreaterThan(300_000);
    expect((await call('POST', `/apps/${app}/pictures`, { use: 'icon', file })).statusCode).toBe(200);
    const crowded = { use: 'icon', file: 'A', more: Array.from({ length: 200_000 }, () => 1) };
    expect((await call('POST', `/apps/${app}/pictures`, crowded)).statusCode).toBe(413);
    const long = await call('POST', `/apps/${app}/pictures`, { use: 'icon', file: 'A'.repeat(2_796_300) });
    expect([long.statusCode, long.json().errors?.file]).toEqual([422, expect.any(Array)]);
    expect((await call('PATCH', `/apps/${app}`, { name: file })).statusCode).toBe(413);
  });

  it('are refused with what to do instead', async () => {
    const app = await create();
    for (const [use, name, words] of [
      ['badge', 'pillow-profile.png', /white square/],
      ['badge', 'pillow-baseline.jpg', /must be a PNG/],
      ['icon', 'pillow-badge.png', /at least 192/],
    ] as const) {
      const answer = await call('POST', `/apps/${app}/pictures`, { use, file: base64(name) });
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        { file: [expect.stringMatching(words)] },
      ]);
    }
    expect((await call('GET', `/apps/${app}`)).json().data.badge_url).toBeNull();
  });

  it('are noted in the audit log by their fields', async () => {
    const app = await create();
    await patch(app, { badge_url: elsewhere, app_badge: true });
    const [entry] = await api.database.query<{ detail: object }>(
      `SELECT detail FROM audit_log WHERE subject_id = $1 AND action = 'app.updated'`,
      [app],
    );
    expect(entry?.detail).toEqual({ fields: ['badge_url', 'app_badge'] });
  });
});
