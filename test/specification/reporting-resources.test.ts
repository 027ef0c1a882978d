// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  inJanuary,
  january,
  januaryRates,
  type ReportListener,
  startReportListener,
} from './reporting-support.ts';

/** The document's tables under "Resources and their fields", row by row, over both ways to ClickHouse. */
describe.each(['embedded', 'http'] as const)('reporting, ClickHouse %s', (home) => {
  let listener: ReportListener;
  beforeAll(async () => {
    listener = await startReportListener(home);
    await listener.world.addRows(january);
    await listener.world.addRates(januaryRates);
  });
  afterAll(() => listener.close());

  const data = async (changes: object) =>
    (await listener.ask({ dimensions: ['day'], metrics: ['impressions'], ...inJanuary, ...changes })).body
      .data;

  describe('Dimensions', () => {
    it.each([
      ['day', 'group by date', { '2026-01-01': 1_200, '2026-01-02': 500 }],
      ['month', 'group by month', { '2026-01': 1_700 }],
      ['year', 'group by year', { '2026': 1_700 }],
      ['product', 'product type', { 'instream video': 200, 'standard display': 1_500 }],
      ['domain', 'website domain', { 'news.example': 1_500, 'sport.example': 200 }],
      ['subdomain', 'website subdomain', { 'tv.sport.example': 200, 'www.news.example': 1_500 }],
      ['media_type', 'display, video, native', { display: 1_500, video: 200 }],
      ['device', 'desktop, mobile, tablet, and others', { desktop: 700, mobile: 1_000 }],
      ['os', 'operating system', { Android: 1_000, Windows: 700 }],
      ['ad_unit', 'ad unit identifier', { player: 200, top: 1_500 }],
      ['country', 'country code', { AT: 200, DE: 1_500 }],
      ['deal_id', 'deal identifier', { '': 200, 'd-1': 1_000, 'd-2': 500 }],
      ['deal_name', 'deal name', { '': 200, Spring: 500, Winter: 1_000 }],
      ['deal_type', 'open auction, deal, proposal', { deal: 1_000, 'open auction': 200, proposal: 500 }],
    ])('%s | %s', async (key, _meaning, expected) => {
      expect(await data({ dimensions: [key] })).toEqual(
        Object.entries(expected)
          .map(([value, impressions]) => ({ [key]: value, impressions }))
          .toSorted((one, other) => (String(one[key]) < String(other[key]) ? -1 : 1)),
      );
    });
  });

  describe('Metrics', () => {
    it.each([
      ['impressions', 'number of ad impressions', 1_700],
      ['earnings', 'net earnings', 7.5],
      ['ecpm', 'effective cost per mille', 4.411_765],
      ['viewable', 'viewable impressions', 980],
      ['first_quartile', 'video first quartile completes', 150],
      ['midpoint', 'video midpoint completes', 120],
      ['third_quartile', 'video third quartile completes', 90],
      ['complete', 'video full completes', 80],
    ])('%s | %s', async (key, _meaning, expected) => {
      expect(await data({ dimensions: ['year'], metrics: [key] })).toEqual([
        { year: '2026', [key]: expected },
      ]);
    });
  });

  describe('Filter group', () => {
    const mobile = { value: 'device', type: 'dimension', comparator: 'in', selectedValues: ['mobile'] };
    const german = { value: 'country', type: 'dimension', comparator: 'in', selectedValues: ['DE'] };
    const austrian = { value: 'country', type: 'dimension', comparator: 'in', selectedValues: ['AT'] };
    const group = (...filters: object[]) => ({ operator: 'or', filters });
    const errorsOf = async (filter_groups: unknown) =>
      (await listener.ask({ dimensions: ['day'], metrics: ['impressions'], ...inJanuary, filter_groups }))
        .body.errors;

    it('operator | string | only `or` is supported', async () => {
      expect(await data({ filter_groups: [group(mobile)] })).toEqual([
        { day: '2026-01-01', impressions: 1_000 },
      ]);
      const { status, body } = await listener.ask({
        ...{ dimensions: ['day'], metrics: ['impressions'], ...inJanuary },
        filter_groups: [{ operator: 'and', filters: [mobile] }],
      });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['filter_groups.0.operator']]);
    });

    it('filters | array | one or more filter objects', async () => {
      expect(Object.keys(await errorsOf([group()]))).toEqual(['filter_groups.0.filters']);
      expect(Object.keys(await errorsOf([{ operator: 'or' }]))).toEqual(['filter_groups.0.filters']);
    });

    it('Groups combine with OR; filters inside one group combine with AND', async () => {
      expect(await data({ filter_groups: [group(mobile), group(austrian)] })).toEqual([
        { day: '2026-01-01', impressions: 1_200 },
      ]);
      expect(await data({ filter_groups: [group(mobile, austrian)] })).toEqual([]);
      expect(await data({ filter_groups: [group(mobile, german)] })).toEqual([
        { day: '2026-01-01', impressions: 1_000 },
      ]);
    });
  });

  describe('Report row', () => {
    it('one property per selected dimension and per selected metric, named by the key; day as YYYY-MM-DD, impressions as an integer, earnings as a decimal number', async () => {
      const rows = await data({
        dimensions: ['day', 'domain'],
        metrics: ['impressions', 'earnings', 'ecpm'],
      });
      expect(rows).toEqual([
        { day: '2026-01-01', domain: 'news.example', impressions: 1_000, earnings: 2.5, ecpm: 2.5 },
        { day: '2026-01-01', domain: 'sport.example', impressions: 200, earnings: 4, ecpm: 20 },
        { day: '2026-01-02', domain: 'news.example', impressions: 500, earnings: 1, ecpm: 2 },
      ]);
      expect(Object.keys(rows[0] ?? {})).toEqual(['day', 'domain', 'impressions', 'earnings', 'ecpm']);
    });
  });
});
