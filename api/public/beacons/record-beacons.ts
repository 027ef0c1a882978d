import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { MAX_EVENTS_PER_BATCH } from '../../../engine/contract/event.ts';
import type { Log } from '../../../engine/contract/log.ts';
import { RecordsRefused } from '../../../engine/contract/records-refused.ts';
import { isRefusedValue } from '../../../engine/contract/refused-value.ts';
import { logFailure } from '../../../engine/kit/roles/log-failure.ts';
import { type Batcher, createBatcher } from './batcher.ts';
import { type Beacon, reportedEvents } from './beacon.ts';
import { resolveNames } from './store.ts';

/** Long enough for a batch worth an insert, short enough that a browser waits for its answer. */
const DELAY_MS = 200;
/** Of some 2 KB at their longest, so 16 MB: a burst, or the backlog while the log is slow. */
const MAX_HELD = 8_192;
/** Each needs a connection to Postgres for a moment, which the rest of the API needs too. */
const MAX_FLUSHES = 2;

/**
 * Beacons onto the log: those of 200 ms together, as one message that becomes one insert. `stored`: the log has
 * acknowledged. A batch that failed half-way may be on the log all the same, and browsers send it again: sets
 * of subscribers count it once.
 */
export function createRecordBeacons(deps: {
  readonly sql: Sql;
  readonly log: Pick<Log, 'publish'>;
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
}): Batcher<Beacon> {
  return createBatcher<Beacon>({
    sizeOf: ({ events }) => events.length,
    maxSize: MAX_EVENTS_PER_BATCH,
    maxHeld: MAX_HELD,
    delayMs: DELAY_MS,
    maxFlushes: MAX_FLUSHES,
    clock: systemClock,
    isOfEntries: (error) => error instanceof RecordsRefused || isRefusedValue(error),
    onAway: (error, beacons) =>
      logFailure(deps.logger, error, 'beacons are refused for now: Postgres or the log does not answer', {
        fields: { beacons },
      }),
    flush: async (beacons) => {
      const resolved = await resolveNames(deps.sql, beacons);
      const events = beacons.flatMap((beacon, index) => {
        const names = resolved[index] ?? null;
        // The delivery is deleted: its clicks are no longer read.
        return names === null ? [] : reportedEvents(beacon, names);
      });
      if (events.length === 0) return;
      const batch_id = randomUUID();
      await deps.log.publish('events', [{ key: batch_id, value: { batch_id, events } }]);
    },
  });
}
