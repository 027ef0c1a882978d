// tier: unit
import { describe, expect, it } from 'vitest';
import type { AppId } from '../../engine/contract/ids.ts';
import { pushServices } from '../../engine/contract/push-service.ts';
import { countIndex, emptyServiceCounts, type ServiceCounts } from '../../engine/contract/service-counts.ts';
import type { Answers, AppService, Budget } from '../../engine/contract/standing.ts';
import { createBudgets, createNoteAnswers } from '../../engine/dispatch/budgets.ts';
import type { BudgetStore } from '../../engine/dispatch/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';

const APP = 1 as AppId;
const limit: Budget = { appId: APP, service: 'fcm', allowedPerMinute: 1_000 };

function stand(budgets: readonly Budget[] = []) {
  const clock = createManualClock(0);
  const noted: (AppService & Answers)[] = [];
  let reads = 0;
  let isAway = false;
  const answer = async <T>(value: T): Promise<T> => {
    if (isAway) throw new Error('Postgres is unavailable');
    return value;
  };
  const store: BudgetStore = {
    readBudgets: () => {
      reads++;
      return answer(budgets);
    },
    reserve: () => answer({ kind: 'unlimited' }),
    noteAnswers: async (of, answers) => {
      await answer(null);
      noted.push({ ...of, ...answers });
    },
  };
  const known = createBudgets(store, clock);
  return {
    ...{ clock, noted, known },
    reads: () => reads,
    goAway: (away: boolean) => {
      isAway = away;
    },
    note: createNoteAnswers(store, known),
  };
}

function counted(
  given: Readonly<Partial<Record<(typeof pushServices)[number], Partial<Answers>>>>,
): ServiceCounts {
  const counts = emptyServiceCounts();
  for (const [index, service] of pushServices.entries()) {
    counts[countIndex(index, 'accepted')] = given[service]?.accepted ?? 0;
    counts[countIndex(index, 'throttled')] = given[service]?.throttled ?? 0;
  }
  return { counts, waiting: [] };
}

describe('the budgets that an engine knows', () => {
  it('are read once in two seconds for all apps, and again at once after a failure', async () => {
    const { known, reads, clock, goAway } = stand([limit]);
    expect(await known.of(APP)).toEqual([limit]);
    expect(await known.of(2 as AppId)).toEqual([]);
    expect(reads()).toBe(1);
    clock.advance(2_000);
    goAway(true);
    await expect(known.of(APP)).rejects.toThrow('unavailable');
    goAway(false);
    expect(await known.of(APP)).toEqual([limit]);
    expect(reads()).toBe(3);
  });
});

describe('the answers of a block', () => {
  it('are noted of push services that throttle the app or limit it, and of no others', async () => {
    const { note, noted } = stand([limit]);
    await note(
      APP,
      counted({ fcm: { accepted: 9 }, mozilla: { accepted: 5 }, wns: { accepted: 2, throttled: 3 } }),
    );
    expect(noted).toEqual([
      { appId: APP, service: 'fcm', accepted: 9, throttled: 0 },
      { appId: APP, service: 'wns', accepted: 2, throttled: 3 },
    ]);
    await note(APP, counted({ mozilla: { accepted: 5 } }));
    expect(noted).toHaveLength(2);
  });

  it('are lost without harm where Postgres is unavailable: the block has ended', async () => {
    const { note, noted, goAway } = stand([limit]);
    goAway(true);
    await expect(note(APP, counted({ fcm: { throttled: 3 } }))).resolves.toBeUndefined();
    expect(noted).toEqual([]);
  });
});
