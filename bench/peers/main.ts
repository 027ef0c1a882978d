import { createSay } from '../command-options.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { measurePeers, type PeersOptions } from './measure.ts';
import { peersReport } from './report.ts';

/** @returns the exit code: 1 where a sender's messages were not right. */
export async function runPeers(options: Omit<PeersOptions, 'say'>, output: Output): Promise<number> {
  const ending = await measurePeers({ ...options, say: createSay(output) });
  for (const { name, reason } of ending.wrong) console.error(`${name} was left out: ${reason}`);
  await showReport(peersReport(ending), output);
  return ending.wrong.length === 0 ? 0 : 1;
}
