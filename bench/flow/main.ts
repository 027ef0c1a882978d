import { createSay } from '../command-options.ts';
import { showReport } from '../report/show.ts';
import { startBroker } from '../stand/broker.ts';
import { type FlowRow, measureFlow } from './measure.ts';
import type { FlowOptions } from './options.ts';
import { flowReport } from './report.ts';

/**
 * The whole engine against the push service double, in a process of its own.
 * @returns the exit code: 1 where the books of a delivery differ, because then the figures mean nothing.
 */
export async function runFlow(options: FlowOptions): Promise<number> {
  const say = createSay(options.output);
  const broker = await startBroker(options.log, options.kafkaBrokers);
  try {
    const rows: FlowRow[] = [];
    for (const setting of options.encryption) {
      for (const subscribers of options.subscribers) {
        const given = { ...options, setting, kafkaBrokers: broker.brokers, say };
        const measured = await measureFlow(subscribers, given);
        if (measured === null) return 1;
        rows.push(...measured);
      }
    }
    await showReport(flowReport(rows), options.output);
    return 0;
  } finally {
    await broker.stop();
  }
}
