// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineDefaults, forecast } from '../../../../api/cli/capacity/forecast.ts';
import type { MeasuredCosts } from '../../../../api/cli/capacity/measured-costs.ts';
import type { Question } from '../../../../api/cli/capacity/question.ts';

const costs: MeasuredCosts = {
  ...{ date: '2026-11-27', machine: 'a machine', readers: 100_000 },
  encryption_us: { multibuffer: null, openssl: 100, node: 200 },
  ...{ engine_us: 40, postgres_read_us: 2, postgres_write_us: 8, log_us: 1, clickhouse_us: 5 },
  ...{
    transactions_per_1000: 10,
    release_ms: 1,
    plan_ms_per_million: 500,
    reader_bytes: 500,
    target_bytes: 250,
  },
  ...{ wal_bytes: 5, log_bytes: 4, clickhouse_bytes: 1, engine_mb: 400 },
  ...{ idle_engine_ms: 0, idle_postgres_ms: 0, idle_log_ms: 0 },
};
const defaults: EngineDefaults = { shardBlocks: 8, maxInFlight: 512, partitions: 12, mostPartitions: 1_000 };
const question: Question = {
  ...{ readers: 10_000_000, seconds: 105, encryption: 'openssl', latencyMs: 20, engineCores: 4, replicas: 0 },
  ...{ postgresCores: 64, pushServices: [] },
};
const ask = (changes: Partial<Question> = {}) => forecast(costs, { ...question, ...changes }, defaults);

describe('the forecast of a delivery', () => {
  it('sends in the time that planning leaves', () => {
    const { planSeconds, messagesPerSecond } = ask();
    expect(planSeconds).toBe(5);
    expect(messagesPerSecond).toBe(100_000);
  });

  it('takes engines for the CPU of all messages, at seven tenths busy', () => {
    // 100,000 × 140 µs = 14 cores, 20 at 70 %: five machines of four.
    expect(ask().engines).toEqual({ count: 5, cores: 20, memoryGb: 2 });
    expect(ask({ encryption: 'node' }).engines.count).toBe(9);
  });

  it('takes more engines where slow answers fill the requests in flight', () => {
    // 100,000 × 2 s = 200,000 requests, of which four threads hold 2,048.
    expect(ask({ latencyMs: 2_000 }).engines.count).toBe(Math.ceil(200_000 / 2_048 / 0.7));
  });

  it('gives the reads to the replicas, where there are some', () => {
    expect(ask().postgres).toMatchObject({ cores: 2, replicaCores: 0, readMbPerSecond: 25 });
    const fast = { readers: 100_000_000, seconds: 100 };
    expect(ask({ ...fast, replicas: 2 }).postgres.replicaCores).toBeGreaterThan(2);
    expect(ask({ ...fast, replicas: 2 }).postgres.cores).toBeLessThan(ask(fast).postgres.cores);
  });

  it('names what breaks first, and a push service that takes less than is asked for', () => {
    expect(ask().limits[0].name).toBe('planning');
    const slow = ask({ pushServices: [{ name: 'fcm', share: 0.8, perSecond: 20_000 }] });
    expect(slow.limits[0].name).toBe('what fcm takes');
    expect(slow.limits[0]).toMatchObject({ used: 4, seconds: 405 });
  });

  it('asks for no more partitions than a topic may have, and says so where that is too few', () => {
    expect(ask({ engineCores: 1, readers: 1e9 }).log.partitions).toBe(1_000);
    const { engines, limits } = ask({ engineCores: 1, readers: 1e9, latencyMs: 60_000 });
    const found = limits.find(({ name }) => name === 'partitions of a topic');
    expect(found?.used).toBe(engines.count / 1_000);
  });

  it('counts CPU hours over all parts', () => {
    expect(ask().cpuHours).toBeCloseTo((10e6 * 156) / 1e6 / 3_600);
  });

  it('never needs less for more readers, or for less time', () => {
    const sizes = fc.record({
      readers: fc.integer({ min: 1, max: 1e9 }),
      seconds: fc.integer({ min: 1, max: 86_400 }),
      more: fc.integer({ min: 0, max: 1e9 }),
      shorter: fc.integer({ min: 0, max: 86_399 }),
      replicas: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(sizes, ({ readers, seconds, more, shorter, replicas }) => {
        const small = ask({ readers, seconds, replicas });
        const large = ask({ readers: readers + more, seconds: Math.max(1, seconds - shorter), replicas });
        const needs = ({ engines, postgres, log, clickhouse, limits }: typeof small) => [
          ...[engines.count, postgres.cores, postgres.replicaCores, postgres.readersGb],
          ...[log.brokers, log.partitions, clickhouse.cores, limits[0].used],
        ];
        const before = needs(small);
        for (const [at, need] of needs(large).entries()) {
          expect(Number.isFinite(need)).toBe(true);
          expect(need).toBeGreaterThanOrEqual((before[at] ?? 0) * (1 - 1e-9));
        }
      }),
    );
  });
});
