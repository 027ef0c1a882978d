/**
 * Texts "in any case", as engine/contract/folded-text.ts says it: never `lower` or ILIKE, whose meaning follows the
 * database's locale. A parameter is folded once, when its statement is planned.
 */
export const isNamed = (column: string, parameter: string): string =>
  `folded(${column}) = folded(${parameter})`;

export const contains = (column: string, parameter: string): string =>
  `strpos(folded(${column}), folded(${parameter})) > 0`;

/** For LIKE, with nothing in it that means more than itself. */
export const literally = (text: string): string => `regexp_replace(${text}, '([\\\\%_])', '\\\\\\1', 'g')`;

/** For LIKE on a column of folded texts that has an index of trigrams. */
export const patternOf = (text: string): string => `'%' || ${literally(text)} || '%'`;

/**
 * For LIKE ANY on such a column, whose text is lines: one of them is this. Beside the ends of a line the index knows a
 * text of one letter, which anywhere in a line it would look for on every page.
 */
export function linePatterns(text: string): string {
  const line = literally(text);
  const [before, after] = [`E'%\\n' ||`, `|| E'\\n%'`];
  return `ARRAY[${line}, ${line} ${after}, ${before} ${line}, ${before} ${line} ${after}]`;
}

/**
 * The order of names that people read: letters with accents stand beside those without. By a collation that every
 * server has, so that no two list names in another order.
 */
export const orderOfNames = (column: string): string => {
  const plain = `regexp_replace(normalize(folded(${column}), NFKD), '[\u0300-\u036f]', '', 'g')`;
  return `${plain} COLLATE "C", folded(${column}) COLLATE "C"`;
};

/**
 * An e-mail address in any case. Narrower than a name: a letter that only looks like another, or is spelt otherwise, is
 * of another mailbox.
 */
export const hasAddress = (column: string, parameter: string): string =>
  `folded_address(${column}) = folded_address(${parameter})`;

/** The user of an address. Of two that had one before this rule, the one who writes it so is meant, otherwise the older. */
export const ofAddress = (parameter: string): string =>
  `WHERE ${hasAddress('users.email', parameter)} ORDER BY users.email = ${parameter} DESC, users.namesake LIMIT 1`;
