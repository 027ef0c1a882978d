import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { createReportReader, type ReportFormat } from '../../../reporting/answer/report-reader.ts';

const bounds = { seconds: 20, memoryBytes: 200 * 1_048_576, rows: 100 };
const rowsOf = (count: number) => ({
  select: `SELECT concat('a"', toString(number)) AS domain, number AS impressions,
    toDecimal128('12345678901234567.123456', 6) AS earnings FROM numbers({n:UInt64}) ORDER BY number`,
  params: { n: count },
});
/** Goes on for minutes. */
const endless = {
  select: 'SELECT sum(cityHash64(number, {a:String})) AS hash FROM numbers(100000000000)',
  params: { a: 'a' },
};

/** Reports are read alike from a server and from the embedded engine. */
export function describeReportReader(home: string, open: () => Promise<ClickHouse>): void {
  describe(`reading reports ${home}`, () => {
    let clickhouse: ClickHouse;
    const live = () => new AbortController().signal;
    const read = async (format: ReportFormat, rows = 1) => {
      const bytes = await createReportReader(clickhouse, bounds).begin(live()).open(rowsOf(rows), format);
      return buffer(bytes);
    };
    beforeAll(async () => {
      clickhouse = await open();
      await clickhouse.createDatabase();
    });
    afterAll(() => clickhouse.close());

    it('gives lines of JSON with decimals and counts as numbers, digit by digit', async () => {
      expect((await read('JSONEachRow')).toString()).toBe(
        '{"domain":"a\\"0","impressions":0,"earnings":12345678901234567.123456}\n',
      );
    });

    it('gives lines of arrays with every number as a text', async () => {
      expect((await read('JSONCompactEachRow')).toString()).toBe(
        '["a\\"0", "0", "12345678901234567.123456"]\n',
      );
    });

    it('gives CSV by RFC 4180: headings, CRLF, doubled quotes', async () => {
      expect((await read('CSVWithNames')).toString()).toBe(
        '"domain","impressions","earnings"\r\n"a""0",0,12345678901234567.123456\r\n',
      );
    });

    it('gives Parquet', async () => {
      const bytes = await read('Parquet', 50);
      expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', bytes.length - 4)]).toEqual([
        'PAR1',
        'PAR1',
      ]);
    });

    it('gives one line of a small answer, or null', async () => {
      const reader = createReportReader(clickhouse, bounds);
      expect(await reader.begin(live()).line(rowsOf(1))).toContain('"impressions":0');
      expect(await reader.begin(live()).line(rowsOf(0))).toBeNull();
    });

    it('refuses an answer of more rows than its bound before the first byte', async () => {
      expect((await read('JSONEachRow', 100)).toString().split('\n')).toHaveLength(101);
      await expect(read('JSONEachRow', 101)).rejects.toMatchObject({ failure: 'rows' });
    });

    it('refuses reports that exceed the time or memory of its bounds', async () => {
      const short = createReportReader(clickhouse, { ...bounds, seconds: 1 });
      await expect(short.begin(live()).open(endless, 'JSONEachRow')).rejects.toMatchObject({
        failure: 'time',
      });
      const small = createReportReader(clickhouse, { ...bounds, memoryBytes: 1_048_576 });
      const large = {
        select: 'SELECT uniqExact(cityHash64(number)) AS hashes FROM numbers({n:UInt64})',
        params: { n: 5_000_000 },
      };
      await expect(small.begin(live()).open(large, 'JSONEachRow')).rejects.toMatchObject({
        failure: 'memory',
      });
    });

    it('groups and sorts a job on the disk, which its memory does not hold', async () => {
      const large = {
        select: `SELECT max(place) AS place, toString(sum(amount)) AS amount FROM (
          SELECT rowNumberInAllBlocks() AS place, amount FROM (
            SELECT toString(number) AS name, sum(toDecimal256(number, 8)) AS amount FROM numbers({n:UInt64})
            GROUP BY name ORDER BY name))`,
        params: { n: 3_000_000 },
      };
      const memory = { ...bounds, seconds: 120, memoryBytes: 256 * 1_048_576 };
      const ask = (job: object) =>
        createReportReader(clickhouse, { ...memory, ...job })
          .begin(live())
          .line(large);
      await expect(ask({})).rejects.toMatchObject({ failure: 'memory' });
      expect(await ask({ isJob: true })).toBe('{"place":2999999,"amount":"4499998500000"}');
    });

    it('refuses a statement for which those before it left no time, however short each of them is', async () => {
      const run = createReportReader(clickhouse, { ...bounds, seconds: 3 }).begin(live());
      const slow = { select: 'SELECT sleep(2) AS slept', params: {} };
      const all = async (): Promise<void> => {
        for (let n = 0; n < 3; n++) await run.line(slow);
      };
      await expect(all()).rejects.toMatchObject({ failure: 'time' });
    });

    it('ends a report whose rows are not read, within its time', async () => {
      const run = createReportReader(clickhouse, { ...bounds, seconds: 2 }).begin(live());
      const rows = await run.open(rowsOf(100), 'JSONEachRow');
      const [error] = await once(rows, 'error').catch((thrown: unknown) => [thrown]);
      expect(error).toMatchObject({ failure: 'time' });
    });

    it('cancels a query if its client disconnects, and no other', async () => {
      const reader = createReportReader(clickhouse, bounds);
      const gone = new AbortController();
      const startedAt = performance.now();
      const asked = reader.begin(gone.signal).open(endless, 'JSONEachRow');
      setTimeout(() => gone.abort(), 300);
      await expect(asked).rejects.toMatchObject({ failure: 'cancelled' });
      // Its permit is free: on the embedded engine the next one would wait for it.
      expect((await read('JSONEachRow')).length).toBeGreaterThan(0);
      expect(await runningQueries(clickhouse)).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(bounds.seconds * 1_000);
    });

    it('does not begin for a disconnected client', async () => {
      const reader = createReportReader(clickhouse, bounds);
      await expect(reader.begin(AbortSignal.abort()).open(endless, 'JSONEachRow')).rejects.toMatchObject({
        failure: 'cancelled',
      });
    });

    it('distinguishes an error in a statement from an outage of ClickHouse', async () => {
      const reader = createReportReader(clickhouse, bounds);
      const wrong = { select: 'SELECT nothing FROM numbers(1)', params: {} };
      await expect(reader.begin(live()).open(wrong, 'JSONEachRow')).rejects.not.toHaveProperty('failure');
    });
  });
}

/** Those with the tag of a report; it may take a moment until one that was killed is gone. */
async function runningQueries({ client }: ClickHouse): Promise<number> {
  for (let n = 0; ; n++) {
    const answer = await client.query({
      query: `SELECT count() AS running FROM system.processes
        WHERE query_kind = 'Select' AND position(query, 'log_comment = \\'report-') > 0
        AND position(query, 'cityHash64') > 0 AND position(query, 'system.processes') = 0`,
      format: 'JSONEachRow',
    });
    const [{ running } = { running: 0 }] = await answer.json<{ running: number | string }>();
    if (Number(running) === 0 || n === 100) return Number(running);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
