import { outcomes, settles } from '../../../engine/contract/outcome.ts';
import type { BlockOutcomes } from '../../../engine/contract/packed-outcomes.ts';
import type { OutcomeStore } from '../../../engine/record/ports.ts';
import type { Random } from './random.ts';

/** What ClickHouse would hold: rows of every token once, and the last word on each target. */
export interface OutcomeBook extends OutcomeStore {
  readonly weather: { away: boolean; forgetting: number };
  /** Rows of a delivery whose outcome settles a target: accepted ones, and the others. */
  settledRows(deliveryId: number): { readonly accepted: number; readonly failed: number };
  /** Tokens that came with other rows than before: ClickHouse would have dropped them. */
  readonly conflicts: readonly string[];
}

export function createOutcomeBook(random: Random): OutcomeBook {
  const tokens = new Map<string, string>();
  const books = new Map<number, { accepted: number; failed: number }>();
  const conflicts: string[] = [];
  const weather = { away: false, forgetting: 0 };

  function insert(block: BlockOutcomes): number {
    const book = books.get(block.deliveryId) ?? { accepted: 0, failed: 0 };
    for (const code of block.outcomes) {
      const outcome = outcomes[code] ?? 'unsent';
      if (outcome === 'accepted') book.accepted++;
      else if (settles[outcome]) book.failed++;
    }
    books.set(block.deliveryId, book);
    return block.outcomes.length;
  }

  return {
    weather,
    conflicts,
    settledRows: (deliveryId) => books.get(deliveryId) ?? { accepted: 0, failed: 0 },
    insertOutcomes: async (blocks, token) => {
      if (weather.away) return { kind: 'away', store: 'ClickHouse', reason: 'away' };
      const content = blocks.map(({ deliveryId, block, attempt, seqs }) => [
        deliveryId,
        block,
        attempt,
        ...seqs,
      ]);
      const text = content.join(';');
      const before = tokens.get(token);
      if (before !== undefined && before !== text) conflicts.push(token);
      const rows = before === undefined ? blocks.reduce((sum, block) => sum + insert(block), 0) : 0;
      tokens.set(token, text);
      if (random.chance(weather.forgetting))
        return { kind: 'away', store: 'ClickHouse', reason: 'the answer was lost' };
      return { kind: 'inserted', rows };
    },
  };
}
