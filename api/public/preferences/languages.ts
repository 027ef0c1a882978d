import { createTextFor, languageOf } from '../../../engine/contract/reader-language.ts';
import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en, type PreferenceTexts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { he } from './texts/he.ts';
import { it } from './texts/it.ts';
import { ja } from './texts/ja.ts';
import { nl } from './texts/nl.ts';
import { pl } from './texts/pl.ts';
import { pt } from './texts/pt.ts';
import { tr } from './texts/tr.ts';

/** The first is for readers of none of them. */
export const catalogue = { en, de, fr, es, it, pt, nl, pl, tr, ar, he, ja } as const;
export type PageLanguage = keyof typeof catalogue;

export const pageLanguages = Object.keys(catalogue) as readonly PageLanguage[];
export const textsIn = (language: PageLanguage): PreferenceTexts => catalogue[language];
export const directionOf = (language: PageLanguage): 'rtl' | 'ltr' =>
  language === 'ar' || language === 'he' ? 'rtl' : 'ltr';

/** More of a header is not checked. */
const MAX_HEADER = 500;

/**
 * The language of a page: what its address names, otherwise the browser's first one that there are texts in, otherwise that of the
 * subscription.
 */
export function pageLanguageOf(given: {
  readonly named?: string | undefined;
  readonly accepted?: string | undefined;
  readonly subscription?: string | null;
}): PageLanguage {
  const wanted = [given.named ?? '', ...preferred(given.accepted ?? ''), given.subscription ?? ''];
  return wanted.map(offeredFor).find((language) => language !== null) ?? 'en';
}

const textFor = createTextFor(pageLanguages);

function offeredFor(text: string): PageLanguage | null {
  const language = languageOf(text);
  if (language === null) return null;
  const found = textFor(language);
  return found === null ? null : (pageLanguages[found] ?? null);
}

/** RFC 9110, section 12.5.4: by weight, and those of one weight in their order. */
const preferred = (header: string): string[] =>
  header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [tag = '', weight = ''] = part.split(';');
      return { tag: tag.trim(), weight: weight.trim() === '' ? 1 : Number(weight.trim().slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
