/** RFC 5646, section 4.4.1: what the longest tag without extensions takes. */
export const MOST_LANGUAGE_CHARACTERS = 35;

/** Of ISO 639. Longer ones are well-formed, but none is registered: `English` is the name of a language. */
const MOST_CODE_LETTERS = 3;

/**
 * @param text as browsers state it, such as `de-at`.
 * @returns its canonical form, such as `de-AT`; null where it is no language. Extensions are left out.
 */
export function languageOf(text: string): string | null {
  if (text.length > MOST_LANGUAGE_CHARACTERS) return null;
  try {
    const { baseName, language } = new Intl.Locale(text);
    return language === 'und' || language.length > MOST_CODE_LETTERS ? null : baseName;
  } catch {
    return null;
  }
}

/**
 * The text for a reader, in the sense of RFC 4647, section 3.4: `de-AT` reads `de-AT`, else `de`. Then any variety of the
 * language, of the reader's script first: who reads `pt` gets `pt-BR` rather than another language, and `zh-TW` gets
 * `zh-Hant` rather than `zh`.
 * @param language canonical; empty where it is not known.
 * @param offered of the texts, in their order.
 * @returns an index; 0, the main text, where none fits.
 */
export function textFor(language: string, offered: readonly (string | null)[]): number {
  const same = [...offered.keys()].filter((at) => primaryOf(offered[at] ?? '') === primaryOf(language));
  if (language === '' || same.length === 0) return 0;
  const script = scriptOf(language);
  const readable = same.filter((at) => scriptOf(offered[at] ?? '') === script);
  const among = readable.length > 0 ? readable : same;
  const closeness = (at: number): number => {
    const each = offered[at] ?? '';
    return language === each || language.startsWith(`${each}-`) ? each.length : 0;
  };
  return among.reduce((best, at) => (closeness(at) > closeness(best) ? at : best));
}

const primaryOf = (language: string): string => language.split('-')[0] ?? '';
const scriptOf = (language: string): string | undefined => new Intl.Locale(language).maximize().script;
