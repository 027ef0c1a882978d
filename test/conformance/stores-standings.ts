import { expect, it } from 'vitest';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { type AppService, type Limited, MINUTE_MS } from '../../engine/contract/standing.ts';
import { inStores, mustLease, planned, statesOf } from './stores-steps.ts';
import type { StoresHarness, StoresWorld } from './stores-world.ts';

const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const limited: Limited = {
  limitedSinceMs: nowMs - 3 * MINUTE_MS,
  allowedPerMinute: 600,
  lowestPerMinute: 600,
  probableEndAtMs: nowMs + 86_400_000,
  throttledAtMs: nowMs - MINUTE_MS,
  growAtMs: nowMs + MINUTE_MS,
  growWaitMinutes: 1,
};
const fcmOf = ({ appId }: StoresWorld): AppService => ({ appId, service: 'fcm' });
const budgeted = { heldBack: true, budgeted: true, trouble: null } as const;
const AN_HOUR = 3_600_000;

/** Leases shards one after another, and leaves each for the budget. */
async function suspendAll(world: StoresWorld, id: DeliveryId, shards: number): Promise<void> {
  for (let number = 0; number < shards; number++) {
    await world.release.releaseDue(100);
    await world.shards.suspend(await mustLease(world, id, number), AN_HOUR, budgeted);
  }
}

export function describeStandings(harness: StoresHarness): void {
  it('judges what was throttled lately or is limited, by the sums of each minute', () =>
    inStores(harness, async (world) => {
      const fcm = fcmOf(world);
      expect(await world.standings.readJudged()).toEqual([]);
      await world.budgets.noteAnswers({ ...fcm, service: 'mozilla' }, { accepted: 9, throttled: 0 });
      expect(await world.standings.readJudged()).toEqual([]);
      await world.budgets.noteAnswers(fcm, { accepted: 7, throttled: 2 });
      await world.budgets.noteAnswers(fcm, { accepted: 1, throttled: 1 });
      const [judged, ...others] = await world.standings.readJudged();
      expect(others).toEqual([]);
      expect(judged).toMatchObject({ ...fcm, limited: null, earlier: 0 });
      const sums = { accepted: 0, throttled: 0 };
      for (const { accepted, throttled } of judged?.minutes ?? []) {
        sums.accepted += accepted;
        sums.throttled += throttled;
      }
      expect(sums).toEqual({ accepted: 8, throttled: 3 });
    }));

  it('begins, changes and ends an episode once, whichever engine is first', () =>
    inStores(harness, async (world) => {
      const fcm = fcmOf(world);
      expect(await world.standings.begin(fcm, limited)).toBe(true);
      expect(await world.standings.begin(fcm, { ...limited, allowedPerMinute: 1 })).toBe(false);
      expect((await world.standings.readJudged())[0]?.limited).toEqual(limited);
      const grown = { ...limited, allowedPerMinute: 900, growAtMs: limited.growAtMs + MINUTE_MS };
      expect(await world.standings.change(fcm, limited, grown)).toBe(true);
      expect(await world.standings.change(fcm, limited, grown)).toBe(false);
      expect(await world.standings.end(fcm, limited)).toBe(false);
      expect(await world.budgets.readBudgets()).toEqual([{ ...fcm, allowedPerMinute: 900 }]);
      expect(await world.standings.end(fcm, grown)).toBe(true);
      expect(await world.standings.end(fcm, grown)).toBe(false);
      expect(await world.budgets.readBudgets()).toEqual([]);
      // The next one is judged with the one before.
      const again = { ...limited, limitedSinceMs: nowMs };
      expect(await world.standings.begin(fcm, again)).toBe(true);
      expect((await world.standings.readJudged())[0]).toMatchObject({ limited: again, earlier: 1 });
    }));

  it('gives out the time of a budget in the order of the calls, and breaking messages go first', () =>
    inStores(harness, async (world) => {
      const fcm = fcmOf(world);
      expect(await world.budgets.reserve(fcm, 'bulk', 5)).toEqual({ kind: 'unlimited' });
      await world.standings.begin(fcm, limited);
      const waits: number[] = [];
      for (const targets of [100, 50, 50]) {
        const reserved = await world.budgets.reserve(fcm, 'bulk', targets);
        if (reserved.kind !== 'reserved') throw new Error(reserved.kind);
        waits.push(reserved.waitMs);
      }
      // 600 a minute: ten a second.
      expect(waits[0]).toBeLessThanOrEqual(0);
      expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(9_000);
      expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeLessThanOrEqual(10_000);
      expect((waits[2] ?? 0) - (waits[1] ?? 0)).toBeGreaterThan(4_000);
      expect(await world.budgets.reserve(fcm, 'breaking', 1)).toMatchObject({ kind: 'reserved' });
      const later = await world.budgets.reserve(fcm, 'bulk', 1);
      expect(later).toMatchObject({ kind: 'later', waitMs: expect.any(Number) });
      expect(await world.budgets.reserve(fcm, 'breaking', 1)).toMatchObject({ kind: 'reserved' });
    }));

  it('releases few of the shards that wait for a budget, those of earlier rounds first', () =>
    inStores(harness, async (world) => {
      await world.standings.begin(fcmOf(world), limited);
      const id = await planned(world, 10 * 1_024);
      await suspendAll(world, id, 10);
      await world.release.releaseDue(100);
      const states = await statesOf(world, id);
      expect(states.filter((state) => state === 'released')).toHaveLength(8);
      const shard = await mustLease(world, id, states.indexOf('released'));
      expect(shard.budgeted).toBe(true);
      // It has reached all of its round: one that has not goes first.
      await world.shards.suspend(shard, AN_HOUR, { ...budgeted, nextRound: 1 });
      await world.release.releaseDue(100);
      const number = states.indexOf('released');
      expect((await statesOf(world, id))[number]).toBe('waiting');
    }));

  it('makes them ordinary ones when the push service limits the app no longer', () =>
    inStores(harness, async (world) => {
      await world.standings.begin(fcmOf(world), limited);
      const id = await planned(world, 1_024);
      await suspendAll(world, id, 1);
      await world.standings.end(fcmOf(world), limited);
      await world.release.releaseDue(100);
      await world.release.releaseDue(100);
      expect((await mustLease(world, id, 0)).budgeted).toBe(false);
    }));
}
