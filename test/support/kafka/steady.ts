import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';
import type { ConsumeOptions, Log } from '../../../engine/contract/log.ts';

const options: ConsumeOptions = { maxRecords: 20, concurrency: 2, maxAttempts: 3, stallAfterMs: 30_000 };

/** The ids of the deliveries that arrive, from now on. */
export async function collect(log: Log): Promise<ReadonlySet<number>> {
  const arrived = new Set<number>();
  await log.consume('deliveries', options, async (records, claim) => {
    for (const record of records) {
      arrived.add(record.value.delivery_id);
      await claim.done(record);
    }
    return { kind: 'handled' };
  });
  return arrived;
}

export interface Steady {
  readonly acknowledged: ReadonlySet<number>;
  /** Why the others were not, in the order of their failures. */
  readonly rejected: readonly string[];
  /** Resolves when the last one has its answer. */
  stop(): Promise<void>;
}

/** Publishes one delivery after the other, 20 ms after what became of the last; never one twice. */
export function publishSteadily(log: Log, firstId = 1): Steady {
  const acknowledged = new Set<number>();
  const rejected: string[] = [];
  let stopped = false;
  const running = (async () => {
    for (let id = firstId; !stopped; id++) {
      await log.publish('deliveries', [{ key: String(id), value: { delivery_id: id } }]).then(
        () => acknowledged.add(id),
        (error: Error) => rejected.push(error.message),
      );
      await pause(systemClock, 20);
    }
  })();
  return {
    acknowledged,
    rejected,
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

export const missing = ({ acknowledged }: Steady, arrived: ReadonlySet<number>): number[] =>
  [...acknowledged].filter((id) => !arrived.has(id));
