/** Ratios by name; less is better. */
export type Ratios = Readonly<Record<string, number>>;

export interface Compared {
  readonly name: string;
  /** Null: the baseline does not have it. */
  readonly before: number | null;
  /** Null: this run does not. */
  readonly now: number | null;
  /** By which share it grew: 0.2 is a fifth more. Null where there is nothing to compare. */
  readonly change: number | null;
  /** `absent`: this machine could not run it. `new`: no baseline has it. Neither fails. */
  readonly ending: 'held' | 'worse' | 'better' | 'absent' | 'new';
}

/** The tolerated growth of a ratio. Between runs on a shared machine they differ by a few per cent. */
export const BOUND = 0.15;

/** One entry for each name of either side, in the order of the baseline. */
export function compareRatios(baseline: Ratios, measured: Ratios): Compared[] {
  const names = [...new Set([...Object.keys(baseline), ...Object.keys(measured)])];
  return names.map((name) => {
    const [before = null, now = null] = [baseline[name], measured[name]];
    if (now === null) return { name, before, now, change: null, ending: 'absent' };
    if (before === null) return { name, before, now, change: null, ending: 'new' };
    const change = now / before - 1;
    return { name, before, now, change, ending: endingOf(change) };
  });
}

function endingOf(change: number): 'held' | 'worse' | 'better' {
  if (change > BOUND) return 'worse';
  return change < -BOUND ? 'better' : 'held';
}

/** A run that measured nothing of the baseline proves nothing. */
export const isFailed = (compared: readonly Compared[]): boolean =>
  compared.some(({ ending }) => ending === 'worse') ||
  compared.every(({ ending }) => ending === 'absent' || ending === 'new');
