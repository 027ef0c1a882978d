import type { DeliveryId, OrganizationId } from '../contract/ids.ts';
import type { Lane } from '../contract/topics.ts';
import type { Traceparent } from '../contract/trace-context.ts';
import type { PlanDelivery, PlanEnding, PlanStore } from './plan-delivery.ts';

/** More organizations than that have hardly anything to plan in the same minute. */
const MOST_SERVED = 100;
/** Deliveries that fail to be planned, by one message: their own messages count that. */
const MOST_FAILED = 3;

export type PlanInTurn = (message: {
  readonly deliveryId: DeliveryId;
  readonly traceparent: Traceparent | null;
  readonly attempt: number;
}) => Promise<PlanEnding>;

/**
 * The log hands out deliveries in the order they came, and a large one takes up to some seconds to count: so hundreds of one
 * organization that are due at once would be planned before anybody else's. A message therefore means that *one* of its lane's
 * deliveries is to be planned, and organizations take turns. There are as many messages as deliveries, so whichever gave its
 * message away is planned with another one: a message ends only with a delivery that it planned, or where none waits.
 */
export function createTurns(
  lane: Lane,
  store: Pick<PlanStore, 'takeTurn'>,
  planDelivery: PlanDelivery,
): PlanInTurn {
  /** The one that was served last is at the end. */
  let served: readonly OrganizationId[] = [];

  /**
   * Null: no delivery waits, or `own` is next.
   * @throws where the last of some could not be planned; the log gets those again.
   */
  async function planNext(own: DeliveryId): Promise<PlanEnding | null> {
    for (let failed = 0; ; ) {
      // Where a row cannot be taken, or the database does not answer, its own delivery's planning says so.
      const turn = await store.takeTurn(lane, served, own).catch(() => null);
      if (turn === null) return null;
      const { organizationId } = turn;
      served = [...served.filter((other) => other !== organizationId), organizationId].slice(-MOST_SERVED);
      if (turn.deliveryId === own) return null;
      try {
        const ending = await planDelivery(turn.deliveryId, turn.traceparent);
        if (ending.kind !== 'nothing-to-plan') return ending;
      } catch (error) {
        failed++;
        if (failed === MOST_FAILED) throw error;
      }
    }
  }

  return async function planInTurn({ deliveryId, traceparent, attempt }) {
    // Its attempts are counted by its own message, so a later one is for itself first.
    const other = attempt > 1 ? null : await planNext(deliveryId).catch(() => null);
    if (other !== null) return other;
    const ending = await planDelivery(deliveryId, traceparent);
    if (ending.kind !== 'nothing-to-plan') return ending;
    // Another message planned it, before or meanwhile, and the delivery of that one waits for this one.
    return (await planNext(deliveryId)) ?? ending;
  };
}
