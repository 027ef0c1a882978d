import { readMeasuredCosts } from '../../api/cli/capacity/measured-costs.ts';
import { createSay } from '../command-options.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { play, type Scene } from './play.ts';
import { simulationReport } from './report.ts';

export interface SimulationOptions {
  readonly readers: number;
  readonly engines: number;
  /** Of the readers, those at the push service that throttles. */
  readonly throttlingPercent: number;
  /** Messages a second that it takes. */
  readonly throttlingRate: number;
  readonly breaking: number;
  readonly output: Output;
}

const MOST_READERS = 1_000_000_000;
const MOST_ENGINES = 1_000;
const THREADS = 4;
const LATENCY_MS = 80;

/** @returns the exit code. @throws Error where a number is too large to be played. */
export async function runSimulation(options: SimulationOptions): Promise<number> {
  const { readers, engines, throttlingPercent, throttlingRate, breaking, output } = options;
  if (Math.max(readers, breaking) > MOST_READERS)
    throw new Error('at most 1,000,000,000 readers can be played');
  if (engines > MOST_ENGINES) throw new Error(`at most ${MOST_ENGINES} engines can be played`);
  if (throttlingPercent > 100) throw new Error('--throttling-percent takes a number up to 100');
  const say = createSay(output);
  const costs = readMeasuredCosts();
  const alone: Scene = {
    ...{ readers: 0, engines, threads: THREADS, costs, latencyMs: LATENCY_MS },
    engineUs: costs.engine_us + (costs.encryption_us.openssl ?? 0),
    throttlingShare: throttlingPercent / 100,
    throttlingPerSecond: throttlingRate,
    ...{ breakingReaders: breaking, breakingAtSeconds: 0 },
  };
  say('the breaking delivery alone');
  const breakingAlone = play(alone).breakingSeconds ?? Number.NaN;
  say(`${readers.toLocaleString('en')} readers`);
  const withoutIt = play({ ...alone, readers, breakingReaders: 0 });
  say('both');
  const breakingAtSeconds = Math.round(withoutIt.bulkSeconds / 2);
  const played = play({ ...alone, readers, breakingAtSeconds });
  await showReport(
    simulationReport(played, { breakingAlone, withoutIt: withoutIt.bulkSeconds, breakingAtSeconds }),
    output,
  );
  return 0;
}
