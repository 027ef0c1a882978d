import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { longest } from '../support/tiers/longest-first.ts';
import { sharesProcess, testsByTier, tierOf } from '../support/tiers/tiers.ts';

describe('the tier of a test', () => {
  it('follows from its imports', () => {
    expect(tierOf('test/contract/bitmap.test.ts')).toBe('unit');
    expect(tierOf('test/plan/audience.test.ts')).toBe('postgres');
    expect(tierOf('test/conformance/kafka-log.test.ts')).toBe('system');
    expect(tierOf('test/adapters/clickhouse-embedded.test.ts')).toBe('system');
    expect(tierOf('test/api/cli/cli.test.ts')).toBe('system');
    expect(tierOf('test/dispatch/worker-pool.test.ts')).toBe('system');
    expect(tierOf('test/browser/firefox.test.ts')).toBe('system');
  });

  it('is one of three for every test, and none of them is empty', () => {
    const { unit, postgres, system } = testsByTier();
    for (const tests of [unit, postgres, system]) expect(tests.length).toBeGreaterThan(50);
    expect(new Set([...unit, ...postgres, ...system]).size).toBe(
      unit.length + postgres.length + system.length,
    );
  });
});

describe('a process', () => {
  it('is shared by files, but not by those that open ClickHouse in it', () => {
    expect(sharesProcess('test/browser/dashboard/keyboard.test.ts')).toBe(true);
    expect(sharesProcess('test/browser/firefox.test.ts')).toBe(true);
    expect(sharesProcess('test/browser/dashboard/reports.test.ts')).toBe(false);
    const shared = testsByTier().system.filter(sharesProcess).length;
    expect(shared).toBeGreaterThan(100);
    expect(shared).toBeLessThan(testsByTier().system.length);
  });
});

describe('the files that begin first', () => {
  it('are there, under the name they are listed by', () => {
    expect(longest.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
    expect(longest.length).toBeGreaterThan(5);
  });
});
