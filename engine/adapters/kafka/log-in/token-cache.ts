import type { Clock } from '../../../contract/concurrency/clock.ts';
import type { KafkaLogger } from '../options.ts';

export interface Token {
  readonly value: string;
  /** In ms since 1970. */
  readonly expiresAt: number;
}

export interface TokenCacheDeps {
  /** @throws Error where there is none to be had. */
  readonly fetchToken: () => Promise<Token>;
  readonly clock: Clock;
  readonly logger: KafkaLogger;
}

export interface TokenCache {
  /** @throws what `fetchToken` throws, unless the token in hand still serves. */
  get(): Promise<string>;
  /** Why the last one could not be had; null once there is one. */
  failure(): unknown;
}

/** A fifth of its life before its end a token is replaced, and earlier than connections log in again. */
const LEAST_LEFT_MS = 15_000;
/** Every connection of the process asks at the same time: one failure answers all of them. */
const FAILURE_HOLDS_MS = 1_000;

/**
 * One token for all connections. It is fetched when a connection logs in and the cached one is near its end; one
 * request at a time. If the new one cannot be had, the cached one serves to its end.
 */
export function createTokenCache({ fetchToken, clock, logger }: TokenCacheDeps): TokenCache {
  let cached: Token | null = null;
  let replaceAt = 0;
  let fetching: Promise<Token> | null = null;
  let failure: { readonly error: unknown; readonly until: number } | null = null;

  async function replace(): Promise<Token> {
    try {
      const fresh = await fetchToken();
      const life = fresh.expiresAt - clock.now();
      replaceAt = fresh.expiresAt - Math.min(life / 2, Math.max(life / 5, LEAST_LEFT_MS));
      cached = fresh;
      failure = null;
      return fresh;
    } catch (error) {
      failure = { error, until: clock.now() + FAILURE_HOLDS_MS };
      throw error;
    } finally {
      fetching = null;
    }
  }

  async function get(): Promise<string> {
    const before = cached;
    if (before !== null && clock.now() < replaceAt) return before.value;
    try {
      if (failure !== null && clock.now() < failure.until) throw failure.error;
      fetching ??= replace();
      return (await fetching).value;
    } catch (error) {
      if (before === null || clock.now() >= before.expiresAt) throw error;
      logger('warn', 'no new token for Kafka: the current one is used until it expires', {
        reason: error instanceof Error ? error.message : String(error),
      });
      return before.value;
    }
  }

  return { get, failure: () => failure?.error ?? null };
}
