/** RFC 5646, section 4.4.1: what the longest tag without extensions takes. */
export const MOST_LANGUAGE_CHARACTERS = 35;

/**
 * @param text as browsers state it, such as `de-at`.
 * @returns its canonical form, such as `de-AT`; null where it is no language. Extensions are left out.
 */
export function languageOf(text: string): string | null {
  if (text.length > MOST_LANGUAGE_CHARACTERS) return null;
  try {
    const { baseName } = new Intl.Locale(text);
    return baseName === 'und' ? null : baseName;
  } catch {
    return null;
  }
}
/**
 * Look-up as RFC 4647, section 3.4, has it: `de-AT` reads `de-AT`, else `de`. Then any variety of the same language: who
 * reads `pt` gets `pt-BR` rather than another language.
 * @param offered of the texts, in their order.
 * @returns an index; 0, the main text, where none fits.
 */
export function textFor(language: string, offered: readonly (string | null)[]): number {
  for (let range = language; range !== ''; range = range.slice(0, Math.max(0, range.lastIndexOf('-')))) {
    const at = offered.indexOf(range);
    if (at !== -1) return at;
  }
  const [primary] = language.split('-');
  if (primary === undefined || primary === '') return 0;
  return Math.max(
    0,
    offered.findIndex((each) => each?.split('-')[0] === primary),
  );
}
