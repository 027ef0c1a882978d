// tier: postgres
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../engine/contract/outcome.ts';
import { readDelivery } from '../support/builders.ts';
import { cases } from '../support/cases.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Part, SEQS } from './cap-follower.ts';
import { createCapWorld } from './cap-world.ts';

const cap = fc.record({
  windowMinutes: fc.constantFrom(60, 360),
  maxNotifications: fc.constantFrom(1, 1, 2, 3),
});
const guard = fc.record({
  android_max: fc.constantFrom(1, 2),
  desktop_max: fc.constantFrom(1, 2),
  engaged_days: fc.constant(1),
});
const wish = fc.record({
  fewer: fc.option(
    fc.record({ windowMinutes: fc.constantFrom(60, 1_440), maxNotifications: fc.constantFrom(1, 2) }),
    { freq: 3 },
  ),
  pausedFor: fc.option(fc.integer({ min: 20, max: 200 }), { freq: 1 }),
  isNight: fc.constantFrom(false, false, false, true),
});
const answers: readonly Outcome[] = [
  ...([
    'accepted',
    'accepted',
    'accepted',
    'throttled',
    'throttled',
    'rejected',
    'unreachable',
    'gone',
  ] as const),
];
const outcome = fc.constantFrom(...answers);
const outcomes = fc.array(outcome, { minLength: SEQS.length, maxLength: SEQS.length });
const pick = fc.nat(1_000);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('post' as const), ignores: fc.nat(5).map((n) => n === 0) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('run' as const), pick, outcomes }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('run-two' as const), outcomes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      minutes: fc.oneof(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 600, max: 2_400 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cap' as const), cap: fc.option(cap, { freq: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('guard' as const), guard: fc.option(guard, { freq: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('visit' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wish' as const), pick, wish }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type World = Awaited<ReturnType<typeof createCapWorld>>;

const oneOf = (parts: readonly Part[], at: number): Part | undefined => parts[at % parts.length];
const said = (of: readonly Outcome[]) => {
  return (seq: number): Outcome => of[SEQS.indexOf(seq)] ?? 'accepted';
};

/** A subscriber that leaves while two run would make the order of their ends matter too. */
const stays = (answer: Outcome): Outcome => (answer === 'gone' ? 'rejected' : answer);

/** Two deliveries that have not begun with the same block. */
function freshPair(parts: readonly Part[]): [Part, Part] | null {
  const fresh = parts.filter((part) => part.runs === 0 && !part.cancelled);
  for (const one of fresh) {
    const other = fresh.find((each) => each.block === one.block && each.deliveryId !== one.deliveryId);
    if (other !== undefined) return [one, other];
  }
  return null;
}

async function take(world: World, next: Step, turn: number): Promise<void> {
  const parts = world.openParts();
  const owner = `engine-${turn % 2}`;
  const part = 'pick' in next ? oneOf(parts, next.pick) : undefined;
  switch (next.do) {
    case 'post':
      return world.post(next.ignores);
    case 'run':
      return part && world.run(part, owner, said(next.outcomes));
    case 'run-two': {
      const pair = freshPair(parts);
      return pair === null ? undefined : world.runTogether(...pair, said(next.outcomes.map(stays)));
    }
    case 'die':
      return part && world.run(part, owner, 'dies');
    case 'cancel':
      return part && world.cancel(part);
    case 'wait':
      return world.advance(next.minutes);
    case 'guard':
      return world.setGuard(next.guard);
    case 'visit':
      return world.visit(SEQS[next.pick % SEQS.length] ?? 0);
    case 'wish': {
      const { pausedFor, fewer, isNight } = next.wish;
      return world.wish(SEQS[next.pick % SEQS.length] ?? 0, { fewer, pausedFor, isNight });
    }
    case 'cap':
      return world.setCap(next.cap);
  }
}

describe('the frequency cap over random histories', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());

  it('sends to the same subscribers as the plain model, with the same counts, and never exceeds the cap', async () => {
    await fc.assert(
      fc.asyncProperty(
        cap,
        fc.boolean(),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (first, guarded, steps) => {
          const world = await createCapWorld(test.database);
          await world.setCap(first);
          if (guarded) await world.setGuard({ android_max: 1, desktop_max: 2, engaged_days: 1 });
          // Fewer than any cap but the smallest, so that their own wish is what holds these back.
          for (const seq of [SEQS[0], SEQS[3]])
            await world.wish(seq ?? 0, {
              ...{ fewer: { windowMinutes: 1_440, maxNotifications: 1 }, pausedFor: null, isNight: false },
            });
          for (let posted = 0; posted < 3; posted++) await world.post(false);
          for (const [turn, next] of steps.entries()) await take(world, next, turn);
          for (let part = world.openParts()[0]; part !== undefined; part = world.openParts()[0]) {
            await world.run(part, 'engine-0', () => 'accepted');
          }
          await world.checkCounts();
          await checkTotals(world);
        },
      ),
      { numRuns: cases(3, 25), endOnFailure: true },
    );
  });

  async function checkTotals(world: World): Promise<void> {
    for (const id of world.deliveryIds()) {
      const row = await readDelivery(test.database, id);
      if (row.status === 'cancelled') continue;
      expect(['success', 'partial', 'failed']).toContain(row.status);
      expect(row.total_subscribers).toBe(row.success_count + row.failed_count + row.capped_subscribers);
    }
  }
});
