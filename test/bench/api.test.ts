// tier: system
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const bench = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

describe('npm run bench -- api', () => {
  it('measures the first and the last page of every list, and reports how many were too slow', async () => {
    const small = [
      '--part',
      'lists',
      '--subscribers',
      '2000',
      '--deliveries',
      '300',
      '--rounds',
      '1',
      '--json',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [bench, 'api', ...small]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const summary = lines.pop();
    expect(summary).toMatchObject({ part: 'lists', limit_ms: 300, pages: lines.length });
    const totals = new Map(lines.map(({ list, total }) => [list, total]));
    expect(totals.get('subscriptions?sort=notifications_sent&direction=asc')).toBe(2_000);
    expect(totals.get('subscriptions?search=c-')).toBe(2_000);
    expect(totals.get('deliveries?name=evening')).toBe(100);
    expect(lines.filter(({ page }) => page === 'last')).toHaveLength(lines.length / 2);
    for (const { min_ms, median_ms, max_ms } of lines) {
      expect(min_ms).toBeGreaterThan(0);
      expect(max_ms).toBeGreaterThanOrEqual(median_ms);
    }
  });
});
