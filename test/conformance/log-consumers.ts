import { expect, it } from 'vitest';
import { pause } from '../../engine/contract/concurrency/clock.ts';
import { defaultOptions, inWorld, type LogHarness } from './harness.ts';
import { createLedger, deliveries, finish, range, until, worker } from './ledger.ts';

/** Whole consumers: that everything arrives, is shared, and survives joining, pausing and closing. */
export function describeConsumers(harness: LogHarness): void {
  const { clock } = harness;
  const ids = range(200);

  it('gives every record to a handler once, with its key and value, in whatever order they are marked', () =>
    inWorld(harness, async ({ connect, keepsKeyOrder }) => {
      const log = await connect();
      const ledger = createLedger();
      const orders = new Map<string, number[]>();
      await log.publish('deliveries', deliveries(ids));
      await log.consume('deliveries', defaultOptions, async (records, claim) => {
        for (const { key, value, attempt } of records) {
          orders.set(key, [...(orders.get(key) ?? []), value.delivery_id]);
          expect(attempt).toBe(1);
        }
        for (const record of records.toReversed()) await finish(record, claim, ledger);
        return { kind: 'handled' };
      });
      await until(clock, 'all records', () => ledger.size() === ids.length);
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      ledger.expectOnceEach(ids);
      expect([...orders.keys()].sort()).toEqual(range(8, 0).map((rest) => `app-${rest}`));
      const inOrder = [...orders.values()].every((order) =>
        order.every((id, at) => id > (order[at - 1] ?? 0)),
      );
      if (keepsKeyOrder) expect(inOrder).toBe(true);
    }));

  it('names the records that it can never hold, and holds those around them', () =>
    inWorld(harness, async ({ connect, neverHeld }) => {
      const log = await connect();
      const ledger = createLedger();
      const mixed = [...deliveries(range(20)), neverHeld, ...deliveries(range(20, 21)), neverHeld];
      await expect(log.publish('deliveries', mixed)).rejects.toMatchObject({
        name: 'RecordsRefused',
        indexes: [20, 41],
      });
      await log.publish('deliveries', deliveries([41]));
      await log.consume('deliveries', defaultOptions, worker({ clock, ledger }));
      await until(clock, 'all others', () => ledger.size() === 41);
      ledger.expectAll(range(41));
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
    }));

  it('never runs more handlers at once, nor gives one more records, than the options allow', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      const work = worker({ clock, ledger, workMs: 5 });
      let running = 0;
      let most = 0;
      await log.publish('deliveries', deliveries(ids));
      await log.consume('deliveries', { ...defaultOptions, maxRecords: 7 }, async (records, claim) => {
        most = Math.max(most, ++running);
        expect(records.length).toBeLessThanOrEqual(7);
        const ending = await work(records, claim);
        running--;
        return ending;
      });
      await until(clock, 'all records', () => ledger.size() === ids.length);
      expect(most).toBe(defaultOptions.concurrency);
    }));

  it('spreads the work over several consumers', () =>
    inWorld(harness, async ({ connect }) => {
      const logs = await Promise.all([connect(), connect()]);
      const ledger = createLedger();
      for (const [index, log] of logs.entries()) {
        await log.consume(
          'deliveries',
          defaultOptions,
          worker({ clock, ledger, by: `${index}`, workMs: 10 }),
        );
      }
      await logs[0]?.publish('deliveries', deliveries(ids));
      await until(clock, 'all records', () => ledger.size() === ids.length);
      ledger.expectOnceEach(ids);
      expect(ledger.doneBy('0').length).toBeGreaterThan(0);
      expect(ledger.doneBy('1').length).toBeGreaterThan(0);
    }));

  it('loses nothing and does nothing twice when a second consumer joins in mid-batch', () =>
    inWorld(harness, async ({ connect }) => {
      const [first, second] = [await connect(), await connect()];
      const ledger = createLedger();
      const options = { ...defaultOptions, maxRecords: 50 };
      await first.publish('deliveries', deliveries(ids));
      await first.consume('deliveries', options, worker({ clock, ledger, by: 'first', workMs: 20 }));
      await until(clock, 'the first batch begun', () => ledger.size() >= 5);
      await second.consume('deliveries', options, worker({ clock, ledger, by: 'second', workMs: 20 }));
      await until(clock, 'all records', () => ledger.size() === ids.length);
      await until(clock, 'no lag', async () => (await first.lag('deliveries')) === 0);
      ledger.expectOnceEach(ids);
      ledger.expectNoneBegunTwice();
      expect(ledger.doneBy('second').length).toBeGreaterThan(0);
    }));

  it('closes cleanly in mid-batch: done records stay done, the rest goes to the next consumer', () =>
    inWorld(harness, async ({ connect }) => {
      const [first, second] = [await connect(), await connect()];
      const ledger = createLedger();
      await first.publish('deliveries', deliveries(ids));
      await first.consume('deliveries', defaultOptions, worker({ clock, ledger, by: 'first', workMs: 10 }));
      await until(clock, 'the first batch begun', () => ledger.size() >= 5);
      await first.close(5_000);
      expect(ledger.size()).toBeLessThan(ids.length);
      await second.consume('deliveries', defaultOptions, worker({ clock, ledger, by: 'second' }));
      await until(clock, 'all records', () => ledger.size() === ids.length);
      await until(clock, 'no lag', async () => (await second.lag('deliveries')) === 0);
      ledger.expectOnceEach(ids);
      ledger.expectNoneBegunTwice();
    }));

  it('takes no new batch while paused, and goes on when resumed', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      const consumer = await log.consume('deliveries', defaultOptions, worker({ clock, ledger }));
      consumer.pause();
      await log.publish('deliveries', deliveries(range(10)));
      await pause(clock, 700);
      expect(ledger.size()).toBe(0);
      consumer.resume();
      await until(clock, 'all records', () => ledger.size() === 10);
    }));

  it('counts unfinished records as lag, including those being handled', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      const gate = Promise.withResolvers<void>();
      expect(await log.lag('deliveries')).toBe(0);
      await log.publish('deliveries', deliveries(range(12)));
      expect(await log.lag('deliveries')).toBe(12);
      let begun = false;
      await log.consume('deliveries', { ...defaultOptions, maxRecords: 12 }, async (records, claim) => {
        begun = true;
        await gate.promise;
        return worker({ clock, ledger })(records, claim);
      });
      await until(clock, 'a running batch', () => begun);
      expect(await log.lag('deliveries')).toBe(12);
      gate.resolve();
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      expect(ledger.size()).toBe(12);
    }));

  it('answers a ping while it is open, and refuses to publish once it is closed', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      expect(await log.ping()).toBe(true);
      await log.close(1_000);
      await log.close(1_000);
      await expect(log.publish('deliveries', deliveries([1]))).rejects.toThrow();
      expect(await log.ping()).toBe(false);
    }));
}
