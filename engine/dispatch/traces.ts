import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanAttributes, Tracing } from '../adapters/telemetry/tracing.ts';
import { isSampled } from '../contract/trace-context.ts';
import type { BlockStore } from './ports.ts';
import type { BlockEnding, RunBlock } from './run-block.ts';
import type { RunShard } from './run-shard.ts';

/** Lays spans around dispatch: one a shard, below it one a block, and the block's name on its outcomes. */
export interface DispatchTraces {
  shard(runShard: RunShard): RunShard;
  block(runBlock: RunBlock): RunBlock;
  /** Outcomes carry their sending span to record. */
  ends<Store extends Pick<BlockStore, 'endBlock'>>(store: Store): Store;
}

/**
 * Steps of a paced block are runs too, and a slow rate makes thousands of them: past this a shard's runs have no
 * spans of their own.
 */
const MAX_BLOCK_SPANS_PER_SHARD = 256;

interface Traced {
  /** Of the block, or of the shard where no block runs. */
  readonly span: Span;
  /** Of this shard. */
  readonly blocks: { spans: number };
}

const untouched: DispatchTraces = Object.freeze({
  shard: (runShard: RunShard) => runShard,
  block: (runBlock: RunBlock) => runBlock,
  ends: <Store>(store: Store) => store,
});

/** Which span is open follows the calls, so that no stage hands it on. Without tracing, nothing is laid around. */
export function createDispatchTraces(tracing: Tracing): DispatchTraces {
  if (!tracing.enabled) return untouched;
  const current = new AsyncLocalStorage<Traced>();

  return {
    shard: (runShard) => async (shardId, run) => {
      const attributes = { 'broadside.shard_id': shardId };
      const span = tracing.start('dispatch shard', { parent: run.traceparent, attributes });
      const work = () => runShard(shardId, run);
      return ended(span, current.run({ span, blocks: { spans: 0 } }, work), ({ kind }) => ({
        'broadside.ending': kind,
      }));
    },

    block: (runBlock) => async (shard, block, before, stop, part) => {
      const work = () => runBlock(shard, block, before, stop, part);
      const traced = current.getStore();
      if (traced === undefined || ++traced.blocks.spans > MAX_BLOCK_SPANS_PER_SHARD) return work();
      const span = tracing.start('send block', {
        parent: traced.span.traceparent,
        attributes: {
          'broadside.delivery_id': shard.deliveryId,
          'broadside.app_id': shard.appId,
          'broadside.lane': shard.lane,
          'broadside.attempt': shard.attempt,
          'broadside.block': block,
        },
      });
      return ended(span, current.run({ ...traced, span }, work), blockAttributes);
    },

    ends: (store) => ({
      ...store,
      endBlock: (lease, end, leaseMs) => {
        const traceparent = current.getStore()?.span.traceparent ?? null;
        if (traceparent === null || !isSampled(traceparent)) return store.endBlock(lease, end, leaseMs);
        return store.endBlock(lease, { ...end, traceparent }, leaseMs);
      },
    }),
  };
}

/** Ends the span with its work, whichever way that ends. */
async function ended<Ending>(
  span: Span,
  work: Promise<Ending>,
  attributesOf: (ending: Ending) => SpanAttributes,
): Promise<Ending> {
  try {
    const ending = await work;
    span.end(attributesOf(ending));
    return ending;
  } catch (error) {
    span.end({}, 'threw');
    throw error;
  }
}

function blockAttributes(ending: BlockEnding): SpanAttributes {
  if (ending.kind !== 'ended' || ending.sent === null) return { 'broadside.ending': ending.kind };
  return { 'broadside.ending': ending.kind, 'broadside.targets': ending.sent.seqs.length };
}
