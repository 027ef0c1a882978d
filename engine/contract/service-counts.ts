import { pushServices } from './push-service.ts';

/**
 * What came of a delivery at each push service, as flat numbers: for the first of `pushServices` its three, then
 * for the second, so that a service that is appended makes the list longer and moves nothing. `throttled` counts
 * answers: one target may have several.
 */
export const serviceCountFields = ['accepted', 'failed', 'throttled'] as const;
export type ServiceCountField = (typeof serviceCountFields)[number];

export interface ServiceCounts {
  readonly counts: readonly number[];
  /** By service: targets that were tried or held back, and are left for another attempt. Of the whole block. */
  readonly waiting: readonly number[];
}

export const emptyServiceCounts = (): number[] =>
  new Array(pushServices.length * serviceCountFields.length).fill(0);

export const placeInCounts = (serviceIndex: number, field: ServiceCountField): number =>
  serviceIndex * serviceCountFields.length + serviceCountFields.indexOf(field);
