import { pause } from '../../../engine/contract/concurrency/clock.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';

/** What may be wrong between processes and the store, now. */
export interface StoreWeather {
  /** Every call rejects. */
  away: boolean;
  /** How likely a call rejects before it did anything. */
  refusing: number;
  /** How likely a call is done and its answer lost. */
  forgetting: number;
}

export interface ConnectionDeps {
  readonly process: Process;
  readonly weather: StoreWeather;
  readonly random: Random;
  /** Called before a call; what it returns, as soon as the store has acted, and with the answer. */
  readonly observe: (method: string, args: readonly unknown[]) => Observed;
}

export interface Observed {
  /** The store acts at once, so nothing that another process does lies in between. */
  acted(): void;
  answered(answer: unknown): void;
}

type Method = (...args: never[]) => Promise<unknown>;

/**
 * A store as a process sees it over a connection: calls take time, are refused, are done without an answer,
 * or belong to a process that dies before or after the store has done them.
 */
export function overConnection<Store extends object>(store: Store, deps: ConnectionDeps): Store {
  const entries = Object.entries(store).map(([name, method]) => [name, over(name, method as Method, deps)]);
  return Object.fromEntries(entries);
}

const never = new Promise<never>(() => {});

function over(name: string, method: Method, deps: ConnectionDeps): Method {
  const { process, weather, random, observe } = deps;
  return async function call(...args) {
    await travel(deps);
    if (!process.alive() && random.chance(0.5)) return never;
    if (weather.away || random.chance(weather.refusing)) throw new Error('the store does not answer');
    const observed = observe(name, args);
    const acting = method(...args);
    observed.acted();
    const answer = await acting;
    observed.answered(answer);
    if (random.chance(weather.forgetting)) throw new Error('the store’s answer was lost');
    await travel(deps);
    await process.runs();
    if (weather.away && random.chance(0.5)) throw new Error('the store’s answer was lost');
    return answer;
  };
}

/** Most calls are quick. A call of a process that dies meanwhile still arrives, or does not. */
async function travel({ process, random }: ConnectionDeps): Promise<void> {
  await process.runs();
  if (random.chance(0.7)) return;
  await pause(process.clock, random.chance(0.05) ? random.int(50, 800) : random.int(1, 15));
}
