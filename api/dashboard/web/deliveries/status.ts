import type { Answer } from '../../../http-client/client.ts';

export type Status = Answer<'/api/v1/client/apps/{identifier}/deliveries', 'get'>['data'][number]['status'];

interface WithStatus {
  readonly status: Status;
}

/** It changes from second to second. */
export const isActive = ({ status }: WithStatus): boolean =>
  status === 'pending' || status === 'queued' || status === 'processing';

export const isCancellable = (delivery: WithStatus): boolean =>
  delivery.status === 'scheduled' || isActive(delivery);

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
