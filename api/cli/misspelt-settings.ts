/** Set beside ours by the tools that start us, and close to them by chance. */
const foreign: ReadonlySet<string> = new Set(['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_HOST']);
/** A setting of ours, whatever follows: nobody else has a reason to write it. */
const OWN_PREFIX = 'BROADSIDE_';

/**
 * Variables that are probably meant for a setting, one line each. Names come from the environment of a whole
 * machine: only what differs from a setting by a slip of the fingers is named, or what begins with our own name.
 */
export function misspeltSettings(names: readonly string[], settings: readonly string[]): string[] {
  const known = new Set(settings);
  return names.flatMap((name) => {
    if (known.has(name) || foreign.has(name)) return [];
    const likely = settings.find((setting) => isSlip(name, setting));
    if (likely !== undefined) return [`${name} is no setting. Did you mean ${likely}?`];
    return name.startsWith(OWN_PREFIX) ? [`${name} is no setting: "broadside settings" lists them.`] : [];
  });
}

const MAX_SLIPS = 2;
/** A word of so many letters may hold one slip: HOST is no misspelt PORT. */
const LETTERS_PER_SLIP = 4;

function isSlip(name: string, setting: string): boolean {
  if (name.toUpperCase() === setting) return true;
  if (Math.abs(name.length - setting.length) > MAX_SLIPS) return false;
  const [words, others] = [name.split('_'), setting.split('_')];
  if (words.length !== others.length) return words.join('') === others.join('');
  const slips = words.map((word, index) => slipsBetween(word, others[index] ?? ''));
  const allowed = words.every(
    (word, index) => (slips[index] ?? 0) <= Math.max(1, Math.floor(word.length / LETTERS_PER_SLIP) - 1),
  );
  return allowed && slips.reduce((sum, each) => sum + each, 0) <= MAX_SLIPS;
}

/** Letters that are missing, added, wrong, or in the place of their neighbour (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
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
