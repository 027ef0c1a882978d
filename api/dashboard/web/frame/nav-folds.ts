const KEPT = 'broadside.nav';
/** Measured: a row, a group's name with the space before it, and what stands above and below the groups. */
const ROW_PX = 32;
const NAME_PX = 36;
const AROUND_PX = 76;

export interface Foldable {
  readonly key: string;
  readonly rows: number;
  /** Holds the page that is open. */
  readonly current: boolean;
}

/**
 * What is folded in a window of this height until somebody chooses: no group where all fit, otherwise from the last
 * one up, never the group of the open page.
 */
export function foldedAt(heightPx: number, groups: readonly Foldable[]): ReadonlySet<string> {
  const folded = new Set<string>();
  let needed = AROUND_PX + groups.reduce((sum, { rows }) => sum + NAME_PX + rows * ROW_PX, 0);
  for (const { key, rows, current } of groups.toReversed()) {
    if (needed <= heightPx) break;
    if (current) continue;
    folded.add(key);
    needed -= rows * ROW_PX;
  }
  return folded;
}

export type Chosen = Readonly<Record<string, 'open' | 'folded'>>;

/** What somebody has folded or opened in this browser. */
export function readChosen(): Chosen {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Chosen) : {};
  } catch {
    return {};
  }
}

export function keepChosen(chosen: Chosen): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // The browser keeps nothing for this site: it holds until the page is loaded again.
  }
}
