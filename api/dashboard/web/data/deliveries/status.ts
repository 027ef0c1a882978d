import type { Answer } from '../../../../http-client/client.ts';

export type Status = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number]['status'];

interface WithStatus {
  readonly status: Status;
}

/** It changes from second to second. */
export const isActive = ({ status }: WithStatus): boolean =>
  status === 'pending' || status === 'queued' || status === 'processing';

interface Approved extends WithStatus {
  readonly approval: { readonly state: 'waiting' | 'approved' | 'declined' } | null;
}

/** Nothing sends it before somebody approves it. */
export const isHeld = ({ status, approval }: Approved): boolean =>
  status === 'pending' && approval !== null && approval.state !== 'approved';

export const isCancellable = (delivery: WithStatus): boolean =>
  delivery.status === 'scheduled' || isActive(delivery);

interface Correctable {
  readonly rehearsal: boolean;
  readonly test: boolean;
  readonly started_at: string | null;
  readonly correction: { readonly status: Status } | null;
}

/** Somebody may have got it, and it is not corrected already. */
export const isCorrectable = ({ rehearsal, test, started_at, correction }: Correctable): boolean =>
  !rehearsal && !test && started_at !== null && (correction === null || correction.status === 'failed');

interface Ended extends WithStatus {
  readonly total_subscribers: number;
  readonly failed_count: number;
  readonly gone_count: number;
}

/** A few failures among many readers are nothing that a person could fix. */
const TROUBLE_SHARE = 0.01;

/** Every real list holds readers who have left: only other failures need somebody. */
export const isTroubled = ({ status, total_subscribers: total, failed_count, gone_count }: Ended): boolean =>
  status === 'partial' && failed_count - gone_count > total * TROUBLE_SHARE;

/** As pages call it: what only lost readers who had left was sent. */
export const shownStatus = (delivery: Ended): Status =>
  delivery.status === 'partial' && !isTroubled(delivery) ? 'success' : delivery.status;

export const statusColors: Readonly<Record<Status, string>> = {
  pending: 'indigo',
  queued: 'indigo',
  processing: 'indigo',
  scheduled: 'grape',
  success: 'teal',
  partial: 'yellow',
  failed: 'red',
  cancelled: 'gray',
};
