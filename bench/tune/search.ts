import { chooseValue, type Trial } from './choose.ts';
import type { Dial } from './dials.ts';

export type Settings = Readonly<Record<string, number>>;

export interface Turned {
  readonly name: string;
  readonly initial: number;
  readonly value: number;
  readonly gain: number;
  readonly noise: number;
  /** The current setting first. */
  readonly trials: readonly Trial[];
}

/** @returns messages a second, one a counted delivery. */
export type Measure = (settings: Settings, progress: string) => Promise<readonly number[]>;

/**
 * Turns one dial after the other and leaves each at its best value: a sum of trials, where all combinations
 * would be their product. The current setting is measured again beside each dial's values, because the
 * machine's load changes from minute to minute.
 */
export async function turnDials(dials: readonly Dial[], measure: Measure): Promise<Turned[]> {
  const settings: Record<string, number> = Object.fromEntries(
    dials.map(({ name, initial }) => [name, initial]),
  );
  const total = dials.reduce((sum, { values }) => sum + values.length, 0);
  const turned: Turned[] = [];
  let done = 0;

  async function tryOut(name: string, value: number): Promise<Trial> {
    const progress = `${++done} of ${total}: ${name}=${value}`;
    return { value, rates: await measure({ ...settings, [name]: value }, progress) };
  }

  for (const { name, initial, values } of dials) {
    const current = await tryOut(name, initial);
    const candidates: Trial[] = [];
    for (const value of values) if (value !== initial) candidates.push(await tryOut(name, value));
    const choice = chooseValue(current, candidates);
    settings[name] = choice.value;
    turned.push({ name, initial, ...choice, trials: [current, ...candidates] });
  }
  return turned;
}
