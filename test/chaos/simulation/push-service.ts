import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import type { Failure, Outcome } from '../../../engine/contract/outcome.ts';
import { isExactHost } from '../../../engine/contract/push-service.ts';
import type { Random } from './random.ts';

/** How a request went: what the sender learns, and whether the subscriber got a copy. */
export interface Answer {
  readonly outcome: Outcome;
  readonly failure: Failure;
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  /** Why no connection came about; null: one did. */
  readonly unconnected: 'ENOTFOUND' | 'ECONNREFUSED' | null;
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

export type Mood = 'well' | 'away' | 'throttling' | 'down';

export interface PushServices {
  readonly temper: Temper;
  answer(endpoint: string): Answer;
  /** The browser behind the endpoint is no more. */
  forget(endpoint: string): void;
  /** A service answers 503 to everything, or 429 with Retry-After, or takes no connection, until it recovers. */
  setMood(service: number, mood: Mood): void;
  /**
   * It took no connection for a while, and is none of the hosts of which the engine knows that they answer: then each of a
   * few attempts may have fallen into that time, without a request.
   */
  wasDown(endpoint: string): boolean;
}

/** By number: one that the engine knows by its host alone, then those whose names it knows. */
const hosts = [
  'push.example',
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'wns2-by3p.notify.windows.com',
  'web.push.apple.com',
] as const;
export const SERVICES = hosts.length;

export const endpointOf = (appId: AppId, seq: number, generation: number): string =>
  `https://${hosts[seq % SERVICES]}/${appId}/${seq}/${generation}`;

/** A stranger's subscription: an endpoint that a push service answers with `status`, and never anything else. */
export const poisonedEndpointOf = (
  service: number,
  appId: AppId,
  seq: number,
  generation: number,
  status: 400 | 403,
): string => `https://${hosts[service]}/${appId}/${seq}/${generation}/${status}`;

/** Or one at a host that is nowhere. */
export const unresolvableEndpointOf = (name: number, appId: AppId, seq: number, generation: number): string =>
  `https://made-up-${name}.notify.windows.com/${appId}/${seq}/${generation}/${NOWHERE}`;

const NOWHERE = 'nowhere';

const partsOf = (endpoint: string): string[] => endpoint.split('/');
export const seqOf = (endpoint: string): number => Number(partsOf(endpoint)[4]);
export const isStrangers = (endpoint: string): boolean => partsOf(endpoint)[6] !== undefined;

export function createPushServices(random: Random, temper: Temper): PushServices {
  const forgotten = new Set<string>();
  const moods = new Map<number, Mood>();
  const down = new Set<string>();

  return {
    temper,
    forget: (endpoint) => void forgotten.add(endpoint),
    setMood: (service, mood) => {
      moods.set(service, mood);
      const host = hosts[service] ?? '';
      if (mood === 'down' && !isExactHost(host)) down.add(host);
    },
    wasDown: (endpoint) => down.has(new URL(endpoint).host),
    answer: (endpoint) => {
      const [, , host = '', , , , fate] = partsOf(endpoint);
      if (fate === NOWHERE) return unconnected('ENOTFOUND');
      const mood = moods.get((hosts as readonly string[]).indexOf(host)) ?? 'well';
      const drawn = random.next();
      if (mood === 'down') return unconnected('ECONNREFUSED');
      if (mood === 'away') return answered('unreachable', 503);
      if (mood === 'throttling') return answered('throttled', 429, random.int(1, 5));
      if (fate !== undefined) return answered('rejected', Number(fate));
      if (forgotten.has(endpoint)) return answered('gone', 410);
      let up = temper.throttled;
      if (drawn < up) return answered('throttled', 429, random.chance(0.5) ? random.int(1, 4) : null);
      up += temper.rejected;
      if (drawn < up) return answered('rejected', 403);
      up += temper.failing;
      if (drawn < up) return answered('unreachable', 502);
      up += temper.silent;
      if (drawn >= up) return answered('accepted', 201);
      return { ...answered('unreachable', 0), failure: 'unknown', delivered: random.chance(0.5) };
    },
  };
}

const answered = (outcome: Outcome, status: number, retryAfterSeconds: number | null = null): Answer => ({
  ...{ outcome, status, retryAfterSeconds, unconnected: null, delivered: outcome === 'accepted' },
  failure: outcome === 'accepted' ? 'none' : 'answered',
});

const unconnected = (why: NonNullable<Answer['unconnected']>): Answer => ({
  ...{ outcome: 'unreachable', failure: 'refused', status: 0, retryAfterSeconds: null },
  ...{ unconnected: why, delivered: false },
});

/** One sending of a block: from the hand-over to a worker to the end of the block in the store. */
export interface Sending {
  readonly process: string;
  readonly deliveryId: DeliveryId;
  readonly block: number;
  /** `answered`: the worker reported the result. `recorded`: the store has it. */
  state: 'sending' | 'answered' | 'recorded';
  /** Why it was not recorded, where that is known: a crash, a dead thread, a refused write, a lost lease, nothing sent. */
  fate: 'crash' | 'thread' | 'store' | 'lease' | 'unsent' | null;
  /** `seq` of each copy that reached a subscriber, and whether the sender knows. */
  readonly copies: { readonly seq: number; readonly known: boolean }[];
  /** `seq` of each that a push service was asked for → what it answered. */
  readonly asked: Map<number, Outcome>;
}
