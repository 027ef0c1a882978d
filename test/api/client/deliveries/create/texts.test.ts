// tier: postgres

import ece from 'http_ece';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readDelivery } from '../../../../support/builders.ts';
import { createLogStore, startEngineHarness, until } from '../../../../support/engine-harness.ts';
import { createRealSender } from '../../../../support/real-sender.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { makeSubscriber, type Subscriber, startLittlePushService } from '../../../../worker/support.ts';
import { appBody, openWithMember } from '../../../support.ts';

const words = { name: 'Storm', title: 'Storm', body: 'What to know', url: 'https://news.example.com/storm' };
const german = { language: 'de', title: 'Sturm', body: 'Was man weiß' };
const brazilian = { language: 'pt-BR', title: 'Tempestade', body: 'O que se sabe' };

interface Shown {
  readonly title: string;
  readonly lang?: string;
  readonly navigate: string;
}

describe('a delivery with several texts', async () => {
  const browsers: Subscriber[] = [];

  /** Two of no language, and more than a block in all. */
  const languages = [null, 'de', 'de-AT', 'pt', 'fr', null];
  const READERS = 1_030;
  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  const appId = await appIdOf(api.database, identifier);
  const push = await startLittlePushService();
  for (let n = 0; n < READERS; n++) browsers.push(makeSubscriber());
  await api.database.query(
    `WITH app AS (UPDATE apps SET next_seq = $2, subscriber_count = $2, active_subscriber_count = $2 WHERE id = $1)
       INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, vapid_key_number, language, tags)
       SELECT $1, n - 1, $3 || '/push/' || n - 1, decode(p256dh, 'hex'), decode(auth, 'hex'), 1, language,
         CASE WHEN n % 2 = 0 THEN '{"name": "Reader \\"' || n - 1 || '\\"", "other": "secret"}' ELSE '{}' END::jsonb
       FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS s (p256dh, auth, language, n)`,
    [
      ...[appId, READERS, push.origin],
      browsers.map(({ p256dh }) => p256dh.toString('hex')),
      browsers.map(({ auth }) => auth.toString('hex')),
      browsers.map((_, n) => languages[n % languages.length]),
    ],
  );
  const sender = createRealSender(push.ca);
  const engine = await startEngineHarness({ database: api.database, logStore: createLogStore(), sender });
  afterAll(async () => {
    await engine.close();
    await sender.close();
    await push.close();
  });
  beforeEach(() => {
    push.received.length = 0;
  });

  const refusal = async (rest: object): Promise<Record<string, string[]>> => {
    const made = await call('POST', path, { ...words, ...rest });
    expect(made.statusCode, made.body).toBe(422);
    return made.json().errors;
  };
  const created = async (rest: object) => {
    const made = await call('POST', path, { ...words, ...rest });
    expect(made.statusCode, made.body).toBe(201);
    return made.json().data;
  };
  const arrived = async (id: number): Promise<Map<number, Shown>> => {
    await until(
      'it to end',
      async () => (await readDelivery(api.database, id as never)).status === 'success',
    );
    const shown = push.received.map(({ path: endpoint, body }): [number, Shown] => {
      const seq = Number(endpoint.split('/').at(-1));
      const { ecdh, auth } = browsers[seq] as Subscriber;
      const plaintext = ece.decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth });
      return [seq, JSON.parse(plaintext.toString()).notification];
    });
    expect(shown).toHaveLength(READERS);
    return new Map(shown);
  };

  it('reaches each reader once, in their language, and everyone else in its own', async () => {
    const { id, ...delivery } = await created({ language: 'EN', translations: [german, brazilian] });
    expect(delivery).toMatchObject({
      language: 'en',
      translations: [{ ...german, url: null, action_buttons: null }, { language: 'pt-BR' }],
      personal: false,
    });
    const shown = await arrived(id);
    const titles = { null: 'Storm', de: 'Sturm', 'de-AT': 'Sturm', pt: 'Tempestade', fr: 'Storm' };
    for (const [seq, { title, lang }] of shown) {
      const language = languages[seq % languages.length] ?? null;
      expect([seq, title]).toEqual([seq, titles[`${language}` as keyof typeof titles]]);
      expect(lang).toBe(title === 'Sturm' ? 'de' : title === 'Storm' ? 'en' : 'pt-BR');
    }
  });

  it('names each reader’s tag, and nobody else’s', async () => {
    const { id, personal, title } = await created({
      title: 'Hello {{ tag.name | default: "you" }}',
      url: 'https://news.example.com/storm?for={{ tag.name }}',
      translations: [{ ...german, title: 'Hallo {{ tag.name | default: "du" }}' }],
    });
    expect([personal, title]).toEqual([true, 'Hello {{ tag.name | default: "you" }}']);
    const shown = await arrived(id);
    for (const [seq, { title, navigate }] of shown) {
      const german = ['de', 'de-AT'].includes(languages[seq % languages.length] ?? '');
      const name = seq % 2 === 1 ? `Reader "${seq}"` : german ? 'du' : 'you';
      expect(title).toBe(`${german ? 'Hallo' : 'Hello'} ${name}`);
      expect(new URL(navigate).searchParams.get('for')).toBe(seq % 2 === 1 ? name : '');
    }
  });

  it('is refused with the field to fix', async () => {
    expect(await refusal({ translations: [german, { ...german, language: 'DE' }] })).toEqual({
      translations: ['The translations field must not name a language twice.'],
    });
    expect(await refusal({ language: 'no language' })).toEqual({
      language: ['The language field must be a language, such as de or pt-BR.'],
    });
    expect(await refusal({ translations: [{ ...german, body: '{{ tga.name }}' }] })).toEqual({
      'translations.0.body': [expect.stringContaining('reads tga.name, which is not known')],
    });
    expect(await refusal({ url: 'https://{{ tag.host }}/' })).toHaveProperty('url');
    expect(await refusal({ url: 'https://news.example.com/a b{{ tag.x }}' })).toHaveProperty('url');
  });

  it('is measured by the largest that it can become', async () => {
    const tag = (n: number, rest = '') => `{{ tag.t${n}${rest} }}`;
    const many = (rest = '') => `x ${[1, 2, 3, 4, 5].map((n) => tag(n, rest)).join('')}`;
    const told =
      /may make a notification of \d+ bytes with the longest tags.*truncate: 40.*shorten this field by \d+/;
    expect(await refusal({ title: many(), body: many() })).toEqual({
      title: [expect.stringMatching(told)],
      body: [expect.stringMatching(told)],
    });
    const { id } = await created({ title: many(' | truncate: 40'), body: many(' | truncate: 40') });
    await arrived(id);
  });

  it('keeps its languages when it is changed, and says them in its versions', async () => {
    const { id } = await created({ translations: [german], scheduled_at: '2999-01-31T07:00:00Z' });
    const change = (body: object) => call('PATCH', `${path}/${id}`, body);
    const first = await change({ title: 'Big storm' });
    expect(first.json().data).toMatchObject({ title: 'Big storm', translations: [{ language: 'de' }] });
    expect((await change({ title: 'Big {{ storm }}' })).json().errors).toHaveProperty('title');
    const second = await change({
      translations: [],
      language: 'en',
      body: 'For {{ tag.name | default: "you" }}',
    });
    expect(second.json().data).toMatchObject({ language: 'en', translations: [], personal: true });
    const versions = (await call('GET', `${path}/${id}/versions`)).json().data;
    expect(versions).toMatchObject([
      { title: 'Storm', translations: [{ title: 'Sturm' }] },
      { title: 'Big storm', translations: [{ title: 'Sturm' }] },
    ]);
    expect((await change({ scheduled_at: null })).statusCode).toBe(200);
    const shown = await arrived(id);
    expect(new Set([...shown.values()].map(({ title }) => title))).toEqual(new Set(['Big storm']));
  });

  it('is corrected in its languages, or in one for everyone', async () => {
    const { id } = await created({ translations: [german] });
    await arrived(id);
    push.received.length = 0;
    const { name, ...right } = { ...words, title: 'No storm' };
    const correct = (body: object) => call('POST', `${path}/${id}/correction`, { ...right, ...body });
    const refused = await correct({});
    expect([refused.statusCode, refused.json().errors.translations[0]]).toEqual([
      422,
      expect.stringContaining('the delivery has texts in de'),
    ]);
    const corrected = await correct({ translations: [{ ...german, title: 'Kein Sturm' }] });
    expect(corrected.statusCode, corrected.body).toBe(201);
    const shown = await arrived(corrected.json().data.id);
    expect([0, 1, 2, 3].map((seq) => shown.get(seq)?.title)).toEqual([
      ...['No storm', 'Kein Sturm', 'Kein Sturm', 'No storm'],
    ]);
  });

  it('is each of a campaign’s, too', async () => {
    const made = await call('POST', path.replace('deliveries', 'campaigns'), {
      name: 'Storm',
      notifications: [
        { ...words, name: undefined, title: 'A {{ tag.name | default: "x" }}', translations: [german] },
        { ...words, name: undefined, title: 'B', translations: [brazilian] },
      ],
      plan: { kind: 'ab_test', test_percent: 100, decide_by: 'never', decide_after_minutes: 60 },
    });
    expect(made.statusCode, made.body).toBe(201);
    const { id, notifications } = made.json().data;
    expect(notifications[0]).toMatchObject({
      title: 'A {{ tag.name | default: "x" }}',
      translations: [german],
    });
    await until('both to end', async () => {
      const list = (await call('GET', `${path}?campaign_id=${id}`)).json().data;
      return list.length === 2 && list.every(({ status }: { status: string }) => status === 'success');
    });
    const titles = push.received.map(({ path: endpoint, body }) => {
      const { ecdh, auth } = browsers[Number(endpoint.split('/').at(-1))] as Subscriber;
      const plaintext = ece.decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth });
      return JSON.parse(plaintext.toString()).notification.title.replace(/Reader.*/, 'Reader');
    });
    expect(titles).toHaveLength(READERS);
    expect(new Set(titles)).toEqual(new Set(['A x', 'A Reader', 'Sturm', 'B', 'Tempestade']));
    const wrong = await call('POST', path.replace('deliveries', 'campaigns'), {
      ...{
        name: 'x',
        notifications: [words, { ...words, title: '{{ x }}' }].map((each) => ({ ...each, name: undefined })),
      },
      plan: { kind: 'ab_test', test_percent: 100, decide_by: 'never', decide_after_minutes: 60 },
    });
    expect(wrong.json().errors).toHaveProperty('notifications.1.title');
  });
});
