import { expect, it } from 'vitest';
import { type Clock, pause } from '../../engine/contract/concurrency/clock.ts';
import type { Log } from '../../engine/contract/log.ts';
import { defaultOptions, inWorld, type LogHarness } from './harness.ts';
import { createLedger, deliveries, range, until, worker } from './ledger.ts';

/** Death: of a consumer, and of what the log runs on. */
export function describeFaults(harness: LogHarness): void {
  const { clock } = harness;

  it('gives the records of a consumer that was killed in mid-batch to another one', () =>
    inWorld(harness, async ({ connect, crashConsumer }) => {
      const log = await connect();
      const ledger = createLedger();
      const ids = range(20);
      await log.publish(
        'deliveries',
        ids.map((id) => ({ key: 'one', value: { delivery_id: id } })),
      );
      const crash = await crashConsumer(3);
      expect(crash.done).toHaveLength(3);
      expect(crash.inHand.length).toBeGreaterThan(0);
      await log.consume('deliveries', defaultOptions, worker({ clock, ledger }));
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      const again = ids.filter(
        (id) => !crash.done.includes(id) && (id !== crash.last || ledger.times(id) > 0),
      );
      ledger.expectOnceEach(again);
    }));

  it('loses nothing that was acknowledged when the ground under it goes away under load and comes back', () =>
    inWorld(harness, async ({ connect, cut }) => {
      const [writer, reader] = [await connect(), await connect()];
      const ledger = createLedger();
      const load = startLoad(clock, writer);
      await reader.consume('deliveries', defaultOptions, worker({ clock, ledger, workMs: 2 }));
      await until(clock, 'some work', () => ledger.size() > 20);
      const restore = await cut();
      await pause(clock, 1_000);
      const before = ledger.size();
      await restore();
      await until(clock, 'work after the outage', () => ledger.size() > before + 100);
      const acknowledged = await load.stop();
      await until(clock, 'all that was acknowledged', () => acknowledged.every((id) => ledger.times(id) > 0));
      await until(clock, 'no lag', async () => (await reader.lag('deliveries').catch(() => -1)) === 0);
      ledger.expectAll(acknowledged);
      expect(await reader.ping()).toBe(true);
    }));
}

interface Load {
  /** @returns every delivery whose publishing was acknowledged. */
  stop(): Promise<number[]>;
}

const BATCH = 5;
const EVERY_MS = 10;

/** Publishes one small batch after the other; what was refused is not tried again. */
function startLoad(clock: Clock, log: Log): Load {
  const acknowledged: number[] = [];
  let next = 1;
  let open = true;

  async function run(): Promise<void> {
    for (; open; next += BATCH) {
      const ids = range(BATCH, next);
      try {
        await log.publish('deliveries', deliveries(ids));
        acknowledged.push(...ids);
      } catch {
        // Refused: its publisher got an error.
      }
      await pause(clock, EVERY_MS);
    }
  }

  const running = run();
  return {
    stop: async () => {
      open = false;
      await running;
      return acknowledged;
    },
  };
}
