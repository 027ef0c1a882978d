import { createRecent } from '../contract/concurrency/recent.ts';
import type { DeliveryId } from '../contract/ids.ts';
import { failureCode, outcomeCode } from '../contract/outcome.ts';
import type { BlockSent } from '../worker/protocol.ts';

/**
 * The recent retries of each delivery, as this engine has seen them. Another engine, or this one after a
 * restart, counts for itself.
 */
export interface DeliveryBooks {
  noteSent(deliveryId: DeliveryId, sent: BlockSent): void;
  /** More of it failed than may be tried again at the usual pace: its retries wait for the longest time. */
  isOverBudget(deliveryId: DeliveryId): boolean;
}

/** The retry budget: a fifth of the accepted ones, and enough more that a small delivery never waits for others. */
export const RETRY_SHARE = 0.2;
export const RETRY_CONSTANT = 1_024;
const MAX_DELIVERIES = 1_024;

export function createDeliveryBooks(): DeliveryBooks {
  const books = createRecent(MAX_DELIVERIES, (_deliveryId: DeliveryId) => ({ sent: 0, toRetry: 0 }));

  return {
    noteSent(deliveryId, sent) {
      const book = books.use(deliveryId);
      for (let index = 0; index < sent.outcomes.length; index++) {
        const code = sent.outcomes[index];
        if (isToRetry(code, sent.failures[index])) book.toRetry++;
        else if (code !== outcomeCode.unsent && code !== outcomeCode.unreachable) book.sent++;
      }
    },
    isOverBudget(deliveryId) {
      const book = books.peek(deliveryId);
      return book !== undefined && book.toRetry > RETRY_CONSTANT + RETRY_SHARE * book.sent;
    },
  };
}

/**
 * A target that never reached a push service puts no load on any: names that do not resolve use up no retry
 * budget.
 */
const isToRetry = (code: number | undefined, failure: number | undefined): boolean =>
  code === outcomeCode.throttled || (code === outcomeCode.unreachable && failure !== failureCode.refused);
