import type { DeliveryId } from '../../../contract/ids.ts';
import type { Database } from '../database.ts';

/**
 * How long the pace may pause and still catch up: the delay of a grant, a block's read and a timer. A longer
 * pause shifts the schedule.
 */
const MADE_UP_SECONDS = 0.25;

/** The pace of a delivery: one row says when its next target may be handed to a push service. */
export function createPaceStore(database: Database) {
  return {
    /**
     * Reserves the time of the delivery's next `targets`, for any engine: times are given out in order at the
     * delivery's rate, and unused ones are lost.
     * @returns in how many milliseconds the first of them may be sent; 0 or less: now.
     */
    reserveSendTime: async (deliveryId: DeliveryId, targets: number): Promise<number> => {
      const [row] = await database.query<{ wait_ms: number }>(
        `UPDATE delivery_paces SET next_at = greatest(next_at, now() - make_interval(secs => $3))
           + make_interval(secs => 60.0 * $2 / rate_per_minute)
         WHERE delivery_id = $1
         RETURNING (1000 * (extract(epoch FROM next_at - now()) - 60.0 * $2 / rate_per_minute))::float8 AS wait_ms`,
        [deliveryId, targets, MADE_UP_SECONDS],
      );
      if (row === undefined) throw new Error(`delivery ${deliveryId} is paced and has no pace`);
      return row.wait_ms;
    },
  };
}
