/**
 * What a terminal would obey instead of showing it: control characters of both sets (a line feed too, or one value
 * could pretend to be the next line), what turns the direction of a line around, separators of lines and paragraphs,
 * halves of characters, and tags that nobody sees.
 */
const obeyed = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A text as people may see it on one line: what would be obeyed is written as in JSON. Doing it twice changes nothing. */
export const shown = (text: string): string => text.replace(obeyed, escaped);

/** The same for a text of several lines, whose ends are our own. */
export const shownLines = (text: string): string => text.split('\n').map(shown).join('\n');

/** JSON that means the same, and of which a terminal obeys nothing. Outside of its strings it has no such character. */
export const shownJson = (value: unknown, indent = 0): string =>
  shownLines(JSON.stringify(value, null, indent));
