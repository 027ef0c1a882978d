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
    ['fr', 'en'],
    ['d', 'en'],
    ['', 'en'],
  ])('who reads %s gets the text in %s', (language, expected) => {
    expect(offered[textFor(language, offered)]).toBe(expected);
  });

  it('gets the main text where its language is not stated', () => {
    expect(textFor('en', [null, 'de'])).toBe(0);
    expect(textFor('de', [null, 'de'])).toBe(1);
  });
});
