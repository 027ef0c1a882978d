// tier: unit
import { describe, expect, it } from 'vitest';
import { isRightToLeft } from '../../engine/contract/text-direction.ts';

const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
const codes = alphabet.flatMap((a) => alphabet.flatMap((b) => [a + b, ...alphabet.map((c) => a + b + c)]));

describe('the direction of a text', () => {
  it.each(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb', 'ar-EG', 'fa-AF', 'syr', 'nqo'])(
    'is from right to left in %s',
    (language) => expect(isRightToLeft(language)).toBe(true),
  );

  it.each(['en', 'de', 'el', 'ru', 'hi', 'ja', 'az', 'ku', 'ms', 'tr'])(
    'is from left to right in %s',
    (language) => expect(isRightToLeft(language)).toBe(false),
  );

  it.each([
    ['az-Arab', true],
    ['az-IR', true],
    ['ku-Arab-IQ', true],
    ['ms-Arab', true],
    ['pa-PK', true],
    ['pa', false],
    ['ff-Adlm', true],
    ['ar-Latn', false],
    ['ur-Latn', false],
    ['ks-Deva', false],
  ])('follows the script that %s is written in', (language, expected) =>
    expect(isRightToLeft(language)).toBe(expected),
  );

  it('is ICU’s for each language that CLDR knows', () => {
    const known = codes.filter((code) => new Intl.Locale(code).maximize().script !== undefined);
    expect(known.length).toBeGreaterThan(1_000);
    const wrong = known.filter((code) => {
      const locale = new Intl.Locale(code) as Intl.Locale & { getTextInfo(): { direction: string } };
      return isRightToLeft(code) !== (locale.getTextInfo().direction === 'rtl');
    });
    expect(wrong).toEqual([]);
  });
});
