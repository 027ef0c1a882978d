// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Face } from '../../engine/contract/face.ts';
import { buildNotification, MAX_PLAINTEXT_BYTES } from '../../engine/notification/notification.ts';
import { buildTexts, type TextsContent } from '../../engine/notification/texts.ts';
import { cases } from '../support/cases.ts';

const face: Face = {
  icon: 'https://push.example.com/images/app.png',
  badge: 'https://push.example.com/images/mark.png',
  counts: false,
};
const content = (changes: Partial<TextsContent> = {}): TextsContent => ({
  ...{ title: 'Storm', body: 'What to know', url: 'https://news.example.com/1', imageUrl: null, buttons: [] },
  ...{ topic: null, requireInteraction: false, silent: false, vibratePattern: [], language: null },
  ...{ translations: [], mayBePersonal: true },
  ...changes,
});
const origin = { app: 'news-1', delivery: `dlv_${'a'.repeat(16)}`, proof: 'p'.repeat(22) };
const messageOf = (changes: Partial<TextsContent> = {}) =>
  JSON.parse(buildNotification(content(changes), origin, []).toString());
const translation = (language: string, iconUrl: string | null) => ({
  ...{ language, title: 'T', body: 'B', url: null, buttons: null, iconUrl },
});

describe('the face of a notification', () => {
  it('is the app’s, whole addresses, where it has none of its own', () => {
    expect(messageOf({ face }).notification).toMatchObject({ icon: face.icon, badge: face.badge });
    const bare = messageOf().notification;
    for (const name of ['icon', 'badge', 'app_badge', 'dir', 'lang']) expect(name in bare).toBe(false);
  });

  it('has its own icon, and each language its own, otherwise that of the main text', () => {
    const own = 'https://push.example.com/images/author.png';
    const german = 'https://push.example.com/images/german.png';
    expect(messageOf({ face, iconUrl: own }).notification).toMatchObject({ icon: own, badge: face.badge });
    const { wording } = buildTexts(
      content({ face, iconUrl: own, translations: [translation('de', german), translation('fr', null)] }),
      origin,
      [],
    );
    const icons = wording?.texts.map(({ parts }) => JSON.parse(String(parts[0])).notification.icon);
    expect(icons).toEqual([own, german, own]);
  });

  it('is right to left in languages that are', () => {
    expect(messageOf({ language: 'ar' }).notification).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect(messageOf({ language: 'az-Arab' }).notification.dir).toBe('rtl');
    expect('dir' in messageOf({ language: 'az' }).notification).toBe(false);
    const { wording } = buildTexts(
      content({ language: 'en', translations: [translation('he', null)] }),
      origin,
      [],
    );
    const directions = wording?.texts.map(({ parts }) => JSON.parse(String(parts[0])).notification.dir);
    expect(directions).toEqual([undefined, 'rtl']);
  });

  /** Which part of the message each Safari reads: `api/docs/browsers.md` has the whole table. */
  it.each([
    ['18.4', 'notification', 'before WebKit 295319@main'],
    ['18.6', 'notification', 'before WebKit 295319@main'],
    ['26.0', 'top', 'WebKit bug 293457, 295319@main'],
  ])('lets Safari %s count without a worker: %s (%s)', (_version, place) => {
    const message = messageOf({ face: { ...face, counts: true } });
    const part = place === 'top' ? message : message.notification;
    // WebKit refuses the whole message where it is neither digits nor a number of 0 or more.
    expect(part.app_badge).toBe(1);
    const without = messageOf({ face });
    expect(['app_badge' in without, 'app_badge' in without.notification]).toEqual([false, false]);
  });

  it('is left out where what is said leaves no room: the badge first, then the app’s icon', () => {
    const [icon, badge] = [
      `https://cdn.example.com/${'i'.repeat(200)}`,
      `https://cdn.example.com/${'b'.repeat(200)}`,
    ];
    const shownOf = (free: number) => {
      const changes = { face: { icon, badge, counts: true } };
      const bare = buildNotification(content(), origin, []).length;
      const url = `https://news.example.com/${'u'.repeat(MAX_PLAINTEXT_BYTES - bare - free)}`;
      const { plaintext, mostBytes } = buildTexts(content({ ...changes, url }), origin, []);
      expect(mostBytes).toBeLessThanOrEqual(MAX_PLAINTEXT_BYTES);
      const { notification } = JSON.parse(plaintext.toString());
      return ['icon', 'badge'].filter((name) => name in notification);
    };
    expect(shownOf(600)).toEqual(['icon', 'badge']);
    expect(shownOf(350)).toEqual(['icon']);
    expect(shownOf(100)).toEqual([]);
  });
});

const unit = fc.constantFrom('a', 'ż', '"', '\\', '中', '😀', '\n');
const text = (most: number) => fc.string({ unit, minLength: 1, maxLength: most, size: 'max' });
const address = fc
  .string({ unit: fc.constantFrom('a', '/', 'é', '%41'), maxLength: 2_000, size: 'max' })
  .map((path) => `https://news.example.com/${path}`);
const served = fc.constantFrom(`https://push.example.com/images/${'c'.repeat(64)}.png`, null);
const button = fc.record({ title: text(48), url: address });
const saying = {
  title: text(255),
  body: text(255),
  url: address,
  buttons: fc.array(button, { maxLength: 2 }),
};
const notification = fc.record({
  ...saying,
  imageUrl: served,
  iconUrl: served,
  translations: fc.array(
    fc.record({
      ...saying,
      language: fc.constantFrom('de', 'ar', 'pt-BR'),
      url: fc.option(address),
      buttons: fc.option(fc.array(button, { maxLength: 2 })),
      iconUrl: served,
    }),
    { maxLength: 2 },
  ),
  face: fc.record({
    icon: fc.option(address),
    badge: fc.option(address),
    counts: fc.boolean(),
  }),
});

type Mutable = { -readonly [Key in keyof TextsContent]: TextsContent[Key] };

/** Cuts what a JSON pointer names by whole characters, until that many bytes are gone. */
function shortened(given: TextsContent, field: string, byBytes: number): TextsContent {
  const copy = structuredClone(given) as Mutable;
  const path = field.slice(1).replaceAll('action_buttons', 'buttons').split('/');
  const name = path.pop() ?? '';
  const holder = path.reduce<Record<string, unknown>>(
    (value, key) => value[key] as Record<string, unknown>,
    copy as unknown as Record<string, unknown>,
  );
  const characters = [...String(holder[name])];
  // Of one character, without the quotation marks around it.
  const bytes = (one: string): number => Buffer.byteLength(JSON.stringify(one)) - 2;
  for (let gone = 0; gone < byBytes; ) gone += bytes(characters.pop() ?? 'none is left');
  holder[name] = characters.join('');
  return copy;
}

describe('what a push service takes', () => {
  it('is never exceeded: a notification fits, or what to shorten is named and makes it fit', () => {
    let tooLong = 0;
    fc.assert(
      fc.property(notification, (given) => {
        const whole = content(given);
        const { mostBytes, plaintext, shorten } = buildTexts(whole, origin, []);
        expect(plaintext.length).toBeLessThanOrEqual(mostBytes);
        expect(shorten.length > 0).toBe(mostBytes > MAX_PLAINTEXT_BYTES);
        if (shorten.length > 0) tooLong++;
        // The languages are measured together, and the longest is told: each takes its turn.
        let next = whole;
        for (let turn = 0; turn < 6; turn++) {
          const told = buildTexts(next, origin, []).shorten;
          for (const { field, byBytes } of told) next = shortened(next, field, byBytes);
          if (told.length === 0) break;
        }
        expect(buildTexts(next, origin, []).mostBytes).toBeLessThanOrEqual(MAX_PLAINTEXT_BYTES);
      }),
      { numRuns: cases(100, 1_000) },
    );
    expect(tooLong).toBeGreaterThan(10);
  });

  it('names one field with as many bytes as are too many, if that is enough', () => {
    const fits = buildTexts(content(), origin, []).mostBytes;
    const url = `https://news.example.com/1${'x'.repeat(MAX_PLAINTEXT_BYTES - fits + 7)}`;
    expect(buildTexts(content({ url }), origin, []).shorten).toEqual([{ field: '/url', byBytes: 7 }]);
    const long = 'https://news.example.com/'.padEnd(1_900, 'y');
    const buttons = [
      { title: 'One', url: long },
      { title: 'Two', url: `${long}y` },
    ];
    const told = buildTexts(content({ buttons, url: `${long}yy` }), origin, []).shorten;
    expect(told.map(({ field }) => field)).toEqual(['/url', '/action_buttons/1/url'].slice(0, told.length));
  });
});
