import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '../../../engine/adapters/clickhouse/migrate.ts';
import {
  adCountFields,
  adRowColumns,
  adTextFields,
  unreadableRowText,
} from '../../../engine/contract/ad-stats.ts';
import { currencies } from '../../../engine/contract/currencies.ts';
import { type AdStatsStore, createAdStatsStore } from '../../../reporting/ingest/ad-stats-store.ts';
import { createFxStore } from '../../../reporting/ingest/fx-store.ts';
import { type AdTexts, adRows, buildAdRow } from '../../support/ad-stats.ts';

/** What ad statistics are in both homes of ClickHouse. */
export function describeAdStats(home: string, open: () => Promise<ClickHouse>): void {
  describe(`ad statistics in ClickHouse ${home}`, () => {
    let clickhouse: ClickHouse;
    let store: AdStatsStore;
    let load = 100;
    beforeAll(async () => {
      clickhouse = await open();
      await migrateClickHouse(clickhouse);
      store = createAdStatsStore(clickhouse);
    });
    afterAll(() => clickhouse.close());

    async function read<Row>(query: string): Promise<Row[]> {
      return (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Row>();
    }
    const insert = async (rows: readonly AdTexts[]): Promise<number> => {
      load++;
      expect(await store.insertRows(adRows(load, rows), `rules-${load}`)).toMatchObject({ kind: 'inserted' });
      return load;
    };
    const reasonsOf = async (rows: readonly AdTexts[]): Promise<string[]> => {
      const found = await store.refusedRows(await insert(rows), 0, 1_000);
      return rows.map((_, index) => found.find(({ row }) => row === index + 1)?.reason ?? '');
    };
    const amountsOf = async (earnings: readonly string[]): Promise<string[]> => {
      const id = await insert(
        earnings.map((text, n) => buildAdRow({ earnings: text, impressions: String(n) })),
      );
      const rows = await read<{ amount: string }>(
        `SELECT toString(earnings) AS amount FROM ad_stats WHERE load = ${id} ORDER BY impressions`,
      );
      return rows.map(({ amount }) => amount);
    };

    it('keeps every field of a row, letters of any alphabet included', async () => {
      const texts = Object.fromEntries(adTextFields.map((field, n) => [field, `${field} ü日😀\\ ${n}`]));
      const counts = Object.fromEntries(adCountFields.map((field, n) => [field, String(10 ** n)]));
      const row = {
        at: '2026-03-01T14:00:00+02:00',
        ...texts,
        ...counts,
        earnings: '-12.345678',
        currency: 'usd',
      };
      const id = await insert([row]);
      const [kept] = await read<Record<string, unknown>>(
        `SELECT toString(at) AS at, source, ${adTextFields.join(', ')},
           ${adCountFields.map((field) => `toString(${field}) AS ${field}`).join(', ')},
           toString(earnings) AS earnings, currency FROM ad_stats WHERE load = ${id}`,
      );
      expect(kept).toEqual({
        ...{
          at: '2026-03-01 12:00:00',
          source: 'gam',
          ...texts,
          ...counts,
          earnings: '-12.345678',
          currency: 'USD',
        },
        country: 'COUNTRY ü日😀\\ 7',
      });
    });

    it('takes a long batch of letters that are cut anywhere on the way', async () => {
      const rows = Array.from({ length: 20_000 }, (_, n) =>
        buildAdRow({ product: `ü日😀${n % 7}`, deal_name: 'ä'.repeat(n % 5) }),
      );
      const id = await insert(rows);
      const found = await read<{ product: string }>(
        `SELECT DISTINCT product FROM ad_stats WHERE load = ${id} ORDER BY product`,
      );
      expect(found.map(({ product }) => product)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `ü日😀${n}`));
    });

    it('reads amounts as exact decimals and rounds once, half away from zero, to 8 decimals', async () => {
      const given = [
        '1',
        '1.123456785',
        '-1.123456785',
        '0.123456784999999999',
        '1234567890.12345678',
        '1e-7',
        '',
        '0.1',
        '+2.50',
      ];
      expect(await amountsOf(given)).toEqual([
        '1',
        '1.12345679',
        '-1.12345679',
        '0.12345678',
        '1234567890.12345678',
        '0.0000001',
        '0',
        '0.1',
        '2.5',
      ]);
    });

    it('sets bad rows aside with their reason, and takes the others', async () => {
      const day = (at: string) => buildAdRow({ at });
      const tomorrow = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
      const cases: [AdTexts, string][] = [
        [buildAdRow(), ''],
        [day(''), 'at is missing'],
        [day('2026-02-30'), 'at does not exist'],
        [day('2025-02-29'), 'at does not exist'],
        [day('2026-13-01'), 'at does not exist'],
        [day('01.02.2026'), 'at is neither a day (YYYY-MM-DD) nor a time (ISO 8601)'],
        [day('2026-02-01T24:00:00Z'), 'at is neither a day (YYYY-MM-DD) nor a time (ISO 8601)'],
        [day('1999-12-31'), 'at is not within 2000 to today'],
        [day('2240-01-01'), 'at does not exist'],
        [day(tomorrow), 'at lies in the future'],
        [day('2024-02-29'), ''],
        [buildAdRow({ impressions: '-1' }), 'impressions is not a whole number of at most 15 digits'],
        [buildAdRow({ viewable: '1.5' }), 'viewable is not a whole number of at most 15 digits'],
        [buildAdRow({ complete: '1234567890123456' }), 'complete is not a whole number of at most 15 digits'],
        [buildAdRow({ impressions: '' }), ''],
        [buildAdRow({ earnings: '1,5' }), 'earnings is not a decimal number'],
        [buildAdRow({ earnings: 'NaN' }), 'earnings is not a decimal number'],
        [buildAdRow({ earnings: '12345678901' }), 'earnings is out of range'],
        [buildAdRow({ currency: '' }), 'currency is missing'],
        [buildAdRow({ currency: '', earnings: '0' }), ''],
        [buildAdRow({ currency: 'EUX' }), 'currency is none of ISO 4217'],
        [buildAdRow({ domain: 'x'.repeat(256) }), 'domain is longer than 255 bytes'],
        [buildAdRow({ deal_name: 'a\tb' }), 'a text holds a control character'],
      ];
      expect(await reasonsOf(cases.map(([row]) => row))).toEqual(cases.map(([, reason]) => reason));
      expect(await store.loadTotals(load)).toMatchObject({
        rows: 4,
        refused: cases.length - 4,
        days: ['2024-02-29', '2026-03-01'],
      });
    });

    it('sets aside rows that a reader could not parse, with their text', async () => {
      load++;
      const text = unreadableRowText({ load, source: 'gam', row: 7 }, 'is not valid JSON', '{"a"\t');
      const rows = { rows: 1, bytes: Buffer.from(text), format: 'TabSeparated' as const };
      await store.insertRows(rows, `rules-${load}`);
      expect(await store.refusedRows(load, 0, 10)).toEqual([
        { row: 7, reason: 'is not valid JSON', raw: '{"a"\t' },
      ]);
    });

    it('knows the currencies that the contract knows', async () => {
      const known = [...currencies];
      expect(new Set(await reasonsOf(known.map((currency) => buildAdRow({ currency }))))).toEqual(
        new Set(['']),
      );
    });

    it('counts an insert that comes again, over months and with bad rows in it, once', async () => {
      load++;
      const rows = ['2026-01-31', '2026-02-01', 'x', '2026-03-01'].map((at) => buildAdRow({ at }));
      for (let time = 0; time < 3; time++) await store.insertRows(adRows(load, rows), 'comes-again');
      await Promise.all([1, 2, 3].map(() => store.insertRows(adRows(load, rows), 'comes-again')));
      expect(await store.loadTotals(load)).toMatchObject({ rows: 3, refused: 1 });
    });

    it('takes a batch that holds a row of each month of many years', async () => {
      const months = Array.from({ length: 26 * 12 }, (_, n) =>
        new Date(Date.UTC(2000, n, 1)).toISOString().slice(0, 10),
      );
      const id = await insert(months.map((at) => buildAdRow({ at })));
      expect(await store.loadTotals(id)).toMatchObject({ rows: months.length, refused: 0, days: months });
    });

    it('takes the same rows in its own format, once however often they come', async () => {
      load++;
      const values: Readonly<Record<string, string>> = {
        load: `toUInt64(${load})`,
        row: 'toUInt64(number + 1)',
        at: "if(number = 1, 'x', '2026-03-01')",
        domain: "['ü日', 'news.example', 'a\\tb'][number + 1]",
        currency: "'EUR'",
      };
      const fields = adRowColumns.map((name) => `${values[name] ?? "''"} AS ${name}`);
      const query = `SELECT ${fields.join(', ')} FROM numbers(3) FORMAT Native`;
      const answer = await clickhouse.client.exec({ query });
      const chunks: Buffer[] = [];
      for await (const chunk of answer.stream) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const rows = { rows: 3, bytes, format: 'Native' as const };
      for (let time = 0; time < 3; time++)
        expect(await store.insertRows(rows, 'own-format')).toMatchObject({ kind: 'inserted' });
      expect(await store.loadTotals(load)).toMatchObject({ rows: 1, refused: 2, days: ['2026-03-01'] });
      expect(await read(`SELECT domain FROM ad_stats WHERE load = ${load}`)).toEqual([{ domain: 'ü日' }]);
    });

    it('lists refused rows page by page', async () => {
      const id = await insert(Array.from({ length: 25 }, () => buildAdRow({ at: '' })));
      const first = await store.refusedRows(id, 0, 10);
      const second = await store.refusedRows(id, first.at(-1)?.row ?? 0, 10);
      expect([...first, ...second].map(({ row }) => row)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
    });

    it('keeps per day and currency the rate that was stated last, in whatever order and however often', async () => {
      const fx = createFxStore(clickhouse);
      const state = (perEur: string, statedAtMs: number, token: string) =>
        fx.insertRates([{ day: '2026-03-01', currency: 'USD', perEur }], {
          source: 'ecb',
          statedAtMs,
          token,
        });
      await state('1.1', 2_000, 'second');
      await state('1.2', 1_000, 'first');
      for (let time = 0; time < 2; time++) await state('1.1', 2_000, 'second');
      const [row] = await read<{ rate: string }>(
        `SELECT toString(argMax(per_eur, version)) AS rate FROM fx_rates WHERE currency = 'USD' AND day = '2026-03-01'`,
      );
      expect(row?.rate).toBe('1.1');
    });
  });
}
