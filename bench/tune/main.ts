import { createSay, namedOf } from '../command-options.ts';
import { deliverChecked, KEY_PAIRS } from '../flow/measure.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { startStand } from '../stand/stand.ts';
import { dialsFor } from './dials.ts';
import type { TuneOptions } from './options.ts';
import { tuneReport } from './report.ts';
import { type Settings, turnDials } from './search.ts';

/** @returns the exit code: 1 where the books of a delivery differ, for then the figures mean nothing. */
export async function runTune(options: TuneOptions, output: Output): Promise<number> {
  const { latencyMs, messages, rounds } = options;
  const isWanted = namedOf(
    dialsFor().map(({ name }) => name),
    options.only ?? undefined,
  );
  const say = createSay(output);
  const stand = await startStand({
    subscribers: messages,
    verify: 'none',
    kafkaBrokers: null,
    latencyMs,
    keyPairs: KEY_PAIRS,
    onStep: say,
  });
  const measure = async (settings: Settings, progress: string): Promise<number[]> => {
    say(progress);
    await stand.restart(
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, `${value}`])),
    );
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const delivered = await deliverChecked(stand, messages);
      if (delivered === null) throw new Error('the books of a delivery differ');
      if (round > 0) rates.push(delivered.messagesPerSecond);
    }
    return rates;
  };
  try {
    const dials = dialsFor().filter(({ name }) => isWanted(name));
    await showReport(tuneReport(await turnDials(dials, measure), options), output);
    return 0;
  } finally {
    await stand.close();
  }
}
