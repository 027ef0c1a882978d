import { runSeed, type SeedEnding } from './run-seed.ts';

export interface SimulateOptions {
  readonly seeds: number;
  /** The first seed; those after it follow. */
  readonly from: number;
}

const LAST_EVENTS = 40;
const SAY_EVERY = 500;
/** At most this many failed seeds are described in full: further ones say nothing new. */
const MAX_DESCRIBED = 5;

/** `--simulate N [--seed S]`. @throws Error in one line where a number is none. */
export function parseSimulateOptions(args: readonly string[]): SimulateOptions {
  const numberAfter = (name: string, otherwise: number): number => {
    const at = args.indexOf(name);
    const value = at === -1 ? otherwise : Number(args[at + 1] ?? 'nothing');
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} takes a number above 0`);
    return value;
  };
  return { seeds: numberAfter('--simulate', 1_000), from: numberAfter('--seed', 1) };
}

/** The report of a failed seed: the broken invariant, the last events, and how to replay it. */
export function describeFailure({ seed, broken, trace }: SeedEnding): string {
  return [
    `seed ${seed} broke ${broken.length} promises:`,
    ...broken.map((sentence) => `  ${sentence}`),
    `its last ${Math.min(LAST_EVENTS, trace.length)} of ${trace.length} events, each after its virtual ms:`,
    ...trace.slice(-LAST_EVENTS).map((event) => `  ${event}`),
    `again: npm run chaos -- --simulate 1 --seed ${seed}`,
  ].join('\n');
}

/** Plays the seeds one after another. @returns the exit code: 1 where a promise was broken. */
export async function simulate(args: readonly string[], say: (text: string) => void): Promise<number> {
  const { seeds, from } = parseSimulateOptions(args);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let failed = 0;
  let virtualMs = 0;
  let duplicates = 0;
  for (let played = 1; played <= seeds; played++) {
    const ending = await runSeed(from + played - 1);
    virtualMs += ending.virtualMs;
    duplicates += ending.duplicates;
    if (ending.broken.length > 0 && ++failed <= MAX_DESCRIBED) say(describeFailure(ending));
    if (played % SAY_EVERY === 0) say(`${played} of ${seeds} seeds, ${failed} failed`);
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1_000;
  say(
    `${seeds} seeds from ${from}: ${failed} failed; ${(virtualMs / 3_600_000).toFixed(1)} virtual hours in ` +
      `${seconds.toFixed(1)} s, ${((user + system) / 1_000 / seeds).toFixed(1)} ms of CPU a seed; ` +
      `${duplicates} copies were duplicates that a fault explains`,
  );
  return failed === 0 ? 0 : 1;
}
