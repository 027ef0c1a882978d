// tier: unit
import { describe, expect, it } from 'vitest';
import {
  catalogue,
  pageLanguageOf,
  pageLanguages,
  textsIn,
} from '../../../../api/public/preferences/languages.ts';

const slotsIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([slot]) => slot).sort();

describe('the texts of the preference centre', () => {
  it('are there in twelve languages, none without a text, each with the slots of the English one', () => {
    expect(pageLanguages).toEqual(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ar', 'he', 'ja']);
    const keys = Object.keys(catalogue.en) as (keyof typeof catalogue.en)[];
    expect(keys.length).toBeGreaterThan(20);
    for (const language of pageLanguages) {
      const texts = textsIn(language);
      expect(Object.keys(texts), language).toEqual(keys);
      for (const key of keys) {
        expect(texts[key].trim(), `${language}.${key}`).not.toBe('');
        expect(slotsIn(texts[key]), `${language}.${key}`).toEqual(slotsIn(catalogue.en[key]));
      }
    }
  });

  it.each([
    [{ accepted: 'de-AT,de;q=0.9,en;q=0.5' }, 'de'],
    [{ accepted: 'sv, pl;q=0.4, ja;q=0.8' }, 'ja'],
    [{ accepted: 'de', named: 'ar' }, 'ar'],
    [{ accepted: 'sv', subscription: 'pt-BR' }, 'pt'],
    [{ accepted: 'fr;q=0, *', subscription: 'he' }, 'he'],
    [{ accepted: 'iw' }, 'he'],
    [{ accepted: `${'x,'.repeat(1_000)}de`, named: '<script>' }, 'en'],
    [{}, 'en'],
  ] as const)('are chosen for %j: %s', (given, language) => {
    expect(pageLanguageOf(given)).toBe(language);
  });
});
