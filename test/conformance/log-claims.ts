import { expect, it } from 'vitest';
import { pause } from '../../engine/contract/concurrency/clock.ts';
import type { Claim } from '../../engine/contract/log.ts';
import { defaultOptions, inWorld, type LogHarness } from './harness.ts';
import { createLedger, deliveries, finish, range, until, worker } from './ledger.ts';

/** One claim: how it is kept, lost, and what its ending does to its records. */
export function describeClaims(harness: LogHarness): void {
  const { clock } = harness;

  it('keeps a batch that takes longer than the session alive while it makes progress', () =>
    inWorld(harness, async ({ connect, sessionTimeoutMs }) => {
      const [first, second] = [await connect(), await connect()];
      const ledger = createLedger();
      const ids = range(30);
      const oneBatch = { ...defaultOptions, maxRecords: 30, concurrency: 1 };
      const workMs = Math.ceil((1.6 * sessionTimeoutMs) / 30);
      await first.publish('deliveries', sameKey(ids));
      await first.consume('deliveries', oneBatch, worker({ clock, ledger, workMs, by: 'first' }));
      await until(clock, 'the batch begun', () => ledger.size() >= 1);
      await second.consume('deliveries', oneBatch, worker({ clock, ledger, workMs, by: 'second' }));
      await until(clock, 'all records', () => ledger.size() === ids.length);
      await until(clock, 'no lag', async () => (await first.lag('deliveries')) === 0);
      ledger.expectOnceEach(ids);
    }));

  it('keeps a single record that takes longer than the session, as long as its handler reports progress', () =>
    inWorld(harness, async ({ connect, sessionTimeoutMs }) => {
      const log = await connect();
      const ledger = createLedger();
      const stallAfterMs = sessionTimeoutMs / 2;
      await log.publish('deliveries', deliveries([1]));
      await log.consume('deliveries', { ...defaultOptions, stallAfterMs }, async ([record], claim) => {
        for (const _ of range(8)) {
          await pause(clock, sessionTimeoutMs / 5);
          claim.alive();
        }
        expect(claim.holds()).toBe(true);
        if (record) await finish(record, claim, ledger);
        return { kind: 'handled' };
      });
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      ledger.expectOnceEach([1]);
    }));

  it('takes the batch from a handler that stalls, ignores its late word, and gives the record again', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      const attempts: number[] = [];
      const lateWord = Promise.withResolvers<void>();
      let lagAfterLateWord = -1;
      // Long enough for the second handler to read the lag on a busy machine without stalling, too.
      const stallAfterMs = 2_000;
      await log.publish('deliveries', deliveries([1]));
      await log.consume('deliveries', { ...defaultOptions, stallAfterMs }, async ([record], claim) => {
        if (!record) throw new Error('an empty batch');
        if (attempts.push(record.attempt) === 1) {
          await new Promise((resolve) => claim.signal.addEventListener('abort', resolve));
          expect(claim.holds()).toBe(false);
          await finish(record, claim, ledger);
          lateWord.resolve();
        } else {
          await lateWord.promise;
          await pause(clock, 200);
          lagAfterLateWord = await log.lag('deliveries');
          await finish(record, claim, ledger);
        }
        return { kind: 'handled' };
      });
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      expect(attempts).toEqual([1, 2]);
      expect(lagAfterLateWord).toBe(1);
      ledger.expectOnceEach([1]);
    }));

  it('pauses intake on `full`, gives the batch again afterwards, and charges no attempt', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      const calls: { readonly at: number; readonly attempts: number[] }[] = [];
      const resumeAfterMs = 600;
      await log.publish('deliveries', deliveries(range(10)));
      await log.consume(
        'deliveries',
        { ...defaultOptions, concurrency: 1, maxAttempts: 1 },
        async (records, claim) => {
          calls.push({ at: clock.now(), attempts: records.map(({ attempt }) => attempt) });
          if (calls.length <= 2) return { kind: 'full', resumeAfterMs };
          return worker({ clock, ledger })(records, claim);
        },
      );
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      ledger.expectOnceEach(range(10));
      const [first, second, third] = calls.map(({ at }) => at);
      // A timer may fire a millisecond early by another clock.
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(resumeAfterMs - 2);
      expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(resumeAfterMs - 2);
      expect(new Set(calls.flatMap(({ attempts }) => attempts))).toEqual(new Set([1]));
      expect(await log.deadLetters('deliveries', 10)).toEqual([]);
    }));

  it('moves a record whose handling keeps throwing to the dead letters, while later ones go on', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      const attempts: number[] = [];
      await log.publish('deliveries', sameKey(range(9)));
      await log.consume('deliveries', defaultOptions, async (records, claim) => {
        for (const record of records) {
          if (record.value.delivery_id !== 4) {
            await finish(record, claim, ledger);
            continue;
          }
          attempts.push(record.attempt);
          throw new TypeError('the fourth is poison');
        }
        return { kind: 'handled' };
      });
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      ledger.expectOnceEach(range(9).filter((id) => id !== 4));
      expect(attempts).toEqual([1, 2, 3]);
      const letters = await log.deadLetters('deliveries', 10);
      expect(letters).toMatchObject([{ key: 'one', value: { delivery_id: 4 } }]);
      expect(letters[0]?.reason).toContain('the fourth is poison');
      expect(letters[0]?.id).not.toBe('');
    }));

  it('gives a record that was handled but not marked done again, as another attempt', () =>
    inWorld(harness, async ({ connect }) => {
      const log = await connect();
      const ledger = createLedger();
      await log.publish('deliveries', deliveries(range(6)));
      await log.consume('deliveries', defaultOptions, async (records, claim) => {
        for (const record of records) {
          if (record.value.delivery_id % 2 === 0 || record.attempt === 2) await finish(record, claim, ledger);
        }
        return { kind: 'handled' };
      });
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      ledger.expectOnceEach(range(6));
    }));

  it('moves a record that violates its topic’s schema to the dead letters at once, unseen by any handler', () =>
    inWorld(harness, async ({ connect, putText }) => {
      const log = await connect();
      const ledger = createLedger();
      await log.publish('deliveries', sameKey([1]));
      await putText('deliveries', 'one', '{"delivery_id":"seven"}');
      await log.publish('deliveries', sameKey([2]));
      await log.consume('deliveries', defaultOptions, worker({ clock, ledger }));
      await until(clock, 'no lag', async () => (await log.lag('deliveries')) === 0);
      ledger.expectOnceEach([1, 2]);
      const letters = await log.deadLetters('deliveries', 10);
      expect(letters).toMatchObject([{ key: 'one', value: { delivery_id: 'seven' } }]);
      expect(letters[0]?.reason).toContain('schema');
    }));

  it('shows the newest dead letters first, up to the requested number', () =>
    inWorld(harness, async ({ connect, putText }) => {
      const log = await connect();
      await log.consume('deliveries', defaultOptions, worker({ clock, ledger: createLedger() }));
      for (const text of ['{"n":1}', '{"n":2}', '{"n":3}']) {
        await putText('deliveries', 'one', text);
        await until(clock, 'the letter buried', async () => (await log.lag('deliveries')) === 0);
      }
      const letters = await log.deadLetters('deliveries', 2);
      expect(letters.map(({ value }) => value)).toEqual([{ n: 3 }, { n: 2 }]);
    }));

  it('aborts the claim on close, waits to the deadline, then takes away unfinished records', () =>
    inWorld(harness, async ({ connect }) => {
      const [first, second] = [await connect(), await connect()];
      const ledger = createLedger();
      const release = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<Claim<'deliveries'>>();
      await first.publish('deliveries', deliveries([1]));
      const stubborn = await first.consume('deliveries', defaultOptions, async ([record], claim) => {
        begin(claim);
        await release.promise;
        if (record) await finish(record, claim, ledger, 'first');
        return { kind: 'handled' };
      });
      const claim = await begun;
      expect([claim.holds(), claim.signal.aborted]).toEqual([true, false]);
      const closed = stubborn.close(400);
      await until(clock, 'the signal', () => claim.signal.aborted);
      expect(claim.holds()).toBe(true);
      await closed;
      expect(claim.holds()).toBe(false);
      release.resolve();
      await second.consume('deliveries', defaultOptions, worker({ clock, ledger, by: 'second' }));
      await until(clock, 'no lag', async () => (await second.lag('deliveries')) === 0);
      expect(ledger.doneBy('second')).toEqual([1]);
      ledger.expectOnceEach([1]);
    }));
}

/** One key: with partitions, one lane. */
const sameKey = (ids: readonly number[]) => ids.map((id) => ({ key: 'one', value: { delivery_id: id } }));
