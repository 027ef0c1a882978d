// tier: postgres
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlanStore } from '../../engine/adapters/postgres/plan/plan-store.ts';
import { type DeliveryId, type OrganizationId, toId } from '../../engine/contract/ids.ts';
import type { PlanEnding } from '../../engine/plan/plan-delivery.ts';
import { createTurns } from '../../engine/plan/turns.ts';
import { buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const planned: PlanEnding = { kind: 'planned', shards: 1, targets: 1 };

describe('turns of organizations', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  it('are taken though one has hundreds of deliveries, in several apps, before anybody else’s', async () => {
    const first = await buildApp(test.database);
    const second = await buildApp(test.database, { organizationId: first.organizationId });
    const rival = await buildApp(test.database);
    const queue = (appId: typeof first.id) => buildDelivery(test.database, appId, { status: 'queued' });
    const messages: DeliveryId[] = [];
    for (let at = 0; at < 20; at++) messages.push(await queue(first.id), await queue(second.id));
    const single = await queue(rival.id);
    messages.push(single);
    const done: DeliveryId[] = [];
    const planInTurn = createTurns('bulk', createPlanStore(test.database), async (id) => {
      const [row] = await test.database.query(
        `UPDATE deliveries SET status = 'processing' WHERE id = $1 AND status = 'queued' RETURNING id`,
        [id],
      );
      if (row === undefined) return { kind: 'nothing-to-plan' };
      done.push(id);
      return planned;
    });
    for (const deliveryId of messages) await planInTurn({ deliveryId, traceparent: null, attempt: 1 });
    expect(done.indexOf(single)).toBe(1);
    expect(done.filter((id) => id !== single)).toEqual(messages.slice(0, -1));
  });
});

describe('turns', () => {
  /** Deliveries of organizations, each with a message of its own; some cannot be planned, some only the second time. */
  const situation = fc.record({
    owners: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
    broken: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 5 }),
    unsteady: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 5 }),
    late: fc.uniqueArray(fc.integer({ min: 1, max: 12 })),
    planners: fc.integer({ min: 1, max: 4 }),
    yields: fc.infiniteStream(fc.nat(20)),
  });
  const MOST_ATTEMPTS = 3;

  it('plan every delivery that can be, once, whichever message came for it, and fail with no other', async () => {
    await fc.assert(
      fc.asyncProperty(situation, async ({ owners, broken, unsteady, late, planners, yields }) => {
        const ids = [...owners.keys()].map((at) => at + 1);
        const waiting = new Set(ids);
        const taken = new Set<number>();
        const failsOnce = new Set(unsteady);
        // Their messages may come before the relay’s transaction ends.
        const pending = new Set<number>(ids.filter((id) => late.includes(id)));
        const pause = async (): Promise<void> => {
          for (let left = yields.next().value ?? 0; left > 0; left--) await null;
        };
        const done: number[] = [];
        const failures: number[] = [];
        const takeTurn = async (_lane: unknown, served: readonly OrganizationId[], own: DeliveryId) => {
          await pause();
          if (pending.has(own)) return null;
          const last = (id: number) => served.indexOf(toId(owners[id - 1]));
          const [next] = [...waiting]
            .filter((id) => !(taken.has(id) || pending.has(id)))
            .sort((a, b) => last(a) - last(b) || a - b);
          if (next === undefined) return null;
          taken.add(next);
          const organizationId = toId<OrganizationId>(owners[next - 1]);
          return { deliveryId: toId<DeliveryId>(next), organizationId, traceparent: null };
        };
        const planDelivery = async (id: DeliveryId): Promise<PlanEnding> => {
          await pause();
          // Postgres waits with it for the relay’s transaction.
          pending.delete(id);
          if (broken.includes(id) || failsOnce.delete(id)) throw new Error('broken');
          if (!waiting.delete(id)) return { kind: 'nothing-to-plan' };
          done.push(id);
          return planned;
        };
        const messages = ids.map((id) => ({ id, attempt: 1 }));
        const run = async (): Promise<void> => {
          const planInTurn = createTurns('bulk', { takeTurn }, planDelivery);
          for (let next = messages.shift(); next !== undefined; next = messages.shift()) {
            const { id, attempt } = next;
            void pause().then(() => pending.delete(id));
            await planInTurn({ deliveryId: toId(id), traceparent: null, attempt }).catch(() => {
              if (attempt < MOST_ATTEMPTS) messages.push({ id, attempt: attempt + 1 });
              else failures.push(id);
            });
          }
        };
        const isBroken = (id: number) => broken.includes(id);
        for (let left = 1; left > 0; left = messages.length) {
          await Promise.all(Array.from({ length: planners }, run));
          // What was taken and not planned is put onto the log again once its time is over.
          for (const id of taken)
            if (waiting.has(id) && !isBroken(id)) messages.push({ id, attempt: MOST_ATTEMPTS });
          taken.clear();
        }
        expect(done.toSorted((a, b) => a - b)).toEqual(ids.filter((id) => !isBroken(id)));
        // Only a message of its own counts a delivery's failed attempts.
        expect(failures.filter((id) => waiting.has(id)).every(isBroken)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('that cannot be taken leave a message to its own delivery', async () => {
    const store = { takeTurn: async () => Promise.reject(new Error('a row that refuses')) };
    const planInTurn = createTurns('bulk', store, async () => planned);
    await expect(planInTurn({ deliveryId: toId(7), traceparent: null, attempt: 1 })).resolves.toBe(planned);
  });

  it('leave a message that comes again to its own delivery', async () => {
    const begun: DeliveryId[] = [];
    const store = { takeTurn: async () => Promise.reject(new Error('a turn was taken')) };
    const planInTurn = createTurns('bulk', store, async (id) => {
      begun.push(id);
      return planned;
    });
    await planInTurn({ deliveryId: toId(7), traceparent: null, attempt: 2 });
    expect(begun).toEqual([7]);
  });
});
