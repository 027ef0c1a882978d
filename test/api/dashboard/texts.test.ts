// tier: unit
import { describe, expect, it } from 'vitest';
import { catalogues, type Leaf, leavesOf, said } from './text-leaves.ts';

const { en, ...languages } = catalogues;
const { de, es, fr } = languages;

const markersIn = (text: string): string[] => [...new Set(text.match(/7[1-5]/g) ?? [])].toSorted();

const english = leavesOf(en);

/** Names, and texts of parameters and signs alone. */
const names =
  /^(titleOf|overview\.typical|integration\.policyText|trace\.services\.|delivery\.service|languages\.(body|url|icon)In)/;
/** Words that are the same in another language. */
const isSameEverywhere = (text: string): boolean => !/[a-z]{4}/i.test(text) || /^[\w .:/@–-]+$/.test(text);

describe.each(Object.entries(languages))('the texts in %s', (_language, texts) => {
  const own = leavesOf(texts);

  it('are as many as the English ones, under the same names', () => {
    expect(english.size).toBeGreaterThan(500);
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it('show whatever an English text shows', () => {
    const wrong: string[] = [];
    for (const [path, leaf] of english) {
      const other = own.get(path);
      if (other === undefined || typeof leaf === 'string') continue;
      const [asEnglish, here] = [said(leaf, 71), said(other, 71)];
      if (markersIn(asEnglish).join() !== markersIn(here).join())
        wrong.push(`${path}: ${asEnglish} | ${here}`);
    }
    expect(wrong).toEqual([]);
  });

  it('are translated: no sentence is the English one, none is empty', () => {
    const left = [...english].filter(([path, leaf]) => {
      if (names.test(path)) return false;
      const [asEnglish, here] = [said(leaf, 3), said(own.get(path) ?? '', 3)];
      return here === '' ? asEnglish !== '' : here === asEnglish && !isSameEverywhere(asEnglish);
    });
    expect(left.map(([path]) => path)).toEqual([]);
  });
});

/** A text with this count at all of its parameters: as a number, and as it is shown. */
function countedBy(leaf: Leaf, count: 1 | 2): readonly string[] {
  if (typeof leaf === 'string') return [];
  return [count, String(count)].flatMap((as) => {
    try {
      return [String(leaf(...Array.from({ length: leaf.length }, () => as as never)))];
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return [];
    }
  });
}

/** A word of more than one thing. German shows none, so there it is a noun that stays the same after 1. */
const wordOfMany = {
  en: /^[a-z]+(?<!s|u|i|a)s$/,
  fr: /^[a-zà-ÿ]+(?<!s|u|i|a)[sx]$/,
  es: /^[a-zá-ÿ]+(?<!s|u|i|a)s$/,
  de: /^[A-ZÄÖÜ][a-zäöüß]+$/,
} as const;
/** Nouns that are the same for one and for many, and words that only follow a number. */
const sameForOne = /^(Browser|Leser|Zeichen|Uhr|Prozentpunkte|Stunden-Tage)$/;

/** `1 rows`: the words after a 1 that are those after a 2, and mean many. */
function wrongCounts(texts: object, language: keyof typeof wordOfMany): string[] {
  const wrong = new Set<string>();
  for (const [path, leaf] of leavesOf(texts)) {
    const two = countedBy(leaf, 2).join(' ');
    for (const text of countedBy(leaf, 1))
      for (const [, word = ''] of text.matchAll(/(?<![\d.,–-])1[ \u00a0\u202f]([\p{L}-]+)/gu)) {
        if (!wordOfMany[language].test(word) || sameForOne.test(word)) continue;
        if (new RegExp(`2[ \u00a0\u202f]${word}`, 'u').test(two)) wrong.add(`${path}: ${text}`);
      }
  }
  return [...wrong];
}

describe.each([
  ['en', en],
  ['es', es],
  ['de', de],
  ['fr', fr],
] as const)('the texts in %s', (language, texts) => {
  it('say one of what is one: nowhere “1 rows”', () => {
    expect(wrongCounts(texts, language)).toEqual([]);
  });
});

it('a text that counts “1 rows” is found', () => {
  expect(wrongCounts({ a: { rows: (all: string) => `${all} rows.` } }, 'en')).toEqual(['a.rows: 1 rows.']);
  expect(wrongCounts({ a: (shown: string, all: number) => `${shown} von ${all} Zeilen` }, 'de')).not.toEqual(
    [],
  );
});

it('a text that is missing is found', () => {
  const { never, ...rest } = de;
  expect(never).not.toBe('');
  expect([...leavesOf(rest).keys()]).not.toContain('never');
});
