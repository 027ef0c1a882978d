// tier: unit
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pause } from '../../engine/contract/concurrency/clock.ts';
import type { Log } from '../../engine/contract/log.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryLog } from '../support/memory-log/log.ts';
import { createMemoryStore } from '../support/memory-log/store.ts';
import { type LogWorld, tooLarge } from './harness.ts';
import { deliveries, range } from './ledger.ts';
import { describeLog } from './log.ts';

const SESSION_TIMEOUT_MS = 2_000;
const clock = createManualClock();
let pumping = true;

/** Time passes as soon as nothing is left to do now: hours cost nothing. */
function pump(): void {
  if (!pumping) return;
  clock.advanceToNext();
  setImmediate(pump);
}

beforeAll(pump);
afterAll(() => {
  pumping = false;
});

async function open(): Promise<LogWorld> {
  const store = createMemoryStore();
  const logs: Log[] = [];
  const newLog = () => createMemoryLog({ store, clock, sessionTimeoutMs: SESSION_TIMEOUT_MS });
  return {
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    keepsKeyOrder: true,
    neverHeld: tooLarge,
    connect: async () => {
      const log = newLog();
      logs.push(log);
      return log;
    },
    putText: async (topic, key, text) => store.append(topic, [{ key, text }]),
    crashConsumer: async (done) => {
      const log = newLog();
      const options = { maxRecords: 20, concurrency: 1, maxAttempts: 3, stallAfterMs: 60_000 };
      const { promise: inHand, resolve } = Promise.withResolvers<number[]>();
      const consumer = await log.consume('deliveries', options, async (records, claim) => {
        for (const record of [...records.slice(-1), ...records.slice(0, done)]) await claim.done(record);
        resolve(records.map(({ value }) => value.delivery_id));
        await new Promise(() => undefined);
        return { kind: 'handled' };
      });
      const ids = await inHand;
      log.crash(consumer);
      return { done: ids.slice(0, done), inHand: ids.slice(done, -1), last: ids.at(-1) ?? 0 };
    },
    cut: async () => {
      store.setAway(true);
      return async () => store.setAway(false);
    },
    close: async () => {
      for (const log of logs) await log.close(1_000);
    },
  };
}

describeLog('the log in memory', { clock, open });

it('gives the same events in the same order every time', async () => {
  const story = async (): Promise<string[]> => {
    const time = createManualClock();
    const store = createMemoryStore();
    const log = createMemoryLog({ store, clock: time, sessionTimeoutMs: SESSION_TIMEOUT_MS });
    const said: string[] = [];
    const handlerOf = (name: string) =>
      log.consume(
        'deliveries',
        { maxRecords: 3, concurrency: 2, maxAttempts: 2, stallAfterMs: 50 },
        async (records, claim) => {
          for (const record of records) {
            await pause(time, (record.value.delivery_id * 7) % 13);
            said.push(`${time.now()} ${name} ${record.id} ${record.attempt} ${claim.holds()}`);
            if (record.value.delivery_id % 5 !== 0 || record.attempt > 1) await claim.done(record);
          }
          return { kind: 'handled' };
        },
      );
    const first = await handlerOf('first');
    await handlerOf('second');
    await log.publish('deliveries', deliveries(range(40)));
    time.setTimer(40, () => log.crash(first));
    for (let turn = 0; turn < 2_000; turn++) {
      await new Promise(setImmediate);
      if (!time.advanceToNext()) break;
    }
    expect(await log.lag('deliveries')).toBe(0);
    return said;
  };
  const events = await story();
  expect(events.length).toBeGreaterThan(40);
  expect(await story()).toEqual(events);
});
