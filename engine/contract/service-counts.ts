import { pushServices } from './push-service.ts';

/**
 * The counts of a delivery per push service, as flat numbers: three for the first of `pushServices`, then three
 * for the second, so that an appended service lengthens the list and moves nothing. `throttled` counts answers:
 * one target may have several.
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

export const countIndex = (serviceIndex: number, field: ServiceCountField): number =>
  serviceIndex * serviceCountFields.length + serviceCountFields.indexOf(field);
