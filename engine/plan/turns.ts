import type { DeliveryId, OrganizationId } from '../contract/ids.ts';
import type { Lane } from '../contract/topics.ts';
import type { Traceparent } from '../contract/trace-context.ts';
import type { PlanDelivery, PlanEnding, PlanStore } from './plan-delivery.ts';

/** More organizations than that have hardly anything to plan in the same minute. */
const MOST_SERVED = 100;
/** Of one message. */
const MOST_TURNS = 3;

export type PlanInTurn = (message: {
  readonly deliveryId: DeliveryId;
  readonly traceparent: Traceparent | null;
  readonly attempt: number;
}) => Promise<PlanEnding>;

/**
 * The log hands out deliveries in the order they came, and a large one takes up to some seconds to count: so hundreds of one
 * organization that are due at once would be planned before anybody else's. A message therefore means that *one* of the lane's
 * deliveries is to be planned, and organizations take turns. There are as many messages as deliveries, so whichever gave its
 * message away is planned with another one.
 */
export function createTurns(
  lane: Lane,
  store: Pick<PlanStore, 'takeTurn'>,
  planDelivery: PlanDelivery,
): PlanInTurn {
  /** The one that was served last is at the end. */
  let served: readonly OrganizationId[] = [];

  return async function planInTurn({ deliveryId, traceparent, attempt }) {
    // Its attempts are counted by its own message, so a later one is for nobody else.
    const turns = attempt > 1 ? 0 : MOST_TURNS;
    for (let at = 0; at < turns; at++) {
      // Where a row cannot be taken, or the database does not answer, its own delivery's planning says so.
      const turn = await store.takeTurn(lane, served, deliveryId).catch(() => null);
      if (turn === null) break;
      const { organizationId } = turn;
      served = [...served.filter((other) => other !== organizationId), organizationId].slice(-MOST_SERVED);
      if (turn.deliveryId === deliveryId) break;
      try {
        const ending = await planDelivery(turn.deliveryId, turn.traceparent);
        if (ending.kind !== 'nothing-to-plan') return ending;
      } catch {
        // Its own message says why, and counts it.
      }
    }
    return planDelivery(deliveryId, traceparent);
  };
}
