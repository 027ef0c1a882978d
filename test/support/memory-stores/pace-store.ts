import type { ReserveSendTime } from '../../../engine/dispatch/run-paced-block.ts';
import type { Tables } from './tables.ts';

/** As of the real one: how long the pace may pause and still catch up. */
const MADE_UP_MS = 250;

/** `engine/adapters/postgres/dispatch/pace-store.ts`. */
export function createMemoryPaceStore(tables: Tables): { readonly reserveSendTime: ReserveSendTime } {
  return {
    reserveSendTime: async (deliveryId, targets) => {
      const nextAtMs = tables.paces.get(deliveryId);
      const ratePerMinute = tables.deliveries.get(deliveryId)?.ratePerMinute;
      if (nextAtMs === undefined || !ratePerMinute)
        throw new Error(`delivery ${deliveryId} is paced and has no pace`);
      const atMs = Math.max(nextAtMs, tables.now() - MADE_UP_MS);
      tables.paces.put(deliveryId, atMs + (60_000 * targets) / ratePerMinute);
      return atMs - tables.now();
    },
  };
}
