/** What a key does. The texts of each stand in the catalogue under the same name. */
export type Deed =
  | 'menu'
  | 'sheet'
  | 'compose'
  | 'overview'
  | 'deliveries'
  | 'subscribers'
  | 'segments'
  | 'analytics'
  | 'send'
  | 'close';

export interface Shortcut {
  readonly does: Deed;
  /** Pressed one after another. */
  readonly keys: readonly string[];
  /** With Ctrl, or Cmd on a Mac: works while one types, too. */
  readonly held?: true;
  /** The form or dialog that has the focus listens for it: here it is only listed. */
  readonly listed?: true;
}

/** Every key of the dashboard, in the order of the sheet. */
export const shortcuts: readonly Shortcut[] = [
  { does: 'menu', keys: ['k'], held: true },
  { does: 'compose', keys: ['c'] },
  { does: 'overview', keys: ['g', 'o'] },
  { does: 'deliveries', keys: ['g', 'd'] },
  { does: 'subscribers', keys: ['g', 's'] },
  { does: 'segments', keys: ['g', 'e'] },
  { does: 'analytics', keys: ['g', 'a'] },
  { does: 'send', keys: ['Enter'], held: true, listed: true },
  { does: 'close', keys: ['Escape'], listed: true },
  { does: 'sheet', keys: ['?'] },
];

export interface KeyPressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** A field, a menu or a dialog has the focus: its keys are its own. */
  readonly isTaken: boolean;
  readonly atMs: number;
}

/** Keys of a sequence that are further apart are none. */
const SEQUENCE_MS = 1_500;

/**
 * Reads shortcuts from single keys.
 * @param singleKeys whether keys without Ctrl do something: WCAG 2.1.4 asks for a way to turn them off.
 */
export function createShortcutReader(singleKeys: () => boolean): (pressed: KeyPressed) => Deed | null {
  let before: { readonly key: string; readonly atMs: number } | null = null;
  return ({ key, ctrlKey, metaKey, altKey, isTaken, atMs }) => {
    const held = ctrlKey || metaKey;
    const first = before !== null && atMs - before.atMs <= SEQUENCE_MS ? before.key : null;
    before = null;
    if (altKey || (!held && (isTaken || !singleKeys()))) return null;
    const name = key.length === 1 ? key.toLowerCase() : key;
    const found = shortcuts.find(
      ({ keys, held: wanted = false, listed = false }) =>
        !listed &&
        wanted === held &&
        (keys.length === 1 ? keys[0] === name : keys.join() === `${first},${name}`),
    );
    if (found === undefined && !held) before = { key: name, atMs };
    return found?.does ?? null;
  };
}

const KEPT = 'broadside.single-keys';

/** Kept in this browser; on until somebody turns them off. */
export const singleKeys = {
  read: (): boolean => localStorage.getItem(KEPT) !== 'off',
  write: (on: boolean): void => localStorage.setItem(KEPT, on ? 'on' : 'off'),
};
