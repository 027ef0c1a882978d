// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllCapitals, isEmojiOnly, isLongTitle } from '../../../engine/notification/warnings/letters.ts';
import { isLookAlike } from '../../../engine/notification/warnings/look-alike.ts';
import { type WarnedTexts, warningsOf } from '../../../engine/notification/warnings/warnings.ts';

const texts = (changes: Partial<WarnedTexts>): WarnedTexts => ({
  title: 'Storm over the coast',
  body: 'Trains are cancelled until Thursday.',
  url: 'https://news.example.com/storm',
  buttons: [],
  ...changes,
});

describe('the warnings of a notification', () => {
  it('are none for an ordinary one', () => {
    expect(warningsOf(texts({ buttons: [{ title: 'Map', url: 'https://news.example.com/map' }] }))).toEqual(
      [],
    );
  });

  it('name the field of each: title, text, buttons and addresses', () => {
    expect(
      warningsOf(
        texts({
          title: 'YOUR ACCOUNT HAS BEEN SUSPENDED',
          body: 'Virus detected!',
          url: 'https://paypa1.example.com/',
          buttons: [
            { title: 'Map', url: 'https://news.example.com/map' },
            { title: 'Claim your prize', url: 'https://gооgle.com/' },
          ],
        }),
      ),
    ).toEqual([
      { field: '/title', code: 'all-capitals' },
      { field: '/title', code: 'account-threat' },
      { field: '/body', code: 'fake-system-message' },
      { field: '/url', code: 'look-alike-address' },
      { field: '/action_buttons/1/title', code: 'prize' },
      { field: '/action_buttons/1/url', code: 'look-alike-address' },
    ]);
  });

  it('are of what a reader without tags sees, and of an unfinished text as it is', () => {
    const title = 'Good morning, {{ tag.name | default: "reader" }}';
    expect(title.length).toBeGreaterThan(35);
    expect(warningsOf(texts({ title }))).toEqual([]);
    expect(warningsOf(texts({ title: 'Your account has been suspended {{ tag' })).length).toBeGreaterThan(0);
  });

  it('can be found for any texts', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, text, text, (title, body, url) => {
        const found = warningsOf({ title, body, url, buttons: [{ title: body, url: title }] });
        expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(found.length);
      }),
    );
  });
});

describe('a title', () => {
  it('is longer than Android shows from 36 letters on, an emoji counting as two', () => {
    expect(isLongTitle('a'.repeat(35))).toBe(false);
    expect(isLongTitle('a'.repeat(36))).toBe(true);
    expect(isLongTitle('é'.normalize('NFD').repeat(35))).toBe(false);
    expect(isLongTitle('👩‍👩‍👧‍👦'.repeat(17))).toBe(false);
    expect(isLongTitle('雨'.repeat(18))).toBe(true);
  });

  it('is emoji only where no letter or number stands beside one', () => {
    for (const title of ['🔥', '⚽ ⚽', '🇩🇪!', '👩‍👩‍👧', '5️⃣']) expect(isEmojiOnly(title), title).toBe(true);
    for (const title of ['', '?!', 'Goal ⚽', '3:1 ⚽', '雨 ☔', '2025'])
      expect(isEmojiOnly(title), title).toBe(false);
  });

  it('is all capitals from twelve of them on, with a word of five, where the script has capitals', () => {
    for (const title of [
      'BREAKING NEWS',
      'KRIEG IN DER UKRAINE',
      'ÉLECTIONS À PARIS',
      'ВОЙНА И МИР В СТРАНЕ',
    ])
      expect(isAllCapitals(title), title).toBe(true);
    for (const title of [
      'NATO',
      'ARD, ZDF, BBC, CNN',
      'UNESCO',
      'USA – IRAN 2:1',
      'BREAKING: Minister resigns',
      '首相辞任を発表しました今夜',
      'عاصفة على الساحل الليلة',
      '',
    ])
      expect(isAllCapitals(title), title).toBe(false);
  });
});

describe('a host', () => {
  it('imitates another where it is spelt, mixed or put in front to be taken for another', () => {
    for (const host of [
      'paypa1.com',
      'g00gle.net',
      'rnicrosoft.com',
      'login-amaz0n.example',
      'gооgle.com',
      'xn--ggle-55da.com',
      'paypal.com.example.net',
    ])
      expect(isLookAlike(host), host).toBe(true);
  });

  it('is none where it is a name of its own, in any script', () => {
    for (const host of [
      'news.example.com',
      'google.com',
      'google.com.br',
      'maps.google.com',
      'münchen.example',
      'новости.example',
      'apple.news',
      'news24.example',
      '127.0.0.1',
      '1.fc-koeln.example',
      'bild.de',
      '',
    ])
      expect(isLookAlike(host), host).toBe(false);
  });
});
