// tier: system
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adStatsSelect } from '../../../bench/reporting/make-ad-stats.ts';
import { runCode } from '../../support/run-code.ts';

const ROWS = 1_300_000;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-parquet-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sourceOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

describe('reading a large Parquet file', () => {
  it('takes bounded memory, for any file size and row groups', async () => {
    const file = join(folder, 'stats.parquet');
    const select = adStatsSelect({ rows: ROWS, firstDay: '2026-01-01', days: 90, domains: 5_000 });
    const written = `INSERT INTO FUNCTION file('${file}', Parquet) ${select} SETTINGS max_threads = 1`;
    // Each in a process of its own, whose peak memory it is.
    await runCode(`
      const { Session } = await import('chdb');
      const session = new Session(${JSON.stringify(join(folder, 'engine'))});
      await session.queryAsync(${JSON.stringify(written)});
      session.close();
      console.log('true');`);
    const { rows, pieces, mb } = await runCode<{ rows: number; pieces: number; mb: number }>(`
      const { peakMemoryBytes } = await import(${sourceOf('../../../engine/adapters/telemetry/peak-memory.ts')});
      const { openParquet } = await import(${sourceOf('../../../reporting/ingest/read-parquet.ts')});
      const file = await openParquet(${JSON.stringify(file)}, null);
      const times = { declared: null, midnightIs: 'hour' };
      const columnOf = Object.fromEntries(file.columns.map((name) => [name, name]));
      let [rows, pieces] = [0, 0];
      for await (const piece of file.rows({ load: 1, source: 'test', currency: 'EUR', columnOf, times, rowsBefore: 0 })) {
        rows += piece.rows;
        pieces++;
      }
      await file.close();
      console.log(JSON.stringify({ rows, pieces, mb: peakMemoryBytes() / 2 ** 20 }));`);
    expect(rows).toBe(ROWS);
    expect(pieces).toBeLessThanOrEqual(ROWS / 32_768 + 1);
    // Of these, the engine itself takes some 280.
    expect(mb).toBeLessThan(600);
  });
});
