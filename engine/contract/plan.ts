import type { NamedReach } from './audience.ts';
import type { Audience } from './frozen-audience.ts';
import type { AppId, DeliveryId, OrganizationId } from './ids.ts';
import type { BlockCount, PlannedShard } from './shard.ts';
import type { Lane } from './topics.ts';
import type { Traceparent } from './trace-context.ts';

/** A delivery whose rules name reaches that are not frozen for it yet. */
export interface UnfrozenDelivery {
  readonly appId: AppId;
  readonly unfrozen: readonly NamedReach[];
  /** Its reach then has those, too, of whom nobody knows whether they got the message. */
  readonly isCorrection: boolean;
}

/** A correction of a delivery that still has messages in flight: whom that reaches is not known yet. */
export interface EarlyCorrection {
  readonly corrects: DeliveryId;
}

/** A delivery that can be planned, its audience as it was at one moment. */
export interface CountedDelivery {
  readonly lane: Lane;
  /** Null: as fast as it goes. */
  readonly ratePerMinute: number | null;
  /** Frozen at that moment; null: every subscriber of the app. */
  readonly audience: Audience | null;
  /** Blocks with at least one match, ascending. */
  readonly counts: readonly BlockCount[];
}

export interface Plan {
  readonly audience: Audience | null;
  readonly shards: readonly PlannedShard[];
  /** The messages of its shards carry it; null: that of the delivery's creation. */
  readonly traceparent: Traceparent | null;
}

/** The delivery that is planned next, whichever of its lane's messages came. */
export interface Turn {
  readonly deliveryId: DeliveryId;
  readonly organizationId: OrganizationId;
  readonly traceparent: Traceparent | null;
}
