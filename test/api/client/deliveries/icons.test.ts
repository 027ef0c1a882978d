// tier: postgres
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import { removeUnusedImages } from '../../../../engine/adapters/postgres/removal/sweeps.ts';
import { loopbackAllowed, makePng, startImageServer } from '../../../support/images.ts';
import { appBody, bearer, deliveryBody, openWithMember } from '../../support.ts';

const base = 'https://push.example.com';
const later = '2999-01-31T12:00:00Z';
/** Each is another picture by its size. */
const pictures = {
  face: makePng({ width: 96 }),
  mark: makePng({ width: 97 }),
  german: makePng({ width: 98 }),
};
type Name = keyof typeof pictures;
const hashOf = (name: Name): string => createHash('sha256').update(pictures[name]).digest('hex');
const servedAs = (name: Name): string => `${base}/images/${hashOf(name)}.png`;

describe('a notification’s own icon', async () => {
  const asked: string[] = [];
  const server = await startImageServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(pictures[(request.url ?? '').slice(1) as Name] ?? 'no picture');
  });
  const { api, member, call } = await openWithMember({
    publicAddresses: loopbackAllowed,
    config: { publicBaseUrl: base },
  });
  const identifier = (await call('POST', '/apps', appBody())).json().data.identifier;
  afterAll(() => server.close());

  const at = (name: Name): string => `${server.url}/${name}`;
  const app = (path = '/deliveries'): string => `/apps/${identifier}${path}`;
  const made = async (answer: ReturnType<typeof call>, status = 201) => {
    const { statusCode, json } = await answer;
    expect([statusCode, json().errors]).toEqual([status, undefined]);
    return json().data;
  };
  const create = (changes: object = {}) => made(call('POST', app(), deliveryBody(changes)));
  const shownBy = async (id: number) => {
    const [row] = await api.database.query<{ plaintext: Buffer; texts: { parts: string[] }[] | null }>(
      `SELECT plaintext, wording -> 'texts' AS texts FROM deliveries WHERE id = $1`,
      [id],
    );
    const all = row?.texts?.map(({ parts }) => String(parts[0])) ?? [row?.plaintext.toString() ?? ''];
    return all.map((text) => JSON.parse(text).notification);
  };
  const setFace = (changes: object) =>
    made(
      call('PATCH', app(''), { name: 'Example News', site_domain: 'https://news.example.com', ...changes }),
      200,
    );

  it('is fetched once, kept by us, and named by the resource and the notification', async () => {
    asked.length = 0;
    const data = await create({
      icon_url: at('face'),
      language: 'en',
      translations: [
        { language: 'de', title: 'T', body: 'B', icon_url: at('german') },
        { language: 'fr', title: 'T', body: 'B', icon_url: at('face') },
        { language: 'ar', title: 'T', body: 'B' },
      ],
    });
    expect(asked).toEqual(['/face', '/german']);
    expect(data.icon_url).toBe(servedAs('face'));
    const own = data.translations.map((each: { icon_url: string | null }) => each.icon_url);
    expect(own).toEqual([servedAs('german'), servedAs('face'), null]);
    const icons = (await shownBy(data.id)).map(({ icon, dir }) => [icon, dir]);
    expect(icons).toEqual([
      [servedAs('face'), undefined],
      [servedAs('german'), undefined],
      [servedAs('face'), undefined],
      [servedAs('face'), 'rtl'],
    ]);
    // What we gave is not fetched again.
    await create({ icon_url: data.icon_url });
    expect(asked).toHaveLength(2);
  });

  it('is the app’s where it has none, as the app has it when it is written', async () => {
    await setFace({
      icon_url: 'https://news.example.com/icon.png',
      badge_url: 'https://news.example.com/b.png',
    });
    const plain = await create();
    expect(plain.icon_url).toBeNull();
    const [shown] = await shownBy(plain.id);
    expect(shown).toMatchObject({
      icon: 'https://news.example.com/icon.png',
      badge: 'https://news.example.com/b.png',
    });
    const [own] = await shownBy((await create({ icon_url: at('face') })).id);
    expect(own).toMatchObject({ icon: servedAs('face'), badge: 'https://news.example.com/b.png' });
    expect('app_badge' in own).toBe(false);
    await setFace({ app_badge: true });
    const [counting] = await shownBy((await create()).id);
    expect(counting.app_badge).toBe(1);
    await setFace({ icon_url: null, badge_url: null, app_badge: false });
    expect('icon' in (await shownBy((await create()).id))[0]).toBe(false);
  });

  it('is refused as an image is, at its own field', async () => {
    const errorsOf = async (changes: object) => {
      const answer = await call('POST', app(), deliveryBody(changes));
      return [answer.statusCode, Object.keys(answer.json().errors ?? {})];
    };
    expect(await errorsOf({ icon_url: at('nothing' as Name) })).toEqual([422, ['icon_url']]);
    expect(await errorsOf({ icon_url: 'ftp://x.example/a.png' })).toEqual([422, ['icon_url']]);
    expect(await errorsOf({ icon_url: `https://x.example/${'a'.repeat(2_048)}` })).toEqual([
      422,
      ['icon_url'],
    ]);
    const translations = [{ language: 'de', title: 'T', body: 'B', icon_url: at('nothing' as Name) }];
    expect(await errorsOf({ translations })).toEqual([422, ['translations.0.icon_url']]);
  });

  it('may be a file of a form, beside an image', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(deliveryBody())) form.set(name, String(value));
    form.set('image_url', new File([new Uint8Array(pictures.mark)], 'mark.png', { type: 'image/png' }));
    form.set('icon_url', new File([new Uint8Array(pictures.face)], 'face.png', { type: 'image/png' }));
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const send = async (key: string, payload: Buffer) =>
      api.app.inject({
        method: 'POST',
        url: `/api/v1/client${app()}`,
        headers: {
          ...bearer(member.token),
          'content-type': request.headers.get('content-type') ?? '',
          'idempotency-key': key,
        },
        payload,
      });
    const whole = Buffer.from(await request.arrayBuffer());
    const first = await send('form-1', whole);
    expect([first.statusCode, first.json().errors]).toEqual([201, undefined]);
    expect(first.json().data).toMatchObject({ image_url: servedAs('mark'), icon_url: servedAs('face') });
    expect((await send('form-1', whole)).headers['idempotency-replayed']).toBe('true');
    const other = Buffer.from(
      whole
        .toString('latin1')
        .replace(pictures.face.toString('latin1'), () => pictures.german.toString('latin1')),
      'latin1',
    );
    const clash = await send('form-1', other);
    expect([clash.statusCode, Object.keys(clash.json().errors)]).toEqual([422, ['idempotency-key']]);
  });

  it('makes another request of the same key', async () => {
    const send = (icon_url: string) =>
      api.app.inject({
        method: 'POST',
        url: `/api/v1/client${app()}`,
        headers: { ...bearer(member.token), 'idempotency-key': 'icon-1' },
        payload: deliveryBody({ icon_url }),
      });
    expect((await send(at('face'))).statusCode).toBe(201);
    expect((await send(at('mark'))).statusCode).toBe(422);
    expect((await send(at('face'))).headers['idempotency-replayed']).toBe('true');
  });

  it('stays, is replaced and is cleared by a change, and versions have it', async () => {
    const { id } = await create({ scheduled_at: later, icon_url: at('face') });
    const change = (body: object) => made(call('PATCH', app(`/deliveries/${id}`), body), 200);
    expect((await change({ title: 'Another' })).icon_url).toBe(servedAs('face'));
    expect((await change({ icon_url: at('mark') })).icon_url).toBe(servedAs('mark'));
    expect((await shownBy(id))[0].icon).toBe(servedAs('mark'));
    expect((await change({ icon_url: null })).icon_url).toBeNull();
    expect('icon' in (await shownBy(id))[0]).toBe(false);
    const versions = await made(call('GET', app(`/deliveries/${id}/versions`)), 200);
    expect(versions.map((each: { icon_url: string }) => each.icon_url)).toEqual([
      ...[servedAs('face'), servedAs('face'), servedAs('mark')],
    ]);
    const kept = await api.database.query(`SELECT hash FROM delivery_icons WHERE delivery_id = $1`, [id]);
    expect(kept).toEqual([]);
  });

  it('goes on with a correction, in each language', async () => {
    const translations = [{ language: 'de', title: 'T', body: 'B', icon_url: at('german') }];
    const { id } = await create({ icon_url: at('face'), translations });
    await api.database.query(`UPDATE deliveries SET status = 'success', started_at = now() WHERE id = $1`, [
      id,
    ]);
    const corrected = await made(
      call('POST', app(`/deliveries/${id}/correction`), {
        ...{ title: 'Right', body: 'B', url: 'https://news.example.com/1' },
        ...{
          icon_url: servedAs('face'),
          translations: [{ ...translations[0], icon_url: servedAs('german') }],
        },
      }),
    );
    expect([corrected.icon_url, corrected.translations[0].icon_url]).toEqual([
      servedAs('face'),
      servedAs('german'),
    ]);
  });

  it('belongs to variants of a campaign, to the items of a feed and to the welcome', async () => {
    const say = (icon_url?: string) => ({
      title: 'T',
      body: 'B',
      url: 'https://news.example.com/1',
      icon_url,
    });
    const campaign = await made(
      call('POST', app('/campaigns'), {
        name: 'Test',
        notifications: [say(at('face')), say()],
        plan: { kind: 'ab_test', test_percent: 20, starts_at: later },
      }),
    );
    const icons = campaign.notifications.map((each: { icon_url?: string }) => each.icon_url);
    expect(icons).toEqual([servedAs('face'), undefined]);
    const feed = await made(
      call('POST', app('/campaigns'), {
        name: 'Feed',
        plan: { kind: 'feed', url: 'https://news.example.com/rss', mapping: { icon_url: at('mark') } },
      }),
    );
    expect(feed.plan.mapping.icon_url).toBe(servedAs('mark'));
    const welcome = await made(call('PUT', app('/welcome'), { enabled: true, ...say(at('german')) }), 200);
    expect(welcome.icon_url).toBe(servedAs('german'));
    const off = { ...welcome, enabled: false, image_url: undefined };
    expect((await made(call('PUT', app('/welcome'), off), 200)).icon_url).toBe(servedAs('german'));
  });

  it('is kept as long as something names it', async () => {
    await api.database.query(`UPDATE images SET used_at = now() - interval '2 days'`);
    const unused = makePng({ width: 99 });
    const hash = createHash('sha256').update(unused).digest();
    await storeImage(api.database, { hash, contentType: 'image/png', bytes: unused });
    await api.database.query(`UPDATE images SET used_at = now() - interval '2 days' WHERE hash = $1`, [hash]);
    expect(await removeUnusedImages(api.database, 100)).toBe(1);
    for (const name of ['face', 'mark', 'german'] as const) {
      const answer = await api.app.inject({ method: 'GET', url: new URL(servedAs(name)).pathname });
      expect([name, answer.statusCode]).toEqual([name, 200]);
    }
    await api.database.query('DELETE FROM delivery_icons');
    // The campaigns and the welcome still have theirs.
    expect(await removeUnusedImages(api.database, 100)).toBe(0);
  });

  it('tells which field to shorten, and by how many bytes', async () => {
    const url = `https://news.example.com/${'a'.repeat(1_990)}`;
    const action_buttons = [
      { title: 'One', url },
      { title: 'Two', url: 'https://news.example.com/2' },
    ];
    const errorsOf = async (changes: object) =>
      (
        await call('POST', app(), deliveryBody({ url, action_buttons, icon_url: at('face'), ...changes }))
      ).json().errors;
    const [[field, [words]]] = Object.entries(await errorsOf({})) as [[string, [string]]];
    const bytes = Number(/shorten this field by (\d+) bytes?/.exec(words)?.[1]);
    expect(['url', 'action_buttons.0.url']).toContain(field);
    expect(bytes).toBeGreaterThan(0);
    const shorter = url.slice(0, -bytes);
    const fitted =
      field === 'url'
        ? { url: shorter }
        : { action_buttons: [{ title: 'One', url: shorter }, action_buttons[1]] };
    expect(await errorsOf(fitted)).toBeUndefined();
    const oneMore =
      field === 'url'
        ? { url: `${shorter}a` }
        : { action_buttons: [{ title: 'One', url: `${shorter}a` }, action_buttons[1]] };
    expect(Object.values(await errorsOf(oneMore))[0]).toEqual([expect.stringContaining('by 1 byte.')]);
  });
});
