import type { DeliveryId } from '../contract/ids.ts';
import { outcomeCode } from '../contract/outcome.ts';
import { createRecent } from '../contract/recent.ts';
import type { BlockSent, ChannelHalt } from '../worker/protocol.ts';

/**
 * What this engine has seen of each delivery lately: how much of it had to be tried again, and who rejected
 * bursts of it. Another engine, or this one after a restart, sees it again for itself.
 */
export interface DeliveryBooks {
  noteSent(deliveryId: DeliveryId, sent: BlockSent): void;
  /** More of it failed than may be tried again at the usual pace: its retries wait for the longest time. */
  isOverBudget(deliveryId: DeliveryId): boolean;
  /** Channels that rejected so many bursts that the rest is ended unsent. */
  givenUp(deliveryId: DeliveryId): ChannelHalt[];
}

/** Retries: a fifth of what went through, and so many more that a small delivery never waits for others. */
export const RETRY_SHARE = 0.2;
export const RETRY_CONSTANT = 1_024;
/** Blocks that a push service may reject before it is believed. */
export const BURSTS_TO_GIVE_UP = 3;
const MAX_DELIVERIES = 1_024;

interface Book {
  sent: number;
  toRetry: number;
  readonly bursts: Map<number, { count: number; halt: ChannelHalt }>;
}

export function createDeliveryBooks(): DeliveryBooks {
  const books = createRecent(
    MAX_DELIVERIES,
    (_deliveryId: DeliveryId): Book => ({ sent: 0, toRetry: 0, bursts: new Map() }),
  );

  return {
    noteSent(deliveryId, sent) {
      const book = books.use(deliveryId);
      for (const code of sent.outcomes) {
        if (code === outcomeCode.throttled || code === outcomeCode.unreachable) book.toRetry++;
        else if (code !== outcomeCode.unsent) book.sent++;
      }
      for (const halt of sent.halts ?? []) {
        const count = (book.bursts.get(halt.channel)?.count ?? 0) + 1;
        book.bursts.set(halt.channel, { count, halt });
      }
    },
    isOverBudget(deliveryId) {
      const book = books.peek(deliveryId);
      return book !== undefined && book.toRetry > RETRY_CONSTANT + RETRY_SHARE * book.sent;
    },
    givenUp: (deliveryId) =>
      [...(books.peek(deliveryId)?.bursts.values() ?? [])]
        .filter(({ count }) => count >= BURSTS_TO_GIVE_UP)
        .map(({ halt }) => halt),
  };
}
