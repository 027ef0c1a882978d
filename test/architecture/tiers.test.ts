// tier: core
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { beforeRelease } from '../support/tiers/before-release.ts';
import { longest } from '../support/tiers/longest-first.ts';
import { markedTests, type Place, readMark, type Tier } from '../support/tiers/tiers.ts';
import { faultOf, needsOf } from './needs.ts';

const marked = [...markedTests()];
const filesOf = (tier: Tier): string[] =>
  marked.filter(([, mark]) => mark.tier === tier).map(([file]) => file);

describe('the first line of a test file', () => {
  it('says of each what it needs', () => {
    for (const tier of ['unit', 'postgres', 'core', 'system'] as const)
      expect(filesOf(tier).length).toBeGreaterThan(20);
    const faults = marked.map(([file, mark]) => [file, faultOf(mark, needsOf(file))]);
    expect(faults.filter(([, fault]) => fault !== null)).toEqual([]);
  });

  it('is demanded, and nothing but a tier and a place is taken', () => {
    const read = (line: string) => readMark('test/a.test.ts', `${line}\nimport 'b';\n`);
    expect(read('// tier: core, alone')).toEqual({ tier: 'core', place: 'alone' });
    expect(read('// tier: system, clickhouse')).toEqual({ tier: 'system', place: 'clickhouse' });
    expect(read('// tier: unit')).toEqual({ tier: 'unit', place: 'shared' });
    for (const line of [
      "import 'a';",
      '// tier: slow',
      '// tier: unit alone',
      '// tier: unit, shared',
      '\n// tier: unit',
    ])
      expect(() => read(line)).toThrow('test/a.test.ts does not say what it needs: begin it with');
  });
});

describe('what a test certainly needs', () => {
  it.each([
    ['test/contract/bitmap.test.ts', 'unit', 'shared'],
    ['test/plan/audience.test.ts', 'postgres', 'shared'],
    ['test/conformance/kafka-log.test.ts', 'core', 'shared'],
    ['test/adapters/clickhouse-embedded.test.ts', 'core', 'alone'],
    ['test/reporting/figures.test.ts', 'core', 'clickhouse'],
    ['test/api/cli/cli.test.ts', 'core', 'shared'],
    ['test/dispatch/worker-pool.test.ts', 'core', 'shared'],
    ['test/browser/firefox.test.ts', 'core', 'shared'],
  ] as const)('%s: %s, %s', (file, tier, place) => {
    expect(needsOf(file)).toEqual({ tier, place });
  });

  const mark = (tier: Tier, place: Place = 'shared') => ({ tier, place });

  it('is not less than its first line says', () => {
    expect(faultOf(mark('unit'), mark('postgres'))).toBe('is of "unit", and needs "postgres"');
    expect(faultOf(mark('postgres'), mark('core'))).toBe('is of "postgres", and needs "core"');
    expect(faultOf(mark('system'), mark('core', 'clickhouse'))).toMatch('does not say "clickhouse"');
    expect(faultOf(mark('system', 'clickhouse'), mark('core', 'alone'))).toMatch('does not say "alone"');
    expect(faultOf(mark('unit', 'alone'), mark('unit'))).toBe('cannot be "alone" in "unit"');
  });

  it('may be less, where a test is dear', () => {
    expect(faultOf(mark('system'), mark('postgres'))).toBeNull();
    expect(faultOf(mark('core', 'alone'), mark('unit'))).toBeNull();
  });
});

describe('the files that wait for a release', () => {
  it('are there, and of the tier that takes longest', () => {
    const system = filesOf('system');
    expect(beforeRelease.filter((file) => !system.includes(file))).toEqual([]);
  });
});

describe('the files that begin first', () => {
  it('are there, under the name they are listed by', () => {
    expect(longest.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
    expect(longest.length).toBeGreaterThan(5);
  });
});
