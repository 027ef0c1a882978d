import { noTracing, type Tracing } from '../adapters/telemetry/tracing.ts';
import {
  type ConsumeBatchesDeps,
  createConsumeBatches,
  type RecordStage,
} from '../intake/consume-batches.ts';
import type { OutcomeStore } from './ports.ts';
import { tracedBatch } from './traced-batch.ts';
import { unpackBatch } from './unpack-batch.ts';

/** Record, of outcomes: while ClickHouse is unavailable they wait on the log, and sending goes on. */
export function createRecordStage(
  deps: Omit<ConsumeBatchesDeps<'outcomes'>, 'topic' | 'recordBatch'> & {
    readonly store: OutcomeStore;
    readonly tracing?: Tracing;
  },
): RecordStage {
  return createConsumeBatches({
    ...deps,
    topic: 'outcomes',
    recordBatch: tracedBatch(deps.tracing ?? noTracing, async ({ value }) =>
      deps.store.insertOutcomes(unpackBatch(value), value.batch_id),
    ),
  });
}
