// tier: unit
import { describe, expect, it } from 'vitest';
import type { Rate } from '../../engine/contract/rate-table.ts';
import { createRecentRates, RATES_KEPT_SECONDS } from '../../reporting/report/recent-rates.ts';

const rate = (perEur: string): Rate => ({ currency: 'USD', day: '2026-03-01', perEur, source: 'ecb' });
const march = ['2026-03-01', '2026-03-31'] as const;

/** ClickHouse's current answer, the number of queries, and a manual clock. */
function setUp() {
  const state = { perEur: '1.10', reads: 0, nowMs: 1_000_000, fails: false };
  const recent = createRecentRates(
    async () => {
      state.reads++;
      const { perEur, fails } = state;
      if (fails) throw new Error('away');
      return [rate(perEur)];
    },
    { now: () => state.nowMs },
  );
  return { state, ...recent, ask: () => recent.ratesOf(...march) };
}

describe('recent rates', () => {
  it('are read once for reports of the same days, those at the same moment too', async () => {
    const { state, ask } = setUp();
    await Promise.all([ask(), ask()]);
    state.nowMs += RATES_KEPT_SECONDS * 1_000 - 1;
    expect(await ask()).toEqual([rate('1.10')]);
    expect(state.reads).toBe(1);
  });

  it('are those of now after the seconds in which they may lag', async () => {
    const { state, ask } = setUp();
    await ask();
    state.perEur = '1.20';
    expect(await ask()).toEqual([rate('1.10')]);
    state.nowMs += RATES_KEPT_SECONDS * 1_000;
    expect(await ask()).toEqual([rate('1.20')]);
  });

  it('are those of now at once where this process took new ones in, also while they were being read', async () => {
    const { state, ask, forget } = setUp();
    const before = ask();
    state.perEur = '1.20';
    forget();
    expect(await ask()).toEqual([rate('1.20')]);
    expect(await before).toEqual([rate('1.10')]);
    expect(await ask()).toEqual([rate('1.20')]);
  });

  it('of other days are read apart', async () => {
    const { state, ask, ratesOf } = setUp();
    await ask();
    await ratesOf('2026-03-01', '2026-03-30');
    expect(state.reads).toBe(2);
  });

  it('of many runs of days are not all kept', async () => {
    const { state, ask, ratesOf } = setUp();
    await ask();
    for (let day = 1; day <= 28; day++) await ratesOf('2026-02-01', `2026-02-${day}`);
    await ask();
    expect(state.reads).toBe(30);
  });

  it('are read again after a failure', async () => {
    const { state, ask } = setUp();
    state.fails = true;
    await expect(ask()).rejects.toThrow('away');
    state.fails = false;
    expect(await ask()).toEqual([rate('1.10')]);
  });
});
