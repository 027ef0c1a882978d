// tier: system
import { describe, expect, it } from 'vitest';
import { diskRefusal } from '../../bench/scale/disk.ts';
import { sizesUpTo } from '../../bench/scale/main.ts';
import type { ScaleRow } from '../../bench/scale/measure.ts';
import { boundsVerdict, verdict } from '../../bench/scale/report.ts';
import { runBench } from './run-bench.ts';

const row = (subscribers: number, cpu: number, memory: number): ScaleRow => ({
  ...{ subscribers, cpu_us_per_message: cpu, rss_peak_mb: memory, messages_per_second: 5_000, seconds: 1 },
  ...{ plan_ms: 20, clickhouse_rows: subscribers, deliveries: 1, double_cpu_us_per_message: 40 },
  ...{ database_cpu_us_per_message: 10, disk_mb: 500, reads: [] },
});

describe('npm run bench -- scale', () => {
  it('sends to an audience of its own, and finds all of its rows in ClickHouse', async () => {
    const { code, lines, errors } = await runBench('scale', '--max', '200');
    expect(code, errors).toBe(0);
    expect(lines).toEqual([expect.objectContaining({ subscribers: 200, clickhouse_rows: 200 })]);
    expect(lines[0]?.plan_ms).toBeGreaterThan(0);
    expect(lines[0]?.disk_mb).toBeGreaterThan(0);
    const reads = lines[0]?.reads as { refused: string | null }[];
    expect(reads.map(({ refused }) => refused)).toEqual(reads.map(() => null));
    expect(reads.length).toBeGreaterThan(15);
  }, 420_000);

  it('measures the usual sizes up to the largest one', () => {
    expect(sizesUpTo(1_000_000)).toEqual([10_000, 100_000, 1_000_000]);
    expect(sizesUpTo(50_000)).toEqual([10_000, 50_000]);
    expect(sizesUpTo(500)).toEqual([500]);
    expect(sizesUpTo(10_000_000, 100_000)).toEqual([100_000, 1_000_000, 10_000_000]);
  });

  it('refuses an audience that does not fit on the disk, and says where to put it', async () => {
    const free = async (): Promise<number> => 20e9;
    expect(await diskRefusal(1_000_000, '/tmp', free)).toBeNull();
    expect(await diskRefusal(10_000_000, '/tmp', free)).toMatch(
      /^10,000,000 subscribers need 44\.0 GB, and \/tmp has 20\.0 GB free: .*TMPDIR.*--max/,
    );
  });

  it('compares the largest audience with 100,000, not with the one before', () => {
    const rows = [
      row(10_000, 300, 500),
      row(100_000, 200, 600),
      row(1_000_000, 209, 650),
      row(10_000_000, 214, 655),
    ];
    expect(verdict(rows)).toMatch(/^Not linear: a message to 10,000,000 costs 1\.07 times one to 100,000/);
  });

  it('names plans and reads over their limits', () => {
    const read = { name: 'segment: everybody', ms: 4_000, limit_ms: 5_000, refused: null };
    const within = { ...row(100_000, 200, 600), reads: [read] };
    expect(boundsVerdict([within])).toMatch(/are within their limits/);
    const slow = {
      ...within,
      plan_ms: 4_100,
      reads: [read, { ...read, name: 'list: x', ms: 301, limit_ms: 300 }],
    };
    expect(boundsVerdict([slow])).toBe('Over their limits: the plan at 100,000; list: x at 100,000.');
    expect(boundsVerdict([{ ...within, reads: [{ ...read, refused: '503' }] }])).toBe(
      'Over their limits: segment: everybody at 100,000 (503).',
    );
  });

  it('shows whether cost and memory stayed constant', () => {
    expect(verdict([row(100_000, 200, 600), row(1_000_000, 208, 650)])).toMatch(/^Linear: .*1\.04.*is level/);
    expect(verdict([row(100_000, 200, 600), row(1_000_000, 212, 650)])).toMatch(/^Not linear: .*1\.06/);
    expect(verdict([row(100_000, 200, 600), row(1_000_000, 200, 670)])).toMatch(/memory is not level/);
  });
});
