// tier: unit
import { describe, expect, it } from 'vitest';
import { languageOf, textFor } from '../../engine/contract/reader-language.ts';

describe('a reader’s language', () => {
  it.each([
    ['de', 'de'],
    ['de-at', 'de-AT'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['en-US-u-ca-buddhist', 'en-US'],
    ['iw', 'he'],
    ['in-ID', 'id-ID'],
    ['sh', 'sr-Latn'],
    ['mo', 'ro'],
    ['tl', 'fil'],
    ['nor', 'no'],
    ['no-bok', 'nb'],
    ['zh-yue-HK', 'yue-HK'],
    ['zh-min-nan', 'nan'],
    ['', null],
    ['und', null],
    ['C', null],
    ['und-Latn', null],
    ['English', null],
    ['en_US', null],
    ['not a language', null],
    [`de-${'x'.repeat(40)}`, null],
  ])('%s is %s', (given, expected) => {
    expect(languageOf(given)).toBe(expected);
  });

  const offered = ['en', 'de', 'pt-BR', 'zh-Hant', 'zh'];
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-CN', 'zh'],
    ['en-GB', 'en'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh', 'zh'],
    ['de-Latn-CH', 'de'],
    ['fr', 'en'],
    ['d', 'en'],
    ['', 'en'],
  ])('who reads %s gets the text in %s', (language, expected) => {
    expect(offered[textFor(language, offered)]).toBe(expected);
  });

  it('is read in another script before another language, and in the closest variety', () => {
    expect(textFor('zh-TW', ['en', 'zh-Hans'])).toBe(1);
    expect(textFor('sr-Latn', ['en', 'sr', 'sr-Latn'])).toBe(2);
    expect(textFor('en-GB', ['en-US', 'en', 'en-GB'])).toBe(2);
    expect(textFor('en-AU', ['en-US', 'de', 'en'])).toBe(2);
  });

  it.each([
    ...pairs(['he', 'iw', 'he-IL', 'iw-IL']),
    ...pairs(['id', 'in', 'in-ID']),
    ...pairs(['yi', 'ji']),
    ...pairs(['ro', 'mo', 'ro-MD']),
    ...pairs(['fil', 'tl', 'tl-PH']),
    ...pairs(['sh', 'sr-Latn', 'sr-ME', 'bs', 'hr']),
    ...pairs(['sr', 'sr-Latn', 'sr-Cyrl-RS', 'sh']),
    ...pairs(['da', 'nb']),
    ...pairs(['zh-TW', 'zh-Hant', 'zh-HK', 'zh-MO', 'zh-Hant-HK', 'zh']),
    ...pairs(['pt', 'pt-BR', 'pt-PT', 'pt-AO']),
    ...pairs(['es', 'es-419', 'es-MX', 'es-ES']),
    ...[
      ['gsw', 'de'],
      ['lb', 'de-AT'],
      ['arz', 'ar'],
      ['ary-MA', 'ar-MA'],
      ['yue', 'zh-Hant'],
      ['yue', 'zh'],
      ['wuu', 'zh-CN'],
    ],
  ])('%s reads %s', (reader, text) => {
    expect(textFor(languageOf(reader ?? '') ?? '', ['fi', languageOf(text ?? '')])).toBe(1);
    // As rows and texts of before have them.
    expect(textFor(reader ?? '', ['fi', text ?? ''])).toBe(1);
  });

  it.each([
    ['de', 'gsw'],
    ['de', 'nl'],
    ['hr', 'sr-Cyrl'],
    ['sr', 'hr'],
    ['sv', 'nb'],
    ['bn', 'en'],
    ['fi', 'et'],
    ['ar', 'arz'],
    ['ckb', 'ku'],
  ])('%s does not read %s', (reader, text) => {
    expect(textFor(reader, [null, text])).toBe(0);
  });

  it.each([
    ['es-MX', ['es', 'es-419'], 'es-419'],
    ['es-MX', ['es-ES', 'es-AR'], 'es-AR'],
    ['es', ['es-419', 'es-ES'], 'es-ES'],
    ['en-AU', ['en-US', 'en-GB'], 'en-GB'],
    ['en-AU', ['en', 'en-IN', 'en-001'], 'en-001'],
    ['en', ['en-GB', 'en-US'], 'en-US'],
    ['pt-AO', ['pt-BR', 'pt-PT'], 'pt-PT'],
    ['pt', ['pt-PT', 'pt-BR'], 'pt-BR'],
    ['zh-MO', ['zh-TW', 'zh-HK'], 'zh-HK'],
    ['zh-TW', ['zh', 'zh-HK'], 'zh-HK'],
    ['de-AT', ['de-CH', 'de'], 'de'],
    ['sr-ME', ['sr', 'hr', 'sr-Latn'], 'sr-Latn'],
    ['ar-DZ', ['ar-EG', 'ar-MA'], 'ar-MA'],
  ])('%s reads of %j the text in %s', (language, offered, expected) => {
    for (const texts of [offered, offered.toReversed()])
      expect(texts[textFor(language, texts)]).toBe(expected);
  });

  it('gets the main text where its language is not stated', () => {
    expect(textFor('en', [null, 'de'])).toBe(0);
    expect(textFor('de', [null, 'de'])).toBe(1);
  });
});

/** Each with each other. */
function pairs(languages: readonly string[]): string[][] {
  return languages.flatMap((one) => languages.filter((other) => other !== one).map((other) => [one, other]));
}
