// tier: system
import { describe, expect, it } from 'vitest';
import { sizesUpTo } from '../../bench/scale/main.ts';
import type { ScaleRow } from '../../bench/scale/measure.ts';
import { verdict } from '../../bench/scale/report.ts';
import { runBench } from './run-bench.ts';

const row = (subscribers: number, cpu: number, memory: number): ScaleRow => ({
  ...{ subscribers, cpu_us_per_message: cpu, rss_peak_mb: memory, messages_per_second: 5_000, seconds: 1 },
  ...{ plan_ms: 20, clickhouse_rows: subscribers, deliveries: 1, double_cpu_us_per_message: 40 },
});

describe('npm run bench -- scale', () => {
  it('sends to an audience of its own, and finds all of its rows in ClickHouse', async () => {
    const { code, lines, errors } = await runBench('scale', '--max', '200');
    expect(code, errors).toBe(0);
    expect(lines).toEqual([expect.objectContaining({ subscribers: 200, clickhouse_rows: 200 })]);
    expect(lines[0]?.plan_ms).toBeGreaterThan(0);
  }, 420_000);

  it('measures the usual sizes up to the largest one', () => {
    expect(sizesUpTo(1_000_000)).toEqual([10_000, 100_000, 1_000_000]);
    expect(sizesUpTo(50_000)).toEqual([10_000, 50_000]);
    expect(sizesUpTo(500)).toEqual([500]);
  });

  it('shows whether cost and memory stayed constant', () => {
    expect(verdict([row(100_000, 200, 600), row(1_000_000, 208, 650)])).toMatch(/^Linear: .*1\.04.*is level/);
    expect(verdict([row(100_000, 200, 600), row(1_000_000, 212, 650)])).toMatch(/^Not linear: .*1\.06/);
    expect(verdict([row(100_000, 200, 600), row(1_000_000, 200, 670)])).toMatch(/memory is not level/);
  });
});
