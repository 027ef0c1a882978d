/** A delivery's life (DESIGN: pending → queued → processing → success | partial | failed). */
export const deliveryStatuses = [
  'pending',
  'scheduled',
  'queued',
  'processing',
  'partial',
  'success',
  'failed',
  'cancelled',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const completedStatuses = [
  'partial',
  'success',
  'failed',
] as const satisfies readonly DeliveryStatus[];
export type CompletedStatus = (typeof completedStatuses)[number];

export interface DeliveryCounts {
  readonly accepted: number;
  readonly failed: number;
}

/** A delivery whose last shard has settled. */
export interface Completed {
  readonly status: CompletedStatus;
  readonly total: number;
  readonly accepted: number;
  readonly failed: number;
  readonly capped: number;
}

/** `success`: nothing failed. `failed`: something failed and nothing was accepted. Otherwise `partial`. */
export function completedStatus(counts: DeliveryCounts): CompletedStatus {
  if (counts.failed === 0) return 'success';
  return counts.accepted === 0 ? 'failed' : 'partial';
}

export const urgencies = ['very-low', 'low', 'normal', 'high'] as const;
export type Urgency = (typeof urgencies)[number];
