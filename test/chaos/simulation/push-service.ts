import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import type { Failure, Outcome } from '../../../engine/contract/outcome.ts';
import { pushServices } from '../../../engine/contract/push-service.ts';
import type { Random } from './random.ts';

/** How a request went: what the sender learns, and whether the subscriber got a copy. */
export interface Answer {
  readonly outcome: Outcome;
  readonly failure: Failure;
  readonly status: number;
  readonly service: number;
  readonly retryAfterMs: number;
  readonly delivered: boolean;
}

/** The temper of the push services in one seed: how likely each answer is. What is left is accepted. */
export interface Temper {
  throttled: number;
  rejected: number;
  failing: number;
  /** The body left and no answer came; every second one was delivered. */
  silent: number;
}

export interface PushServices {
  readonly temper: Temper;
  answer(endpoint: string): Answer;
  /** The browser behind the endpoint is no more. */
  forget(endpoint: string): void;
  isForgotten(endpoint: string): boolean;
  /** A service answers 503 to everything, or 429 with Retry-After, until told otherwise. */
  setMood(service: number, mood: 'well' | 'away' | 'throttling'): void;
}

export const endpointOf = (appId: AppId, seq: number, generation: number): string =>
  `https://push.example/${appId}/${seq}/${generation}`;

export function createPushServices(random: Random, temper: Temper): PushServices {
  const forgotten = new Set<string>();
  const moods = new Map<number, 'well' | 'away' | 'throttling'>();
  const serviceOf = (endpoint: string): number => Number(endpoint.split('/')[4]) % pushServices.length;

  return {
    temper,
    forget: (endpoint) => void forgotten.add(endpoint),
    isForgotten: (endpoint) => forgotten.has(endpoint),
    setMood: (service, mood) => void moods.set(service, mood),
    answer: (endpoint) => {
      const service = serviceOf(endpoint);
      const mood = moods.get(service) ?? 'well';
      const drawn = random.next();
      const answered = (outcome: Outcome, status: number, retryAfterMs = 0): Answer => ({
        ...{ outcome, status, retryAfterMs, service, delivered: outcome === 'accepted' },
        failure: outcome === 'accepted' ? 'none' : 'answered',
      });
      if (mood === 'away') return answered('unreachable', 503);
      if (mood === 'throttling') return answered('throttled', 429, random.int(500, 5_000));
      if (forgotten.has(endpoint)) return answered('gone', 410);
      let up = temper.throttled;
      if (drawn < up) return answered('throttled', 429, random.chance(0.5) ? random.int(500, 4_000) : 0);
      up += temper.rejected;
      if (drawn < up) return answered('rejected', 403);
      up += temper.failing;
      if (drawn < up) return answered('unreachable', 502);
      up += temper.silent;
      if (drawn >= up) return answered('accepted', 201);
      const delivered = random.chance(0.5);
      return { ...answered('unreachable', 0), failure: 'unknown', delivered };
    },
  };
}

/** One sending of a block: from the hand-over to a worker to the end of the block in the store. */
export interface Sending {
  readonly process: string;
  readonly deliveryId: DeliveryId;
  readonly block: number;
  /** `answered`: the worker told what came of it. `recorded`: the store has it. */
  state: 'sending' | 'answered' | 'recorded';
  /** Why it was not recorded, where that is known: a crash, a dead thread, a refused write, a lost lease. */
  fate: 'crash' | 'thread' | 'store' | 'lease' | null;
  /** `seq` of each copy that reached a subscriber, and whether the sender knows. */
  readonly copies: { readonly seq: number; readonly known: boolean }[];
}
