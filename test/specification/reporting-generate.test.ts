// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReportToken, createReportUser, everything, generateRequest } from '../reporting/support.ts';
import {
  inJanuary,
  january,
  januaryRates,
  type ReportListener,
  startReportListener,
} from './reporting-support.ts';

/** The document from "Endpoints" on, row by row, over both ways to ClickHouse. */
describe.each(['embedded', 'http'] as const)('reporting, ClickHouse %s', (home) => {
  let listener: ReportListener;
  beforeAll(async () => {
    listener = await startReportListener(home);
    await listener.world.addRows(january);
    await listener.world.addRows([{ at: '2026-03-15 01:00:00', domain: 'news.example', impressions: 9 }]);
    await listener.world.addRates(januaryRates);
  });
  afterAll(() => listener.close());

  const right = { dimensions: ['day'], metrics: ['impressions'], ...inJanuary };
  const pathsOf = async (changes: object) => {
    const { status, body } = await listener.ask({ ...right, ...changes });
    return [status, ...Object.keys(body.errors ?? {})];
  };

  describe('Request body', () => {
    it('dimensions | array of dimension keys | yes', async () => {
      expect(await pathsOf({ dimensions: undefined })).toEqual([422, 'dimensions']);
      expect(await pathsOf({ dimensions: [] })).toEqual([422, 'dimensions']);
      expect(await pathsOf({ dimensions: 'day' })).toEqual([422, 'dimensions']);
      expect(await pathsOf({ dimensions: ['planet'] })).toEqual([422, 'dimensions.0']);
      expect(await pathsOf({ dimensions: ['day', 'day'] })).toEqual([422, 'dimensions.1']);
    });

    it('metrics | array of metric keys | yes', async () => {
      expect(await pathsOf({ metrics: undefined })).toEqual([422, 'metrics']);
      expect(await pathsOf({ metrics: [] })).toEqual([422, 'metrics']);
      expect(await pathsOf({ metrics: ['impressions', 'day'] })).toEqual([422, 'metrics.1']);
    });

    it('currency | string | yes | `EUR` or `USD`', async () => {
      const amounts = { dimensions: ['month'], metrics: ['earnings'] };
      expect((await listener.ask({ ...right, ...amounts })).body.data).toEqual([
        { month: '2026-01', earnings: 7.5 },
      ]);
      expect((await listener.ask({ ...right, ...amounts, currency: 'USD' })).body.data).toEqual([
        { month: '2026-01', earnings: 8.25 },
      ]);
      expect(await pathsOf({ currency: undefined })).toEqual([422, 'currency']);
      expect(await pathsOf({ currency: 'GBP' })).toEqual([422, 'currency']);
    });

    it('selectedDate | array of two date strings [start, end] | no | format YYYY-MM-DD', async () => {
      const { body } = await listener.ask({ ...right, selectedDate: ['2026-01-02', '2026-01-02'] });
      expect(body.data).toEqual([{ day: '2026-01-02', impressions: 500 }]);
      for (const selectedDate of [['2026-01-01'], '2026-01-01', ['2026-01-02', '2026-01-01']])
        expect(await pathsOf({ selectedDate })).toEqual([422, expect.stringMatching(/^selectedDate/)]);
      expect(await pathsOf({ selectedDate: ['2026-02-30', '2026-03-01'] })).toEqual([422, 'selectedDate.0']);
      expect(await pathsOf({ selectedDate: ['2026-01-01', '01.02.2026'] })).toEqual([422, 'selectedDate.1']);
    });

    it('selectedDate | defaults to today when omitted', async () => {
      const { body } = await listener.ask({ ...right, selectedDate: undefined });
      expect(body.data).toEqual([{ day: '2026-03-15', impressions: 9 }]);
      expect(body.meta).toMatchObject({ start_date: '2026-03-15', end_date: '2026-03-15' });
    });

    it('selectedDate | range at most 3 months', async () => {
      expect(await pathsOf({ selectedDate: ['2026-01-15', '2026-04-15'] })).toEqual([200]);
      expect(await pathsOf({ selectedDate: ['2026-01-15', '2026-04-16'] })).toEqual([422, 'selectedDate.1']);
    });

    it('filter_groups | array of filter groups | no | empty array or omitted means no filters', async () => {
      const all = (await listener.ask(right)).body;
      expect(all.data).toHaveLength(2);
      expect((await listener.ask({ ...right, filter_groups: [] })).body).toEqual(all);
      expect(await pathsOf({ filter_groups: {} })).toEqual([422, 'filter_groups']);
    });
  });

  describe('Success response 200', () => {
    it('status | string, `success`', async () => {
      const { status, headers, body } = await listener.ask(right);
      expect([status, body.status]).toEqual([200, 'success']);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    it('data | array of report rows', async () => {
      expect((await listener.ask(right)).body.data).toEqual([
        { day: '2026-01-01', impressions: 1_200 },
        { day: '2026-01-02', impressions: 500 },
      ]);
      expect(
        (await listener.ask({ ...right, selectedDate: ['2020-01-01', '2020-01-02'] })).body.data,
      ).toEqual([]);
    });

    it('meta | object: count (integer), start_date (string date), end_date (string date), currency (string)', async () => {
      const { body } = await listener.ask(right);
      expect(body.meta).toMatchObject({
        count: 2,
        start_date: '2026-01-01',
        end_date: '2026-01-31',
        currency: 'EUR',
      });
      expect(Object.keys(body)).toEqual(['status', 'data', 'meta']);
    });
  });

  describe('Authentication', () => {
    it('Bearer token: `Authorization: Bearer <API_TOKEN>`', async () => {
      expect((await listener.ask(right, null)).status).toBe(401);
      expect((await listener.ask(right, 'nonsense')).status).toBe(401);
      expect((await listener.ask(right, await createReportToken(listener.world.database))).status).toBe(200);
    });

    it('Publisher domain access filters and wholesaler access filters are added automatically by the service', async () => {
      const { database } = listener.world;
      const scope = { domains: ['sport.example'], wholesalers: [], unrestricted: false };
      const one = await createReportToken(database, scope);
      const none = await createReportToken(database, { ...scope, domains: [] });
      const byDomain = { ...right, dimensions: ['domain'] };
      expect((await listener.ask(byDomain, one)).body.data).toEqual([
        { domain: 'sport.example', impressions: 200 },
      ]);
      expect((await listener.ask(byDomain, none)).body).toMatchObject({ data: [], meta: { count: 0 } });
    });
  });

  describe('Errors', () => {
    it('422 | `status`: `error`; `message`: `Validation failed`; `errors`: object mapping a field path to an array of message strings', async () => {
      const filters = [
        { value: 'domain', type: 'dimension', comparator: 'in', selectedValues: ['a'] },
        { value: 'domain', type: 'dimension', comparator: 'in', selectedValues: [] },
      ];
      const { status, body } = await listener.ask({
        ...right,
        dimensions: ['planet'],
        filter_groups: [{ operator: 'or', filters }],
      });
      expect(status).toBe(422);
      expect(body).toEqual({
        status: 'error',
        message: 'Validation failed',
        errors: {
          'dimensions.0': [expect.any(String)],
          'filter_groups.0.filters.1.selectedValues': [expect.any(String)],
        },
      });
    });

    it('422 | for a key that there is not, and for what is not an object', async () => {
      expect(await pathsOf({ domains: ['news.example'] })).toEqual([422, 'domains']);
      expect((await listener.ask([])).status).toBe(422);
    });
  });

  describe('Versioning', () => {
    it('The version is the `/api/v1` segment of the base address', () => {
      expect(new URL(listener.baseUrl).pathname).toBe('/api/v1');
    });
  });
});

describe('Limits', () => {
  it('Rate | 5 requests per minute per user; excess gets 429 with Retry-After', async () => {
    const listener = await startReportListener('embedded', 5);
    const { database } = listener.world;
    const userId = await createReportUser(database);
    const tokens = [
      await createReportToken(database, everything, userId),
      await createReportToken(database, everything, userId),
    ];
    const answers: Response[] = [];
    for (let n = 0; n < 6; n++) {
      const { headers, payload } = generateRequest(tokens[n % 2] ?? '', {
        ...{ dimensions: ['day'], metrics: ['impressions'], ...inJanuary },
      });
      answers.push(
        await fetch(`${listener.baseUrl}/reports/generate`, { method: 'POST', headers, body: payload }),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    const wait = Number(answers[5]?.headers.get('retry-after'));
    expect(Number.isInteger(wait) && wait > 0 && wait <= 60).toBe(true);
    await listener.close();
  });

  it('Rate | the 5 requests of a minute may come at once', async () => {
    const listener = await startReportListener('embedded', 5);
    const token = await createReportToken(listener.world.database);
    const body = { dimensions: ['day'], metrics: ['impressions'], ...inJanuary };
    const answers = await Promise.all(Array.from({ length: 5 }, () => listener.ask(body, token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await listener.ask(body, token);
    expect([sixth.status, Number(sixth.headers.get('retry-after')) > 0]).toEqual([429, true]);
    await listener.close();
  });
});
