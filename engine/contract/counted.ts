const numbers = new Intl.NumberFormat('en-US');
const plurals = new Intl.PluralRules('en-US');

/**
 * `1 row`, `12,345 rows`, in the English of the API and the command line.
 * @param many left out: the word with an s.
 */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numbers.format(count)} ${pluralOf(count, one, many)}`;

/** The word alone, for where its number stands elsewhere: `is` and `are`, too. */
export const pluralOf = (count: number, one: string, many: string): string =>
  plurals.select(count) === 'one' ? one : many;
