/** Words that are left out of some spellings of a name, and others of the same meaning. */
const fillers = new Set(['and', 'und', 'et', 'y', 'the', 'of', 'der', 'die']);
const sameWords: Readonly<Record<string, string>> = { saint: 'st', sankt: 'st', sainte: 'st' };

/** A longer text is not a name. */
export const MAX_SPELLING = 100;

/**
 * A name as spellings of it are compared: without its case, its accents and its punctuation, in whatever order its words
 * stand. `Korea, Republic of` and `Republic of Korea` are one.
 */
export function plainSpelling(text: string): string {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  // Alone, ET is Ethiopia.
  const own = words.length === 1 ? words : words.filter((word) => !fillers.has(word));
  return own
    .map((word) => sameWords[word] ?? word)
    .toSorted()
    .join(' ');
}
