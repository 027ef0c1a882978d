import { parseArgs } from 'node:util';
import { type LogName, logs } from './log-name.ts';

export interface ChaosOptions {
  readonly soak: boolean;
  /** The first one; each further run takes the next. */
  readonly seed: number;
  readonly seeds: number;
  readonly logs: readonly LogName[];
  readonly json: boolean;
}

const MAX_SEEDS = 10_000;

/** @throws Error in one line on what cannot be meant. */
export function parseChaosOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      log: { type: 'string', default: 'both' },
      soak: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const chosen = logs.filter((log) => values.log === 'both' || values.log === log);
  if (chosen.length === 0) throw new Error(`--log is ${logs.join(', ')} or both, not ${values.log}`);
  const seeds = wholeNumber('--seeds', values.seeds);
  if (seeds < 1 || seeds > MAX_SEEDS) throw new Error(`--seeds is from 1 to ${MAX_SEEDS}`);
  return { ...values, seeds, seed: wholeNumber('--seed', values.seed), logs: chosen };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} takes a whole number, not ${text}`);
  return Number(text);
}
