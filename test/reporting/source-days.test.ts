// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteDayZone } from '../../reporting/ingest/ad-loads.ts';
import { insertAdRows } from '../support/ad-stats.ts';
import { createReportToken, generateRequest } from './support.ts';
import { createReportWorld, type ReportWorld } from './world.ts';

/**
 * Three ad servers: `hours` reports hours; `days` reports days, in UTC unless stated; `berlin` reports days in
 * Berlin. Rows of `old-days` and `old-hours` came in before rows stated their grain.
 */
describe.each(['embedded', 'http'] as const)('statistics by whole days, ClickHouse %s', (home) => {
  let world: ReportWorld;
  let token: string;
  beforeAll(async () => {
    world = await createReportWorld(home);
    token = await createReportToken(world.database);
    await noteDayZone(world.database, 'berlin', 'Europe/Berlin');
    const row = (at: string, domain: string, impressions: number) => ({
      ...{ at, domain, impressions: String(impressions), earnings: '' },
    });
    const insert = (source: string, ...rows: ReturnType<typeof row>[]) =>
      insertAdRows(world.clickhouse, rows, { source });
    await insert('hours', row('2026-03-05T00:00:00Z', 'hours', 1), row('2026-03-05T23:00:00Z', 'hours', 2));
    await insert('days', row('2026-03-05', 'days', 10), row('2026-03-06', 'days', 20));
    await insert('berlin', row('2026-03-05', 'berlin', 100), row('2026-03-06', 'berlin', 200));
    const old = (source: string, at: string, impressions: number) => ({
      ...{ grain: 'unknown', source, at, domain: source, impressions },
    });
    await world.addRows([
      old('old-days', '2026-03-05 00:00:00', 1_000),
      old('old-days', '2026-03-06 00:00:00', 2_000),
      old('old-hours', '2026-03-05 00:00:00', 10_000),
      old('old-hours', '2026-03-05 23:00:00', 20_000),
    ]);
  });
  afterAll(() => world.close());

  const ask = (timezone: string, domain: string | null, changes: object = {}) => {
    const filter = { value: 'domain', type: 'dimension', comparator: 'in', selectedValues: [domain] };
    return world.app.inject(
      generateRequest(token, {
        ...{ dimensions: ['day'], metrics: ['impressions'], currency: 'EUR', timezone },
        selectedDate: ['2026-03-04', '2026-03-06'],
        ...(domain === null ? {} : { filter_groups: [{ operator: 'or', filters: [filter] }] }),
        ...changes,
      }),
    );
  };
  const days = async (...given: Parameters<typeof ask>) => {
    const { data } = (await ask(...given)).json();
    return Object.fromEntries(
      data.map((row: { day: string; impressions: number }) => [row.day, row.impressions]),
    );
  };
  const refused = (...sources: string[]) => [
    422,
    {
      timezone: [expect.stringContaining(`(${sources.join(', ')}): use that timezone, or set source_days`)],
    },
  ];
  const answer = async (...given: Parameters<typeof ask>) => {
    const { statusCode, ...rest } = await ask(...given);
    return [statusCode, rest.json().errors];
  };

  it('are never moved onto another day: such a report is refused, west and east of them', async () => {
    for (const timezone of ['America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati']) {
      expect(await answer(timezone, 'days')).toEqual(refused('days in UTC'));
    }
    expect(await answer('America/New_York', 'berlin')).toEqual(refused('berlin in Europe/Berlin'));
    expect(await answer('UTC', 'berlin')).toEqual(refused('berlin in Europe/Berlin'));
    expect(await answer('America/New_York', null)).toEqual(
      refused('berlin in Europe/Berlin', 'days in UTC', 'old-days in UTC'),
    );
  });

  it('are answered in their own timezone, and beside others where the report does not touch them', async () => {
    expect(await days('UTC', 'days')).toEqual({ '2026-03-05': 10, '2026-03-06': 20 });
    expect(await days('Etc/UTC', 'days')).toEqual({ '2026-03-05': 10, '2026-03-06': 20 });
    expect(await days('Europe/Berlin', 'berlin')).toEqual({ '2026-03-05': 100, '2026-03-06': 200 });
    expect((await ask('Europe/Berlin', 'berlin')).json().meta.source_days).toBeUndefined();
    const early = { selectedDate: ['2026-03-01', '2026-03-04'] };
    expect(await days('Europe/Berlin', null, early)).toEqual({});
  });

  it('are answered by whole days of their source on request, and meta names them', async () => {
    const asked = { source_days: true };
    for (const timezone of ['America/New_York', 'Pacific/Kiritimati']) {
      expect(await days(timezone, 'days', asked)).toEqual({ '2026-03-05': 10, '2026-03-06': 20 });
    }
    const { meta } = (await ask('America/New_York', null, asked)).json();
    expect(meta.source_days).toEqual([
      { source: 'berlin', timezone: 'Europe/Berlin' },
      { source: 'days', timezone: 'UTC' },
      { source: 'old-days', timezone: 'UTC' },
    ]);
    const oneDay = { ...asked, selectedDate: ['2026-03-04', '2026-03-04'] };
    expect(await days('America/New_York', 'days', oneDay)).toEqual({});
    const onTheFifth = {
      filters: [{ value: 'day', type: 'dimension', comparator: 'in', selectedValues: ['2026-03-05'] }],
    };
    const filtered = { ...asked, filter_groups: [{ operator: 'or', ...onTheFifth }] };
    expect(await days('America/New_York', null, filtered)).toEqual({
      '2026-03-05': 2 + 10 + 100 + 1_000 + 20_000,
    });
  });

  it('hold up no report of hours, in any timezone', async () => {
    expect(await days('America/New_York', 'hours')).toEqual({ '2026-03-04': 1, '2026-03-05': 2 });
    expect(await days('Europe/Berlin', 'hours')).toEqual({ '2026-03-05': 1, '2026-03-06': 2 });
  });

  it('are distinguished from hours by their source where rows of earlier versions do not say it', async () => {
    expect(await answer('America/New_York', 'old-days')).toEqual(refused('old-days in UTC'));
    expect(await days('America/New_York', 'old-days', { source_days: true })).toEqual({
      ...{ '2026-03-05': 1_000, '2026-03-06': 2_000 },
    });
    expect(await days('America/New_York', 'old-hours')).toEqual({
      '2026-03-04': 10_000,
      '2026-03-05': 20_000,
    });
  });
});
