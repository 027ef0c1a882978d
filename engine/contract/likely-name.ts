/** Longer ones are not a slip of a name of ours, and comparing them takes time. */
const MOST_CHARACTERS = 64;
/** From this number of letters on, two of them may be wrong. */
const LETTERS_OF_TWO_SLIPS = 6;
/** A shorter name resembles too many others. */
const LEAST_LETTERS = 3;

/** The known name that a name is by a slip of the fingers, or in another case or with other dashes; null: none. */
export function misspeltOf(name: string, known: readonly string[]): string | null {
  if (name.length > MOST_CHARACTERS) return null;
  const plain = plainOf(name);
  const same = known.find((each) => plainOf(each) === plain);
  if (same !== undefined || plain.length < LEAST_LETTERS) return same ?? null;
  const most = plain.length < LETTERS_OF_TWO_SLIPS ? 1 : 2;
  const near = known
    .map((each) => [each, plainOf(each)] as const)
    .filter(([, other]) => Math.abs(other.length - plain.length) <= most)
    .map(([each, other]) => [each, slipsBetween(plain, other)] as const)
    .toSorted((a, b) => a[1] - b[1])[0];
  return near !== undefined && near[1] <= most ? near[0] : null;
}

/** The known name that was probably meant: misspelt, or one with further words, as `segment` for `segment_id`. */
export function likelyName(name: string, known: readonly string[]): string | null {
  if (name.length > MOST_CHARACTERS) return null;
  const words = wordsOf(name);
  const longer = known.filter((each) => {
    const others = wordsOf(each);
    return words.length > 0 && words.every((word) => others.includes(word));
  });
  return misspeltOf(name, known) ?? longer.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** Without case, dashes and other signs. */
export const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Letters that are missing, added, wrong, or in the place of their neighbour (optimal string alignment). */
export function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= b.length; column++) {
      const wrong = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const least = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + wrong,
        swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      rows[row]?.push(least);
    }
  }
  return at(a.length, b.length);
}
