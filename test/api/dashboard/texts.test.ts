// tier: unit
import { describe, expect, it } from 'vitest';
import { de } from '../../../api/dashboard/web/texts/de.ts';
import { en } from '../../../api/dashboard/web/texts/en.ts';
import { es } from '../../../api/dashboard/web/texts/es.ts';
import { fr } from '../../../api/dashboard/web/texts/fr.ts';

type Leaf = string | ((...parameters: readonly (number | string)[]) => string);

/** Every text by its path: `compose.title`. */
function leavesOf(texts: object, path = ''): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(texts)) {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string' || typeof value === 'function') found.set(here, value as Leaf);
    else for (const [inner, leaf] of leavesOf(value as object, here)) found.set(inner, leaf);
  }
  return found;
}

const numbers = [71, 72, 73, 74, 75];
const ways: readonly ((count: number) => readonly never[])[] = [
  (count) => [count, ...numbers.slice(1)] as never[],
  () => numbers.map((each) => `p${each}`) as never[],
  // A lookup of values by their names.
  () => [() => 'p71', 'p72'] as never[],
];

/** With numbers where the text counts, and words elsewhere. */
function said(leaf: Leaf, count: number): string {
  if (typeof leaf === 'string') return leaf;
  for (const way of ways) {
    try {
      return leaf(...way(count).slice(0, leaf.length));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error('no way to call a text');
}

const markersIn = (text: string): string[] => [...new Set(text.match(/7[1-5]/g) ?? [])].toSorted();

const english = leavesOf(en);
const languages = { de, fr, es };

/** Names, and texts of parameters and signs alone. */
const names =
  /^(titleOf|overview\.typical|integration\.policyText|trace\.services\.|delivery\.service|languages\.(body|url)In)/;
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

/** Parameters of texts about one thing: as given, as a number, or as shown. */
const ofOne: Readonly<Record<string, (texts: typeof en) => string>> = {
  'readers of a delivery': ({ delivery }) => delivery.of('0', '1'),
  'a rate': ({ delivery }) => delivery.rate('1'),
  'a pace': ({ delivery }) => delivery.paced('1'),
  'those who get nothing': ({ delivery }) => delivery.cancelRunning('1'),
  'refused messages': ({ overview }) => overview.needs.service('Google', '1'),
  'throttled once': ({ overview }) => overview.needs.throttled('Google', 1, '1'),
  'keys in rotation': ({ keys }) => keys.progressText('1', '1'),
  'keys that end': ({ keys }) => keys.endText('1'),
  'an app that is deleted': ({ deleteApp }) => deleteApp.consequence('1'),
  'a period': ({ analytics }) => analytics.lastDays(1),
  'messages to come': ({ analytics }) => analytics.unrecorded('1'),
  'those who left': ({ funnel }) => funnel.left(1, '1', '1 %', true),
};
const many = {
  en: /\b1 \w*(readers|messages|subscriptions|subscribers|days|times)\b|1 messages more/,
  es: /\b1 (lectores|mensajes|suscripciones|suscriptores|días|veces)|Últimos 1|Otros 1|Unos 1/,
  de: /\b1 (weitere )?(Lesern|Nachrichten|Abonnements|Abonnenten|Tage)\b|Letzte 1|1-mal/,
} as const;

describe.each([
  ['en', en],
  ['es', es],
  ['de', de],
] as const)('a count of one in %s', (language, texts) => {
  it.each(Object.keys(ofOne))('%s', (name) => {
    expect(ofOne[name]?.(texts as typeof en)).not.toMatch(many[language]);
  });
});

it('a text that is missing is found', () => {
  const { never, ...rest } = de;
  expect(never).not.toBe('');
  expect([...leavesOf(rest).keys()]).not.toContain('never');
});
