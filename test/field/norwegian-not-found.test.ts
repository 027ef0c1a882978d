// tier: unit
// People report that readers of `nb` and `nn` do not get texts of `no`, and those of `no` none of either:
// https://github.com/i18next/i18next/issues/257, https://github.com/florrain/locale/issues/41,
// https://github.com/waymarkedtrails/waymarked-trails-site/issues/9
import { describe, expect, it } from 'vitest';
import { languageOf, textFor } from '../../engine/contract/reader-language.ts';

const norwegian = ['no', 'nb', 'nn', 'nb-NO', 'no-NO', 'nn-NO', 'no-bok'];

describe.each(norwegian)('a reader of %s', (reader) => {
  it.each(norwegian.filter((text) => text !== reader))('reads %s', (text) => {
    expect(textFor(languageOf(reader) ?? '', ['fi', languageOf(text)])).toBe(1);
    // As rows and texts of before have them.
    expect(textFor(reader, ['fi', text])).toBe(1);
  });
});

it.each([
  ['nb', ['nn', 'da', 'no'], 'no'],
  ['nn', ['nb', 'nn'], 'nn'],
  ['no', ['nn', 'nb'], 'nb'],
])('a reader of %s gets of %j the text in %s', (reader, offered, expected) => {
  for (const texts of [offered, offered.toReversed()]) expect(texts[textFor(reader, texts)]).toBe(expected);
});
