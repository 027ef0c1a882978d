// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BrowserLook, browsers } from '../../../../api/dashboard/web/notification/preview/browsers.ts';
import { shownIn } from '../../../../api/dashboard/web/notification/preview/content.ts';
import { cut } from '../../../../api/dashboard/web/notification/preview/cut.ts';
import { ANDROID_TITLE_LETTERS, widthOf } from '../../../../engine/notification/warnings/letters.ts';

const looks: readonly BrowserLook[] = browsers;
const content = {
  title: 'Storm over the coast: trains are cancelled until Thursday, schools close',
  body: 'The national weather service warns of gusts of up to 140 kilometres an hour. '.repeat(10),
  image: 'https://news.example.com/storm.jpg',
  icon: 'https://news.example.com/icon.png',
  badge: 'https://news.example.com/badge.png',
  buttons: ['Map', 'Live', 'More'],
};

describe('the table of browsers', () => {
  it('has every browser once, with a public page for what it says', () => {
    expect(new Set(looks.map(({ id }) => id)).size).toBe(9);
    for (const { id, sources } of looks) {
      expect(sources.length, id).toBeGreaterThanOrEqual(2);
      for (const source of sources) expect(source).toMatch(/^https:\/\//);
    }
  });

  it('shows nothing that a browser does not take', () => {
    for (const { id, takes, icon, badge, image, buttons, folded, open } of looks) {
      expect(takes.icon || icon === null, id).toBe(true);
      expect(takes.badge || !badge, id).toBe(true);
      expect(takes.image || image === null, id).toBe(true);
      expect(buttons, id).toBeLessThanOrEqual(takes.actions);
      expect(folded === null || folded.title + folded.body <= open.title + open.body, id).toBe(true);
    }
  });

  it('cuts a title on Android where the warning of a long one says', () => {
    for (const { id, frame, folded } of looks)
      if (frame === 'android') expect(folded?.title, id).toBe(ANDROID_TITLE_LETTERS);
  });
});

describe('what a preview shows', () => {
  it('is cut where the browser cuts, folded and unfolded', () => {
    for (const look of looks) {
      for (const isOpen of [true, false]) {
        const lengths = isOpen ? look.open : (look.folded ?? look.open);
        const shown = shownIn(look, content, isOpen);
        expect(widthOf(shown.title), look.id).toBeLessThanOrEqual(lengths.title);
        expect(widthOf(shown.body), look.id).toBeLessThanOrEqual(lengths.body);
        expect(shown.title, look.id).toMatch(/…$/);
      }
    }
  });

  it('has an icon, a badge, an image and buttons where the browser has a place for them, and only there', () => {
    const rows = looks.map((look) => {
      const [open, folded] = [shownIn(look, content, true), shownIn(look, content, false)];
      return [
        look.id,
        open.icon !== null,
        open.badge !== null,
        open.image !== null,
        open.buttons.length,
        folded.buttons.length,
      ];
    });
    expect(rows).toEqual([
      ['chrome-windows', true, false, true, 2, 2],
      ['chrome-macos', true, false, false, 2, 0],
      ['chrome-android', true, true, true, 2, 0],
      ['edge', true, false, true, 2, 2],
      ['firefox', true, false, false, 2, 2],
      ['firefox-linux', true, false, false, 0, 0],
      ['firefox-android', true, false, false, 2, 0],
      ['safari', false, false, false, 0, 0],
      ['iphone', false, false, false, 0, 0],
    ]);
  });

  it('goes by each text’s own direction unless the notification states one', () => {
    for (const look of looks) {
      expect(shownIn(look, content, true).dir).toBe('auto');
      expect(shownIn(look, { ...content, dir: 'rtl' }, true).dir).toBe('rtl');
    }
  });
});

describe('a cut text', () => {
  it('is the text where it has room, otherwise as much of it as has, whole characters, and dots', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, letters) => {
        const shown = cut(text, letters);
        if (shown === text) return;
        expect(shown.endsWith('…')).toBe(true);
        expect(text.startsWith(shown.slice(0, -1))).toBe(true);
        const segments = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)];
        const ends = new Set([0, ...segments.map(({ index, segment }) => index + segment.length)]);
        expect(
          ends.has(shown.length - 1) || shown.length === 1 || /\s$/.test(text.slice(0, shown.length)),
        ).toBe(true);
      }),
    );
    expect(cut('a'.repeat(35), 35)).toBe('a'.repeat(35));
    expect(cut('a'.repeat(36), 35)).toBe(`${'a'.repeat(34)}…`);
    expect(cut('雨'.repeat(18), 35)).toBe(`${'雨'.repeat(17)}…`);
    expect(cut('👩‍👩‍👧‍👦'.repeat(3), 5)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…');
  });
});
