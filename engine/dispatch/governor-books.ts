import type { DeliveryId } from '../contract/ids.ts';
import { failureCode, outcomeCode } from '../contract/outcome.ts';
import { createRecent } from '../contract/recent.ts';
import type { BlockSent } from '../worker/protocol.ts';

/**
 * What this engine has seen of each delivery lately: how much of it had to be tried again. Another engine, or this
 * one after a restart, sees it again for itself.
 */
export interface DeliveryBooks {
  noteSent(deliveryId: DeliveryId, sent: BlockSent): void;
  /** More of it failed than may be tried again at the usual pace: its retries wait for the longest time. */
  isOverBudget(deliveryId: DeliveryId): boolean;
}

/** Retries: a fifth of what went through, and so many more that a small delivery never waits for others. */
export const RETRY_SHARE = 0.2;
export const RETRY_CONSTANT = 1_024;
const MAX_DELIVERIES = 1_024;

export function createDeliveryBooks(): DeliveryBooks {
  const books = createRecent(MAX_DELIVERIES, (_deliveryId: DeliveryId) => ({ sent: 0, toRetry: 0 }));

  return {
    noteSent(deliveryId, sent) {
      const book = books.use(deliveryId);
      for (let place = 0; place < sent.outcomes.length; place++) {
        const code = sent.outcomes[place];
        if (isToRetry(code, sent.failures[place])) book.toRetry++;
        else if (code !== outcomeCode.unsent && code !== outcomeCode.unreachable) book.sent++;
      }
    },
    isOverBudget(deliveryId) {
      const book = books.peek(deliveryId);
      return book !== undefined && book.toRetry > RETRY_CONSTANT + RETRY_SHARE * book.sent;
    },
  };
}

/** What never reached a push service is no load on any: names that do not resolve use up nobody's budget. */
const isToRetry = (code: number | undefined, failure: number | undefined): boolean =>
  code === outcomeCode.throttled || (code === outcomeCode.unreachable && failure !== failureCode.refused);
