// tier: unit
import { describe, expect, it } from 'vitest';
import { untilDue } from '../../../api/dashboard/web/data/http/read-again.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const at = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();
const wait = (due: readonly (string | null)[]): number => untilDue(due, 15_000, now);

describe('when a page reads again what is due at a time', () => {
  it('is just after the next time, if that comes before its usual time', () => {
    expect(wait([at(3)])).toBe(4_000);
    expect(wait([at(500), at(9), at(4)])).toBe(5_000);
    expect(wait([at(500)])).toBe(15_000);
    expect(wait([null])).toBe(15_000);
    expect(wait([])).toBe(15_000);
  });

  it('is a second later where it is late, but not for ever', () => {
    expect(wait([at(0)])).toBe(1_000);
    expect(wait([at(-29)])).toBe(1_000);
    expect(wait([at(-31)])).toBe(15_000);
    expect(wait([at(-31), at(2)])).toBe(3_000);
  });
});
