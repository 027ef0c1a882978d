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
  /** Deliveries of organizations, each with a message of its own; some cannot be planned. */
  const situation = fc.record({
    owners: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 }),
    broken: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
    late: fc.uniqueArray(fc.integer({ min: 1, max: 30 })),
    planners: fc.integer({ min: 1, max: 4 }),
    yields: fc.infiniteStream(fc.nat(3)),
  });

  it('plan every delivery that can be, once, whichever message came for it, and fail with no other', async () => {
    await fc.assert(
      fc.asyncProperty(situation, async ({ owners, broken, late, planners, yields }) => {
        const ids = [...owners.keys()].map((at) => at + 1);
        const waiting = new Set(ids);
        const taken = new Set<number>();
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
          if (broken.includes(id)) throw new Error('broken');
          if (!waiting.delete(id)) return { kind: 'nothing-to-plan' };
          done.push(id);
          return planned;
        };
        const messages = [...ids];
        const run = async (): Promise<void> => {
          const planInTurn = createTurns('bulk', { takeTurn }, planDelivery);
          for (let id = messages.shift(); id !== undefined; id = messages.shift()) {
            void pause()
              .then(pause)
              .then(() => pending.delete(id as number));
            await planInTurn({ deliveryId: toId(id), traceparent: null, attempt: 1 }).catch(() =>
              failures.push(id as number),
            );
          }
        };
        await Promise.all(Array.from({ length: planners }, run));
        const isBroken = (id: number) => broken.includes(id);
        expect(done.toSorted((a, b) => a - b)).toEqual(ids.filter((id) => !isBroken(id)));
        // Only a message of its own counts a delivery's failed attempts.
        expect(failures.every(isBroken)).toBe(true);
      }),
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
