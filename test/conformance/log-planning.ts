import { expect, it } from 'vitest';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { type Lane, planTopic } from '../../engine/contract/topics.ts';
import { createPlanStage, type PlanStage } from '../../engine/plan/stage.ts';
import { inWorld, type LogHarness, type LogWorld } from './harness.ts';
import { range, until } from './ledger.ts';

/** The stage that reads the deliveries, over each log: waiting in one lane delays nothing in the other. */
export function describePlanning(harness: LogHarness): void {
  const { clock } = harness;
  const record = (id: number) => ({ key: String(id), value: { delivery_id: id } });

  /** A plan stage whose plannings end when the test says so. */
  async function plan({ connect }: LogWorld) {
    const log = await connect();
    const open = new Map<number, () => void>();
    const begun: number[] = [];
    const publish = (lane: Lane, ids: readonly number[]) => log.publish(planTopic(lane), ids.map(record));
    const stage: PlanStage = createPlanStage({
      log,
      store: { failDelivery: async () => {}, takeTurn: async () => null },
      planDelivery: async (id: DeliveryId) => {
        begun.push(id);
        await new Promise<void>((end) => open.set(id, end));
        return { kind: 'nothing-to-plan' };
      },
      storeAnswers: async () => true,
      awayPauseMs: 10,
      maxAttempts: 3,
      stallAfterMs: 600_000,
      onPlanned: () => {},
      onPause: () => {},
    });
    const letGo = () => {
      for (const [id, end] of open) {
        open.delete(id);
        end();
      }
    };
    return { log, stage, begun, publish, letGo };
  }

  it('lets a breaking delivery be planned though bulk ones are at it and many more wait', () =>
    inWorld(harness, async (world) => {
      const { log, stage, begun, publish, letGo } = await plan(world);
      const bulk = range(40);
      await publish('bulk', bulk);
      await stage.start();
      await until(clock, 'the bulk plannings', () => begun.length === 2);
      await publish('breaking', [100]);
      await until(clock, 'the breaking one', () => begun.length === 3);
      expect(begun.at(-1)).toBe(100);
      // The lane of bulk goes on as soon as one of its own ends, and loses nothing.
      await until(clock, 'all of them', async () => {
        letGo();
        return (await log.lag('deliveries')) === 0 && (await log.lag('deliveries.breaking')) === 0;
      });
      expect(begun.toSorted((a, b) => a - b)).toEqual([...bulk, 100]);
      await stage.close(1_000);
    }));

  it('lets bulk ones be planned while breaking ones never end', () =>
    inWorld(harness, async (world) => {
      const { stage, begun, publish, letGo } = await plan(world);
      await publish('breaking', range(10));
      await stage.start();
      await until(clock, 'the breaking plannings', () => begun.length === 2);
      await publish('bulk', [100]);
      await until(clock, 'the bulk one', () => begun.includes(100));
      const closing = stage.close(2_000);
      letGo();
      await closing;
    }));

  it('plans every message that an older version left on its one topic', () =>
    inWorld(harness, async (world) => {
      const { log, stage, begun, letGo } = await plan(world);
      await log.publish('deliveries', [record(7)]);
      await stage.start();
      await until(clock, 'the delivery', () => begun.includes(7));
      letGo();
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      await stage.close(1_000);
    }));
}
