// tier: unit
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMeasuredCosts } from '../../api/cli/capacity/measured-costs.ts';
import { forecastRows, isWithin } from '../../bench/costs/report.ts';
import { checkBooks } from '../../bench/crew/books.ts';
import type { Measured } from '../../bench/engines/measure.ts';
import { rowsOf, verdict } from '../../bench/engines/report.ts';
import { replicasReport } from '../../bench/replicas/report.ts';
import { startReport } from '../../bench/start/report.ts';

const measured = (engines: number, engineUs: number): Measured => ({
  ...{ engines, engineUs, messages: 1_000, seconds: 2, postgresUs: 10, logUs: 5, clickhouseUs: 4, idleUs: 3 },
  ...{ idleEngineMs: 20, idlePostgresMs: 18, idleLogMs: 40, transactions: 12, lockWaitMs: 0 },
  ...{ leastShare: 0.9, otherShare: 0.95, takeOver: engines === 1 ? null : { shards: 2, seconds: 31 } },
});

describe('the benches over several engines', () => {
  it('compare the most engines with the fewest, by the median of the rounds', () => {
    const rows = rowsOf([measured(1, 35), measured(16, 37), measured(16, 90), measured(16, 36)]);
    expect(rows).toMatchObject([
      { engines: 1, messages_per_second: 500, all_us: 50, take_over_seconds: null },
      { engines: 16, all_us: 52, take_over_seconds: 31, least_engine: 90 },
    ]);
    expect(verdict(rows)).toMatch(/^Coordination is cheap: .* 1\.04 times/);
    expect(verdict(rowsOf([measured(1, 35), measured(16, 45)]))).toMatch(
      /^Coordination is dear: .* 1\.20 times/,
    );
  });

  it('refuse figures of a delivery whose books differ', () => {
    const standing = { id: 1, ended: true, accepted: 10, total: 10 };
    expect(checkBooks([standing, standing], 10)).toBe(20);
    expect(() => checkBooks([{ ...standing, accepted: 9 }], 10)).toThrow('counts 9 of 10');
  });

  it('say whether a forecast holds, over all parts', () => {
    const costs = { ...readMeasuredCosts(), engine_us: 30, postgres_read_us: 2, postgres_write_us: 8 };
    const sent = (engine: number) => ({
      ...{ readers: 1_000_000, engine, postgres: 10, log: costs.log_us, clickhouse: costs.clickhouse_us },
      ...{ transactions: 1, walBytes: 1, logBytes: 1, clickhouseBytes: 1, planMs: 1 },
    });
    expect(isWithin(forecastRows(costs, 100, [sent(130)]))).toBe(true);
    expect(isWithin(forecastRows(costs, 100, [sent(170)]))).toBe(false);
    expect(isWithin(forecastRows(costs, 100, [sent(90)]))).toBe(false);
  });

  it('say what replicas take off a primary', () => {
    const reading = (from: 'primary' | 'replicas', primaryUs: number) => ({
      ...{ from, primaryUs, replicasUs: 4, engineUs: 20, byReplicas: from === 'primary' ? 0 : 0.953 },
    });
    const { lines, notes } = replicasReport([
      ...[reading('primary', 12), reading('replicas', 8.5)],
      ...[reading('primary', 11.5), reading('replicas', 30)],
      ...[reading('primary', 90), reading('replicas', 8)],
    ]);
    expect(lines).toMatchObject([{ primary_us: 12 }, { primary_us: 8.5, by_replicas_percent: 95 }]);
    expect(notes).toEqual([
      'A message costs the primary 3.5 µs less when replicas answer 95 % of the reads.',
    ]);
  });

  it('name the aims of a start that were missed', () => {
    const row = { what: 'npm start', unit: 's', value: 3, aim: 2.5 };
    expect(startReport([row]).notes).toEqual(['Missed: npm start, 3 instead of 2.5 s.']);
    expect(startReport([{ ...row, value: 2 }]).notes).toEqual(['Every aim is met.']);
  });

  it('find the lines of the product that they leave out: encryption and sending', () => {
    const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const preload = textOf('bench/crew/no-sending.ts');
    const wanted = [...preload.matchAll(/breakSource\(\s*'(\/[^']+)',\s*'([^']+)'/g)];
    expect(wanted).toHaveLength(2);
    for (const [, file = '', text = ''] of wanted) expect(textOf(file.slice(1))).toContain(text);
  });
});
