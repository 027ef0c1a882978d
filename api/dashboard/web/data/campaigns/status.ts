import type { CampaignKind, CampaignStatus } from './resource.ts';

/** In the order in which one looks for them. */
export const statuses = [
  'running',
  'deciding',
  'scheduled',
  'completed',
  'cancelled',
  'failed',
] as const satisfies readonly CampaignStatus[];
export const kinds = [
  'ab_test',
  'local_time',
  'recurring',
  'feed',
  'quiet_hours',
] as const satisfies readonly CampaignKind[];

export const statusColors: Readonly<Record<CampaignStatus, string>> = {
  scheduled: 'grape',
  running: 'indigo',
  deciding: 'orange',
  completed: 'teal',
  cancelled: 'gray',
  failed: 'red',
};

interface WithStatus {
  readonly status: CampaignStatus;
}

/** It creates deliveries yet, by itself or once somebody decides. */
export const isOpen = ({ status }: WithStatus): boolean =>
  status === 'scheduled' || status === 'running' || status === 'deciding';

/** Its readers get it by their time zones. */
export const byZones = ({ kind }: { readonly kind: CampaignKind }): boolean =>
  kind === 'local_time' || kind === 'quiet_hours';

interface Begun extends WithStatus {
  readonly kind: CampaignKind;
  readonly deliveries: number;
}

/** By time zones it runs from the first instant on Earth: to people it is scheduled until somebody gets it. */
export const shownStatus = ({ status, kind, deliveries }: Begun): CampaignStatus =>
  status === 'running' && deliveries === 0 && byZones({ kind }) ? 'scheduled' : status;

interface Approved extends WithStatus {
  readonly approval: { readonly state: 'waiting' | 'approved' | 'declined' } | null;
}

/** It takes no step before somebody approves it. */
export const isHeld = ({ status, approval }: Approved): boolean =>
  status === 'scheduled' && approval !== null && approval.state !== 'approved';

interface WithCounts {
  readonly success_count: number;
  readonly failed_count: number;
}

/** Readers of its deliveries whose message is settled. */
export const endedOf = ({ success_count, failed_count }: WithCounts): number => success_count + failed_count;
