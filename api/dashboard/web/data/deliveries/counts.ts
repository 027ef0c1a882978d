import { isActive, type Status } from './status.ts';

/** The results for the readers of a delivery; together they are all of them. */
export interface Part {
  readonly kind: 'accepted' | 'gone' | 'failed' | 'capped' | 'guarded' | 'wished' | 'waiting' | 'notSent';
  readonly count: number;
  readonly color: string;
}

interface Counted {
  readonly status: Status;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  /** Part of the failed. */
  readonly gone_count: number;
  readonly capped_subscribers: number;
  /** Part of the capped. */
  readonly guarded_subscribers: number;
  /** Another part of the capped. */
  readonly wished_subscribers: number;
}

export function partsOf(delivery: Counted): readonly Part[] {
  const {
    success_count: accepted,
    failed_count: failed,
    gone_count: gone,
    capped_subscribers: capped,
    guarded_subscribers: guarded,
    wished_subscribers: wished,
  } = delivery;
  const left = Math.max(0, delivery.total_subscribers - accepted - failed - capped);
  const active = isActive(delivery);
  return [
    { kind: 'accepted', count: accepted, color: 'teal.7' },
    { kind: 'gone', count: gone, color: 'gray.6' },
    { kind: 'failed', count: failed - gone, color: 'red.7' },
    { kind: 'capped', count: capped - guarded - wished, color: 'indigo.4' },
    ...(guarded > 0 ? [{ kind: 'guarded', count: guarded, color: 'indigo.7' } as const] : []),
    ...(wished > 0 ? [{ kind: 'wished', count: wished, color: 'indigo.2' } as const] : []),
    ...(active ? [{ kind: 'waiting', count: left, color: 'gray.4' } as const] : []),
    ...(!active && left > 0 ? [{ kind: 'notSent', count: left, color: 'gray.4' } as const] : []),
  ];
}

export const endedOf = ({ success_count, failed_count, capped_subscribers }: Counted): number =>
  success_count + failed_count + capped_subscribers;
