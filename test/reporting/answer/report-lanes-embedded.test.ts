// tier: system, clickhouse
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = await openTestClickHouse();
  const command = (query: string) => clickhouse.client.command({ query });
  await command('CREATE TABLE light (a UInt64) ENGINE = MergeTree ORDER BY a');
  await command('CREATE TABLE heavy (a UInt64) ENGINE = MergeTree ORDER BY a');
  await command('INSERT INTO light SELECT number FROM numbers(1000)');
  await command('INSERT INTO heavy SELECT number FROM numbers(3000000)');
});
afterAll(() => clickhouse.close());

const bounds = { seconds: 20, memoryBytes: 200 * 1_048_576, rows: 100 };
const light = { select: 'SELECT sum(a) AS sum FROM light', params: {} };
/** Reads more than a light one may, and goes on for minutes. */
const heavy = {
  select: `SELECT sum(cityHash64(one.a, other.a, {n:UInt64})) AS sum FROM heavy AS one CROSS JOIN heavy AS other`,
  params: { n: 1 },
};

describe('a light report in the embedded engine', () => {
  it('does not wait for a heavy one, and neither does any other read', async () => {
    const reader = createReportReader(clickhouse, bounds);
    const stop = new AbortController();
    let isOver = false;
    const asked = reader
      .begin(stop.signal)
      .line(heavy)
      .catch((error: unknown) => error);
    void asked.then(() => {
      isOver = true;
    });
    // Two of them: one of the same kind would only have to wait for the first.
    const second = reader
      .begin(stop.signal)
      .line(heavy)
      .catch((error: unknown) => error);
    const line = await reader.begin(new AbortController().signal).line(light);
    const rates = await clickhouse.client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' });
    expect([line, await rates.json(), isOver]).toEqual(['{"sum":499500}', [{ one: 1 }], false]);
    stop.abort(new Error('enough'));
    for (const ending of await Promise.all([asked, second])) {
      expect(ending).toMatchObject({ failure: 'cancelled' });
    }
  });

  it('writes a large answer into its folder, and leaves nothing there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadside-answers-'));
    const reader = createReportReader(clickhouse, { ...bounds, rows: 5_000_000 }, folder);
    const rows = { select: 'SELECT a FROM heavy ORDER BY a', params: {} };
    const stream = await reader.begin(new AbortController().signal).open(rows, 'JSONEachRow');
    expect(await readdir(folder)).toEqual([]);
    let lines = 0;
    for await (const chunk of stream) lines += String(chunk).split('\n').length - 1;
    expect(lines).toBe(3_000_000);
    await rm(folder, { recursive: true });
  });

  it('is distinguished from a heavy one by the rows it would read, and both give the same answer', async () => {
    const reader = createReportReader(clickhouse, bounds);
    const all = { select: 'SELECT count() AS rows, sum(a) AS sum FROM heavy', params: {} };
    const line = await reader.begin(new AbortController().signal).line(all);
    expect(line).toBe('{"rows":3000000,"sum":4499998500000}');
  });

  it('is refused for its own rows as ever', async () => {
    const reader = createReportReader(clickhouse, bounds);
    const rows = { select: 'SELECT a FROM light', params: {} };
    await expect(reader.begin(new AbortController().signal).line(rows)).rejects.toMatchObject({
      failure: 'rows',
    });
  });
});
