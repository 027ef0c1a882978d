import { isActive, type Status } from './status.ts';

/** What became of each reader of a delivery; together they are all of them. */
export interface Part {
  readonly kind: 'accepted' | 'failed' | 'capped' | 'waiting' | 'notSent';
  readonly count: number;
  readonly color: string;
}

interface Counted {
  readonly status: Status;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly capped_subscribers: number;
}

export function partsOf(delivery: Counted): readonly Part[] {
  const { success_count: accepted, failed_count: failed, capped_subscribers: capped } = delivery;
  const left = Math.max(0, delivery.total_subscribers - accepted - failed - capped);
  const active = isActive(delivery);
  return [
    { kind: 'accepted', count: accepted, color: 'teal.7' },
    { kind: 'failed', count: failed, color: 'red.7' },
    { kind: 'capped', count: capped, color: 'yellow.6' },
    ...(active ? [{ kind: 'waiting', count: left, color: 'gray.5' } as const] : []),
    ...(!active && left > 0 ? [{ kind: 'notSent', count: left, color: 'gray.5' } as const] : []),
  ];
}

export const endedOf = ({ success_count, failed_count, capped_subscribers }: Counted): number =>
  success_count + failed_count + capped_subscribers;
