// tier: unit
import { describe, expect, it } from 'vitest';
import { createTokenCache, type Token } from '../../../../engine/adapters/kafka/log-in/token-cache.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** A token endpoint in one variable: what it answers next, and how often it was asked. */
function cacheOf(lifeMs: number) {
  const clock = createManualClock();
  const warnings: string[] = [];
  const endpoint = { asked: 0, fails: false };
  const { get: token, failure } = createTokenCache({
    clock,
    logger: (_level, message) => warnings.push(message),
    fetchToken: async (): Promise<Token> => {
      const number = ++endpoint.asked;
      await Promise.resolve();
      if (endpoint.fails) throw new Error('away');
      return { value: `token-${number}`, expiresAt: clock.now() + lifeMs };
    },
  });
  return { clock, endpoint, token, failure, warnings };
}

describe('a token of Kafka', () => {
  it('is fetched once for all connections that log in at a time', async () => {
    const { endpoint, token } = cacheOf(900_000);
    expect(await Promise.all([token(), token(), token()])).toEqual(['token-1', 'token-1', 'token-1']);
    expect(endpoint.asked).toBe(1);
  });

  it.each([
    [3_600_000, 720_000],
    [900_000, 180_000],
    [60_000, 15_000],
    [20_000, 10_000],
  ])('of %i ms is replaced when %i ms of it are left', async (lifeMs, leftMs) => {
    const { clock, token } = cacheOf(lifeMs);
    expect(await token()).toBe('token-1');
    clock.advance(lifeMs - leftMs - 1);
    expect(await token()).toBe('token-1');
    clock.advance(1);
    expect(await token()).toBe('token-2');
  });

  it('serves to its end where no new one can be had, with a warning, and never beyond', async () => {
    const { clock, endpoint, token, failure, warnings } = cacheOf(60_000);
    await token();
    endpoint.fails = true;
    clock.advance(59_999);
    expect(await token()).toBe('token-1');
    expect(warnings).toEqual(['no new token for Kafka: the one in hand serves to its end']);
    clock.advance(1);
    await expect(token()).rejects.toThrow('away');
    expect(failure()).toMatchObject({ message: 'away' });
    endpoint.fails = false;
    clock.advance(1_000);
    expect(await token()).toMatch(/^token-/);
    expect(failure()).toBe(null);
  });

  it('is not asked for again within a second of a failure, however many connections want one', async () => {
    const { clock, endpoint, token } = cacheOf(60_000);
    endpoint.fails = true;
    for (let tries = 0; tries < 20; tries++) await expect(token()).rejects.toThrow('away');
    expect(endpoint.asked).toBe(1);
    clock.advance(1_000);
    await expect(token()).rejects.toThrow('away');
    expect(endpoint.asked).toBe(2);
  });
});
