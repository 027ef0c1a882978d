import { type BlockOutcomes, unpackBlockOutcomes } from '../contract/packed-outcomes.ts';
import type { TopicValue } from '../contract/topics.ts';

/** @throws RangeError where any block cannot be read: the batch is taken whole or not at all. */
export function unpackBatch({ batch_id, blocks, welcomes = [] }: TopicValue<'outcomes'>): BlockOutcomes[] {
  const isWelcome = new Set(welcomes);
  return blocks.map((block, index) => {
    try {
      const outcomes = unpackBlockOutcomes(Buffer.from(block, 'base64'));
      return isWelcome.has(index) ? { ...outcomes, welcome: true } : outcomes;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RangeError(`block ${index} of batch ${batch_id} cannot be read: ${reason}`, { cause: error });
    }
  });
}
