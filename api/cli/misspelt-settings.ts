import { slipsBetween } from '../../engine/contract/likely-name.ts';

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
    if (likely !== undefined) return [`${name} is not a setting. Did you mean ${likely}?`];
    return name.startsWith(OWN_PREFIX) ? [`${name} is not a setting: "broadside settings" lists them.`] : [];
  });
}

const MAX_SLIPS = 2;
/** A word of this length may contain one slip: HOST is not a misspelt PORT. */
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
