import { hash } from 'node:crypto';
import { type FxRate, parseFxRate } from '../../engine/contract/fx-rate.ts';
import type { TopicValue } from '../../engine/contract/topics.ts';
import {
  type ConsumeBatchesDeps,
  createConsumeBatches,
  type RecordStage,
} from '../../engine/intake/consume-batches.ts';
import type { FxStore } from './fx-store.ts';

/**
 * Exchange rates from the log. A batch with an invalid rate becomes a dead letter whole: half a statement is
 * worse than yesterday's. Repeated, late or out of order: per day and currency the latest statement counts.
 */
export function createFxStage(
  deps: Omit<ConsumeBatchesDeps<'fx-rates'>, 'topic' | 'recordBatch'> & {
    readonly store: FxStore;
    /** New rates can be read. */
    readonly onRates: () => void;
    readonly nowMs: () => number;
  },
): RecordStage {
  return createConsumeBatches({
    ...deps,
    topic: 'fx-rates',
    recordBatch: async ({ value }) => {
      const { source, batch_id, stated_at } = value;
      const rates = ratesOf(value, new Date(deps.nowMs()).toISOString().slice(0, 10));
      const token = hash('sha256', `${source} ${batch_id}`, 'hex');
      const ending = await deps.store.insertRates(rates, { source, statedAtMs: stated_at, token });
      // Where the answer was lost they may be there all the same.
      deps.onRates();
      return ending;
    },
  });
}

/** @throws Error that names the first one that is none. */
function ratesOf({ rates }: TopicValue<'fx-rates'>, today: string): FxRate[] {
  return rates.map(({ day, currency, per_eur }, index) => {
    const rate = parseFxRate({ day, currency, perEur: per_eur }, today);
    if (typeof rate === 'string') throw new Error(`rate ${index + 1}: ${rate}`);
    return rate;
  });
}
