import type { Language } from './language.ts';

/**
 * Chooses between the words for one and for many, by the rules of the language.
 * @returns a function that takes a count, as a number or as it is shown: `1` is written the same in all of them.
 */
export function pluralOf(language: Language) {
  const rules = new Intl.PluralRules(language);
  return (count: number | string, one: string, many: string): string =>
    rules.select(countOf(count)) === 'one' ? one : many;
}

/** `1,204` is many, whatever its signs mean. */
const countOf = (count: number | string): number =>
  typeof count === 'number' || count === '0' || count === '1' ? Number(count) : 2;
