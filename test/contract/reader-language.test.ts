import { describe, expect, it } from 'vitest';
import { languageOf, textFor } from '../../engine/contract/reader-language.ts';

describe('a reader’s language', () => {
  it.each([
    ['de', 'de'],
    ['de-at', 'de-AT'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['en-US-u-ca-buddhist', 'en-US'],
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

  it('gets the main text where its language is not stated', () => {
    expect(textFor('en', [null, 'de'])).toBe(0);
    expect(textFor('de', [null, 'de'])).toBe(1);
  });
});
