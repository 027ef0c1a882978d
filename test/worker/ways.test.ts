// tier: unit
import { describe, expect, it } from 'vitest';
import { createWays } from '../../engine/worker/ways.ts';

const REAL = 'https://updates.push.services.mozilla.com';
const MADE_UP = 'https://made-up-1.notify.windows.com';

function setUp(maxWays = 1_024) {
  let now = 1_000_000;
  const ways = createWays(
    () => now,
    () => 1,
    maxWays,
  );
  const pass = (ms: number): void => {
    now += ms;
  };
  const fail = (origin: string, why = 'ENOTFOUND'): void => {
    const way = ways.of(origin);
    ways.started(way);
    ways.ended(way, 'not-connected', why);
  };
  return { ways, pass, fail };
}

describe('the way to an origin', () => {
  it('is closed by the first failure where it never answered, and another origin stays open', () => {
    const { ways, fail } = setUp();
    fail(MADE_UP);
    expect(ways.closedForMs(ways.of(MADE_UP))).toBe(1_000);
    expect(ways.closedForMs(ways.of('https://made-up-2.notify.windows.com'))).toBe(0);
    expect(ways.closedForMs(ways.of(REAL))).toBe(0);
  });

  it('to a host of a known push service is closed by sixteen failures in a row, and opened by an answer', () => {
    const { ways, fail } = setUp();
    for (let n = 0; n < 15; n++) fail(REAL);
    expect(ways.closedForMs(ways.of(REAL))).toBe(0);
    fail(REAL);
    const way = ways.of(REAL);
    expect([ways.closedForMs(way), way.why]).toEqual([1_000, 'ENOTFOUND']);
    ways.started(way);
    ways.ended(way, 'answered', '');
    expect([ways.closedForMs(way), way.failuresInRow]).toEqual([0, 0]);
  });

  it('stays closed twice as long each time, up to a minute', () => {
    const { ways, pass, fail } = setUp();
    const closed: number[] = [];
    for (let n = 0; n < 9; n++) {
      fail(MADE_UP);
      const ms = ways.closedForMs(ways.of(MADE_UP));
      closed.push(ms);
      pass(ms);
    }
    expect(closed).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('leaves look-ups to others: two origins that never answered are connected to at once', () => {
    const { ways } = setUp();
    const [one, two, three] = [1, 2, 3].map((n) => ways.of(`https://made-up-${n}.notify.windows.com`));
    for (const way of [one, two]) if (way !== undefined) ways.started(way);
    expect([one, two, three].map((way) => way !== undefined && ways.mayStart(way))).toEqual([
      true,
      true,
      false,
    ]);
    expect(ways.mayStart(ways.of(REAL))).toBe(true);
    if (one !== undefined) ways.ended(one, 'answered', '');
    expect(three !== undefined && ways.mayStart(three)).toBe(true);
    expect([one?.isReal, ways.discoveries()]).toEqual([true, 1]);
  });

  it('is forgotten past a number of origins, the one not used for longest first', () => {
    const { ways, fail } = setUp(3);
    for (const n of [1, 2, 3]) fail(`https://made-up-${n}.notify.windows.com`);
    ways.of(MADE_UP);
    ways.of('https://made-up-4.notify.windows.com');
    expect(ways.closedForMs(ways.of(MADE_UP))).toBe(1_000);
    expect(ways.closedForMs(ways.of('https://made-up-2.notify.windows.com'))).toBe(0);
  });

  it('is to a made-up name where that does not exist, for a minute after a push service answered', () => {
    const { ways, pass, fail } = setUp();
    fail(MADE_UP);
    expect(ways.isMadeUp(ways.of(MADE_UP))).toBe(false);
    const way = ways.of(REAL);
    ways.started(way);
    ways.ended(way, 'answered', '');
    pass(60_000);
    expect(ways.isMadeUp(ways.of(MADE_UP))).toBe(true);
    expect(ways.isMadeUp(ways.of(REAL))).toBe(false);
    pass(1);
    expect(ways.isMadeUp(ways.of(MADE_UP))).toBe(false);
  });

  it('is not to a made-up name where the host exists and cannot be reached', () => {
    const { ways, fail } = setUp();
    const well = ways.of(REAL);
    ways.started(well);
    ways.ended(well, 'answered', '');
    for (const why of ['ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'CERT_HAS_EXPIRED']) {
      fail(MADE_UP, why);
      expect(ways.isMadeUp(ways.of(MADE_UP)), why).toBe(false);
    }
    fail(MADE_UP);
    expect(ways.isMadeUp(ways.of(MADE_UP))).toBe(true);
  });
});
