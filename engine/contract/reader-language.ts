import { languageDistance, regionDistance, scriptDistance } from './near-languages.ts';

/** RFC 5646, section 4.4.1: what the longest tag without extensions takes. */
export const MOST_LANGUAGE_CHARACTERS = 35;

/** Of ISO 639. Longer ones are well-formed, but none is registered: `English` is the name of a language. */
const MOST_CODE_LETTERS = 3;

/**
 * @param text as browsers state it, such as `de-at`.
 * @returns its canonical form, such as `de-AT`; null where it is not a language. Extensions are left out.
 */
export function languageOf(text: string): string | null {
  const locale = text.length > MOST_LANGUAGE_CHARACTERS ? null : localeOf(text);
  if (locale === null) return null;
  const { baseName, language } = locale;
  return language === 'und' || language.length > MOST_CODE_LETTERS ? null : baseName;
}

/** Null where it is none. `Intl` rewrites codes that are deprecated, such as iw, and knows nothing of the oldest form. */
function localeOf(text: string): Intl.Locale | null {
  try {
    return new Intl.Locale(grandfathered[text.toLowerCase()] ?? text.replace(extendedLanguage, '$1'));
  } catch {
    return null;
  }
}

/** RFC 5646, section 4.1: `zh-yue` is `yue`. */
const extendedLanguage = /^(?:zh|ar|ms|sw|lv|kok|uz)-([a-z]{3})(?=-|$)/i;
/** RFC 5646, section 2.2.8, with the preferred values of the registry; the others are nobody's browser's. */
const grandfathered: Readonly<Record<string, string>> = {
  ...{
    'no-bok': 'nb',
    'no-nyn': 'nn',
    'zh-guoyu': 'zh',
    'zh-hakka': 'hak',
    'zh-min-nan': 'nan',
    'zh-xiang': 'hsn',
  },
  ...{ 'i-hak': 'hak', 'i-lux': 'lb', 'i-navajo': 'nv', 'en-gb-oed': 'en-GB' },
};

/**
 * The text for a reader, as Unicode's language matching finds it (UTS #35, section 4.4 of part 1): the closest by language,
 * script and region, so that `nb` reads `no`, `zh-TW` reads `zh-Hant` and `es-MX` reads `es-419` rather than `es`. A text
 * of the reader's language in another script comes before one in another language. Of equals the one that the reader's
 * tag begins with, then the first.
 * @param offered of the texts, in their order.
 * @returns by a canonical language, empty where it is not known, an index; null where none fits.
 */
export function createTextFor(offered: readonly (string | null)[]): (language: string) => number | null {
  const texts = offered.map((each) => (each === null ? null : partsOf(each)));
  return (language) => {
    const reader = partsOf(language);
    let [best, least] = [-1, NONE];
    for (const [at, text] of texts.entries()) {
      const distance = reader === null || text === null ? NONE : distanceOf(reader, text);
      if (distance < least) [best, least] = [at, distance];
    }
    return best < 0 ? null : best;
  };
}

/** @returns an index; 0, the main text, where none fits. */
export const textFor = (language: string, offered: readonly (string | null)[]): number =>
  createTextFor(offered)(language) ?? 0;

interface Parts {
  readonly tag: string;
  readonly language: string;
  readonly script: string;
  readonly region: string;
}

function partsOf(text: string): Parts | null {
  const locale = localeOf(text);
  if (locale === null) return null;
  const { language, script = '', region = '' } = locale.maximize();
  return { tag: locale.baseName, language, script, region };
}

const NONE = Number.POSITIVE_INFINITY;
/** CLDR's: from here on a text of another language is of no use. */
const TOO_FAR = 50;

function distanceOf(reader: Parts, text: Parts): number {
  const language = languageDistance(reader.language, text.language);
  if (language === null) return NONE;
  const shared = language === 0 ? text.language : null;
  const far = language + scriptDistance(shared, reader.script, text.script);
  if (language > 0 && far >= TOO_FAR) return NONE;
  return far + regionDistance(text.language, reader.region, text.region) - closeness(reader.tag, text.tag);
}

/** Less than any distance: it decides between equals alone. */
const closeness = (reader: string, text: string): number =>
  reader === text || reader.startsWith(`${text}-`) ? text.length / 100 : 0;
