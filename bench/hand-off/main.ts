import { createSay } from '../command-options.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { startBroker } from '../stand/broker.ts';
import { type HandOffOptions, type HandOffRow, measureHandOff } from './measure.ts';
import { handOffReport } from './report.ts';

/** @returns the exit code: 1 where somebody was not reached, because then the figures mean nothing. */
export async function runHandOff(options: HandOffOptions, output: Output): Promise<number> {
  const say = createSay(output);
  const broker = await startBroker(options.log, options.kafka);
  try {
    const rows: HandOffRow[] = [];
    for (const subscribers of options.subscribers) {
      const measured = await measureHandOff({ ...options, subscribers, kafkaBrokers: broker.brokers, say });
      if (measured === null) return 1;
      rows.push(...measured);
    }
    await showReport(handOffReport(rows), output);
    return 0;
  } finally {
    await broker.stop();
  }
}
