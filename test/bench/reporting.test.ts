// tier: system
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { problemWords } from '../../bench/reporting/job.ts';

const bench = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

describe('npm run bench -- reporting', () => {
  it('runs twelve reports that equal hand-written SQL, and imports Parquet', async () => {
    const small = ['--rows', '20000', '--rounds', '1', '--import-rows', '1000', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, [bench, 'reporting', ...small]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const imported = lines.pop();
    expect(lines).toHaveLength(12);
    for (const line of lines) {
      expect(line).toEqual({
        request: expect.any(String),
        rows: expect.any(Number),
        p50_ms: expect.any(Number),
        p95_ms: expect.any(Number),
        direct_p50_ms: expect.any(Number),
        ratio: expect.any(Number),
        statistics: 20_000,
      });
      expect(line.p50_ms).toBeGreaterThan(0);
    }
    expect(lines.filter(({ rows }) => rows > 0).length).toBeGreaterThan(8);
    expect(imported).toMatchObject({ request: 'import of Parquet', rows: 1_000 });
  });

  it('says what of a job was refused', () => {
    const errors = { dimensions: ['The dimensions field leads to too many rows.'], limit: ['One.', 'Two.'] };
    expect(problemWords({ message: 'Validation failed', errors })).toBe(
      'Validation failed. dimensions: The dimensions field leads to too many rows. limit: One. Two.',
    );
  });

  it('refuses at once options that would measure nothing', async () => {
    const nothing = promisify(execFile)(process.execPath, [bench, 'reporting', '--only', 'a century']);
    await expect(nothing).rejects.toThrow('no request has "a century" in its name');
  });
});
