import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import { type PushServices, seqOf } from './push-service.ts';

/** A request to the host that limits the app. */
export interface LimitedRequest {
  readonly atMs: number;
  readonly seq: number;
  readonly accepted: boolean;
  /** The budget of the engines at that moment. */
  readonly budget: number;
}

export interface LimitedServices extends PushServices {
  /** In their order. */
  readonly requests: readonly LimitedRequest[];
  /** When each request to another host came. */
  readonly others: readonly number[];
  firstThrottledAtMs(): number;
}

const MINUTE_MS = 60_000;

/** Push services of which one takes a limited number of messages in any minute, and answers 429 beyond. */
export function limitedServices(
  services: PushServices,
  clock: Clock,
  host: string,
  allowedPerMinute: number,
  budgetNow: () => number,
): LimitedServices {
  const requests: LimitedRequest[] = [];
  const others: number[] = [];
  const taken: number[] = [];

  return {
    ...services,
    requests,
    others,
    firstThrottledAtMs: () => requests.find(({ accepted }) => !accepted)?.atMs ?? Number.NaN,
    answer: (endpoint) => {
      const atMs = clock.now();
      if (!endpoint.startsWith(`https://${host}/`)) {
        others.push(atMs);
        return services.answer(endpoint);
      }
      while ((taken[0] ?? atMs) <= atMs - MINUTE_MS) taken.shift();
      const accepted = taken.length < allowedPerMinute;
      requests.push({ atMs, seq: seqOf(endpoint), accepted, budget: budgetNow() });
      if (accepted) {
        taken.push(atMs);
        return services.answer(endpoint);
      }
      return {
        ...{ outcome: 'throttled', failure: 'answered', status: 429, retryAfterSeconds: null },
        ...{ unconnected: null, delivered: false },
      };
    },
  };
}
