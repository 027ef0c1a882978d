// tier: unit
import { describe, expect, it } from 'vitest';
import { createOrigins } from '../../engine/worker/origin-health.ts';

const REAL = 'https://updates.push.services.mozilla.com';
const MADE_UP = 'https://made-up-1.notify.windows.com';

function setUp(maxOrigins = 1_024) {
  let now = 1_000_000;
  const origins = createOrigins(
    () => now,
    () => 1,
    maxOrigins,
  );
  const pass = (ms: number): void => {
    now += ms;
  };
  const fail = (origin: string, why = 'ENOTFOUND'): void => {
    const health = origins.of(origin);
    origins.started(health);
    origins.ended(health, 'not-connected', why);
  };
  return { origins, pass, fail };
}

describe('the health of an origin', () => {
  it('is closed by the first failure where it never answered, and another origin stays open', () => {
    const { origins, fail } = setUp();
    fail(MADE_UP);
    expect(origins.closedForMs(origins.of(MADE_UP))).toBe(1_000);
    expect(origins.closedForMs(origins.of('https://made-up-2.notify.windows.com'))).toBe(0);
    expect(origins.closedForMs(origins.of(REAL))).toBe(0);
  });

  it('to a host of a known push service is closed by sixteen failures in a row, and opened by an answer', () => {
    const { origins, fail } = setUp();
    for (let n = 0; n < 15; n++) fail(REAL);
    expect(origins.closedForMs(origins.of(REAL))).toBe(0);
    fail(REAL);
    const health = origins.of(REAL);
    expect([origins.closedForMs(health), health.why]).toEqual([1_000, 'ENOTFOUND']);
    origins.started(health);
    origins.ended(health, 'answered', '');
    expect([origins.closedForMs(health), health.failuresInRow]).toEqual([0, 0]);
  });

  it('stays closed twice as long each time, up to a minute', () => {
    const { origins, pass, fail } = setUp();
    const closed: number[] = [];
    for (let n = 0; n < 9; n++) {
      fail(MADE_UP);
      const ms = origins.closedForMs(origins.of(MADE_UP));
      closed.push(ms);
      pass(ms);
    }
    expect(closed).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('leaves lookups to others: two origins that never answered are connected to at once', () => {
    const { origins } = setUp();
    const [one, two, three] = [1, 2, 3].map((n) => origins.of(`https://made-up-${n}.notify.windows.com`));
    for (const health of [one, two]) if (health !== undefined) origins.started(health);
    expect([one, two, three].map((health) => health !== undefined && origins.mayStart(health))).toEqual([
      true,
      true,
      false,
    ]);
    expect(origins.mayStart(origins.of(REAL))).toBe(true);
    if (one !== undefined) origins.ended(one, 'answered', '');
    expect(three !== undefined && origins.mayStart(three)).toBe(true);
    expect([one?.isReal, origins.discoveries()]).toEqual([true, 1]);
  });

  it('is forgotten past a number of origins, the one not used for longest first', () => {
    const { origins, fail } = setUp(3);
    for (const n of [1, 2, 3]) fail(`https://made-up-${n}.notify.windows.com`);
    origins.of(MADE_UP);
    origins.of('https://made-up-4.notify.windows.com');
    expect(origins.closedForMs(origins.of(MADE_UP))).toBe(1_000);
    expect(origins.closedForMs(origins.of('https://made-up-2.notify.windows.com'))).toBe(0);
  });

  it('is to a made-up name where that does not exist, for a minute after a push service answered', () => {
    const { origins, pass, fail } = setUp();
    fail(MADE_UP);
    expect(origins.isMadeUp(origins.of(MADE_UP))).toBe(false);
    const health = origins.of(REAL);
    origins.started(health);
    origins.ended(health, 'answered', '');
    pass(60_000);
    expect(origins.isMadeUp(origins.of(MADE_UP))).toBe(true);
    expect(origins.isMadeUp(origins.of(REAL))).toBe(false);
    pass(1);
    expect(origins.isMadeUp(origins.of(MADE_UP))).toBe(false);
  });

  it('is not to a made-up name where the host exists and cannot be reached', () => {
    const { origins, fail } = setUp();
    const well = origins.of(REAL);
    origins.started(well);
    origins.ended(well, 'answered', '');
    for (const why of ['ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'CERT_HAS_EXPIRED']) {
      fail(MADE_UP, why);
      expect(origins.isMadeUp(origins.of(MADE_UP)), why).toBe(false);
    }
    fail(MADE_UP);
    expect(origins.isMadeUp(origins.of(MADE_UP))).toBe(true);
  });
});
