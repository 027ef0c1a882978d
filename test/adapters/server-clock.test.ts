// tier: postgres
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openServerClock } from '../../engine/adapters/postgres/server-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const HOUR_MS = 3_600_000;
/** Far more than a reading takes, and far less than the difference between the clocks here. */
const NEAR_MS = 60_000;

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await test.drop();
});

const serverMs = async (): Promise<number> => {
  const [row] = await test.database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return row?.at.getTime() ?? Number.NaN;
};

it('gives Postgres’ time where the machine’s clock is an hour fast, and the difference to it', async () => {
  const machineNow = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => machineNow() + HOUR_MS);
  const clock = await openServerClock(test.database);
  expect(Math.abs(clock.now() - (await serverMs()))).toBeLessThan(NEAR_MS);
  expect(Math.abs(clock.aheadMs() + HOUR_MS)).toBeLessThan(NEAR_MS);
});

it('is monotonic when the machine’s clock is set, and follows Postgres’ when asked to', async () => {
  let serverAheadMs = 0;
  const clock = await openServerClock({
    query: <Row extends object>() =>
      Promise.resolve([{ ms: performance.timeOrigin + performance.now() + serverAheadMs }] as Row[]),
  });
  const before = clock.now();
  vi.spyOn(Date, 'now').mockReturnValue(0);
  expect(Math.abs(clock.now() - before)).toBeLessThan(NEAR_MS);
  serverAheadMs = HOUR_MS;
  expect(Math.abs(clock.now() - before)).toBeLessThan(NEAR_MS);
  await clock.read();
  expect(Math.abs(clock.now() - before - HOUR_MS)).toBeLessThan(NEAR_MS);
});

it('keeps its last reading where Postgres does not answer', async () => {
  let away = false;
  const clock = await openServerClock({
    query: <Row extends object>() =>
      away ? Promise.reject(new Error('away')) : Promise.resolve([{ ms: 1_000_000 }] as Row[]),
  });
  away = true;
  await expect(clock.read()).rejects.toThrow('away');
  expect(Math.abs(clock.now() - 1_000_000)).toBeLessThan(NEAR_MS);
});
