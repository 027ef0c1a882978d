// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSigns } from '../../../engine/notification/warnings/signs/find-signs.ts';
import { signs } from '../../../engine/notification/warnings/signs/language.ts';
import * as de from './headlines/de.ts';
import * as en from './headlines/en.ts';
import * as es from './headlines/es.ts';
import * as fr from './headlines/fr.ts';

const languages = { en, de, fr, es };
const all = Object.values(languages).flatMap(({ deceptions }) =>
  Object.entries(deceptions).flatMap(([sign, texts]) => texts.map((text) => [sign, text] as const)),
);

describe.each(Object.entries(languages))('in %s', (_language, { headlines, deceptions }) => {
  it('no headline of a newsroom bears a sign, news about deception among them', () => {
    expect(headlines.length).toBeGreaterThanOrEqual(60);
    const found = headlines.flatMap((text) => findSigns(text).map((sign) => `${sign}: ${text}`));
    expect(found).toEqual([]);
  });

  it('each sign is found in what deceptive notifications say', () => {
    expect(Object.keys(deceptions)).toEqual([...signs]);
    const missed = Object.entries(deceptions).flatMap(([sign, texts]) => {
      expect(texts.length).toBeGreaterThanOrEqual(4);
      return texts
        .filter((text) => !(findSigns(text) as readonly string[]).includes(sign))
        .map((text) => `${sign}: ${text}`);
    });
    expect(missed).toEqual([]);
  });
});

const deceptive = fc.constantFrom(...all);
const invisible = fc.constantFrom('\u200b', '\u200d', '\u00ad', '\u2060');

describe('a sign', () => {
  it('is not hidden by capitals, wide letters, letters that cannot be seen, emoji or more space', () => {
    fc.assert(
      fc.property(deceptive, invisible, fc.nat(), ([sign, text], mark, at) => {
        const place = at % text.length;
        const hidden = [
          text.toUpperCase(),
          text.replaceAll(/[A-Za-z0-9]/g, (letter) =>
            String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
          ),
          text.slice(0, place) + mark + text.slice(place),
          `🎉 ${text.replaceAll(' ', '  ')} 🎉`,
        ];
        for (const each of hidden) expect(findSigns(each), each).toContain(sign);
      }),
    );
  });

  it('is not found in what somebody else is quoted with', () => {
    fc.assert(
      fc.property(deceptive, ([, text]) => {
        expect(findSigns(`“${text}”, so a message that thousands got`)).toEqual([]);
        expect(findSigns(`„${text}“: Tausende bekamen diese Nachricht`)).toEqual([]);
        expect(findSigns(`« ${text} » : ce que des milliers ont lu`)).toEqual([]);
      }),
    );
  });

  it('is looked for in any text within a bounded time, and always the same one found', () => {
    const words = fc.constantFrom(
      'your',
      'account',
      'has',
      'been',
      'ihr',
      'konto',
      'votre',
      'tu',
      'virus',
      '5',
      ' ',
      '“',
      ':',
      'a',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.array(words, { maxLength: 200 }).map((parts) => parts.join(' ')),
    );
    const before = process.cpuUsage();
    fc.assert(
      fc.property(texts, (text) => {
        const found = findSigns(text);
        expect(found).toEqual(findSigns(text));
        expect(found.every((sign) => signs.includes(sign))).toBe(true);
      }),
    );
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });

  it('is looked for in the longest texts within 20 ms of CPU each', () => {
    const longest = ['your ', 'ihr a ', 'votre a ', 'tu a ', '“', 'send 1 btc ', 'a'].map((part) =>
      part.repeat(255),
    );
    for (const text of longest) findSigns(text);
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round++) for (const text of longest) findSigns(text);
    expect(process.cpuUsage(before).user / 140).toBeLessThan(20_000);
  });
});
