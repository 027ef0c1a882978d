/**
 * A text as searches and names compare it: "in any case" means the same everywhere, whatever the locale of a server.
 * Compatible forms are one (NFKC), then capitals and their small letters: ß is ss and ς is σ, as Unicode folds them in
 * full. The four letters i are one, with a dot or without: which of them a capital means depends on a language that no
 * search knows. Accents count. `folded` is the same in Postgres (migration 0124), for what its statements compare.
 */
export const foldedText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : Array.from(text.normalize('NFKC'), fold).join('').replaceAll('i\u0307', 'i').normalize('NFKC');

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** Letter by letter: a whole word's small letters would depend on where in it a letter stands. */
function fold(letter: string): string {
  if (letter < '\u0080') return letter.toLowerCase();
  const small = each(letter, (one) => one.toLowerCase());
  return each(
    each(small, (one) => one.toUpperCase()),
    (one) => one.toLowerCase(),
  );
}

const each = (text: string, change: (letter: string) => string): string => Array.from(text, change).join('');
