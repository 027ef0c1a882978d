import { createKafkaLog } from '../../engine/adapters/kafka/log.ts';
import type { KafkaLogOptions } from '../../engine/adapters/kafka/options.ts';
import { createPgBossLog } from '../../engine/adapters/pgboss/log.ts';
import type { PgBossLogOptions } from '../../engine/adapters/pgboss/options.ts';
import type { Log } from '../../engine/contract/log.ts';
import type { CrashReport } from './harness.ts';

/** A consumer in a process of its own: takes a batch, marks the first and the last done, and waits for its end. */
export type DoomedOptions =
  | { readonly adapter: 'kafka'; readonly options: KafkaLogOptions; readonly done: number }
  | { readonly adapter: 'pgboss'; readonly options: PgBossLogOptions; readonly done: number };

const given = JSON.parse(process.argv[2] ?? '{}') as DoomedOptions;
const log: Log =
  given.adapter === 'kafka' ? await createKafkaLog(given.options) : await createPgBossLog(given.options);

await log.consume(
  'deliveries',
  { maxRecords: 20, concurrency: 1, maxAttempts: 3, stallAfterMs: 60_000 },
  async (records, claim) => {
    const total = await log.lag('deliveries');
    const done = records.slice(0, given.done);
    for (const record of [...records.slice(-1), ...done]) await claim.done(record);
    // Only a commit that arrived outlives the kill: what is said to be done must be.
    while ((await log.lag('deliveries')) > total - done.length)
      await new Promise((wake) => setTimeout(wake, 20));
    const ids = records.map(({ value }) => value.delivery_id);
    const report: CrashReport = {
      done: ids.slice(0, given.done),
      inHand: ids.slice(given.done, -1),
      last: ids.at(-1) ?? 0,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    await new Promise(() => undefined);
    return { kind: 'handled' };
  },
);
