// tier: unit
import { describe, expect, it } from 'vitest';
import { catalogues, leavesOf, said } from './text-leaves.ts';

const { en, ...languages } = catalogues;
const { de, es } = languages;

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
