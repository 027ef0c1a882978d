// tier: core, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activateLoad, registerLoad } from '../../reporting/ingest/ad-loads.ts';
import { createReportToken, generateRequest, plainBody } from './support.ts';
import { createReportWorld, type ReportWorld } from './world.ts';

/** What an answer says beside and within its rows, over the engine in this process and over HTTP. */
describe.each(['embedded', 'http'] as const)('the figures of a report, ClickHouse %s', (home) => {
  let world: ReportWorld;
  let token: string;
  beforeAll(async () => {
    world = await createReportWorld(home);
    token = await createReportToken(world.database);
    const days = [
      '2023-02-28',
      '2023-03-01',
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
      '2025-02-28',
      '2025-03-01',
    ];
    await world.addRows(
      days.map((day, n) => ({ at: `${day} 12:00:00`, domain: 'news.example', impressions: 10 ** n })),
    );
  });
  afterAll(() => world.close());

  const body = { dimensions: ['day'], metrics: ['impressions'], currency: 'EUR' };
  const ask = (changes: object) => world.app.inject(generateRequest(token, { ...body, ...changes }));
  const beside = async (start: string, end: string) => {
    const { data, meta } = (
      await ask({ selectedDate: [start, end], compare_to: 'previous_year', totals: true })
    ).json();
    const pairs = data.map((row: Record<string, unknown>) => [row.day, row.impressions_previous]);
    return [Object.fromEntries(pairs), meta.totals.impressions_previous, meta.compared_to];
  };

  it('finds by a network’s name what is stored as a code, and rows from before there were codes', async () => {
    const at = '2022-05-01 12:00:00';
    await world.addRows([
      { at, domain: 'news.example', country: 'DE', impressions: 1 },
      { at, domain: 'news.example', country: 'GERMANY', impressions: 2 },
      { at, domain: 'news.example', country: 'FR', impressions: 4 },
      { at, domain: 'news.example', country: '', impressions: 8 },
    ]);
    const sumOf = async (comparator: string, ...selectedValues: string[]) => {
      const filter = { value: 'country', type: 'dimension', comparator, selectedValues };
      const answer = await ask({
        selectedDate: ['2022-05-01', '2022-05-01'],
        filter_groups: [{ operator: 'or', filters: [filter] }],
      });
      const { data, meta } = answer.json();
      return [data[0]?.impressions ?? 0, meta.filter_values];
    };
    const germany = { dimension: 'country', value: 'Germany', read_as: 'DE' };
    expect(await sumOf('in', 'Germany')).toEqual([3, [germany]]);
    expect(await sumOf('nin', 'Germany')).toEqual([12, [germany]]);
    expect(await sumOf('contains', 'Germany')).toEqual([3, [germany]]);
    expect(await sumOf('not_contains', 'Germany')).toEqual([12, [germany]]);
    expect(await sumOf('in', 'DE', 'fr')).toEqual([5, undefined]);
    expect(await sumOf('in', 'Unknown')).toEqual([8, [{ ...germany, value: 'Unknown', read_as: '' }]]);
    expect(await sumOf('in', 'Atlantis')).toEqual([0, [{ ...germany, value: 'Atlantis', read_as: null }]]);
  });

  it('sets 29 February against the 28th of the year before, one day against one', async () => {
    expect(await beside('2024-02-29', '2024-02-29')).toEqual([
      ...[{ '2024-02-29': 1 }, 1],
      { start_date: '2023-02-28', end_date: '2023-02-28' },
    ]);
    expect(await beside('2024-02-29', '2024-03-01')).toEqual([
      ...[{ '2024-02-29': 1, '2024-03-01': 10 }, 11],
      { start_date: '2023-02-28', end_date: '2023-03-01' },
    ]);
    expect(await beside('2024-02-28', '2024-02-29')).toEqual([
      ...[{ '2024-02-28': 1, '2024-02-29': 0 }, 1],
      { start_date: '2023-02-28', end_date: '2023-02-28' },
    ]);
  });

  it('leaves out a 29 February of the year before, and reports it', async () => {
    expect(await beside('2025-02-28', '2025-02-28')).toEqual([
      ...[{ '2025-02-28': 100 }, 100],
      { start_date: '2024-02-28', end_date: '2024-02-28' },
    ]);
    expect(await beside('2025-02-28', '2025-03-01')).toEqual([
      ...[{ '2025-02-28': 100, '2025-03-01': 10_000 }, 10_100],
      { start_date: '2024-02-28', end_date: '2024-03-01', left_out: '2024-02-29' },
    ]);
  });

  it('writes an empty cell into a CSV where there is no value', async () => {
    const answer = await ask({
      ...{ selectedDate: ['2024-02-28', '2024-02-29'], compare_to: 'previous_year', format: 'csv' },
    });
    expect(answer.body).toBe(
      '"day","impressions","impressions_previous","impressions_change"\r\n' +
        '"2024-02-28",100,1,9900\r\n"2024-02-29",1000,0,\r\n',
    );
  });

  it('names the timezone as requested', async () => {
    const zoneOf = async (timezone?: string) =>
      (await ask({ selectedDate: ['2024-02-28', '2024-02-28'], ...(timezone && { timezone }) })).json().meta
        .timezone;
    expect(await zoneOf()).toBe('UTC');
    for (const asked of ['Asia/Kolkata', 'Asia/Calcutta', 'Etc/UTC', 'europe/kyiv', 'US/Eastern']) {
      expect(await zoneOf(asked)).toBe(asked);
    }
  });

  it('tells a token of completeness and restatements what its own rows say', async () => {
    const source = `seen-${home}`;
    const at = '2024-09-10 10:00:00';
    const { load } = await registerLoad(world.database, { source, kind: 'restate', content: 'seen' });
    await world.addRows([{ at, source, load, domain: 'seen.example', impressions: 1 }]);
    const completeUntil = new Date('2024-09-11T00:00:00Z');
    await activateLoad(world.database, { load, days: ['2024-09-10'], rows: 1, refused: 0, completeUntil });
    const metaFor = async (domains: string[]) => {
      const token = await createReportToken(world.database, {
        domains,
        wholesalers: [],
        unrestricted: false,
      });
      const body = { ...plainBody, selectedDate: ['2024-09-10', '2024-09-10'] };
      const { meta } = (await world.app.inject(generateRequest(token, body))).json();
      return [meta.complete_until, meta.restated];
    };
    expect(await metaFor(['seen.example'])).toEqual(['2024-09-11T00:00:00+00:00', true]);
    expect(await metaFor(['other.example'])).toEqual([null, false]);
    expect(await metaFor([])).toEqual([null, false]);
    await world.database.query('DELETE FROM ad_sources WHERE source = $1', [source]);
  });

  it('is restated where one of its own days was, and not for one beside them or between two periods', async () => {
    const source = `restated-${home}`;
    const { load } = await registerLoad(world.database, { source, kind: 'restate', content: 'file' });
    const days = ['2024-06-10', '2024-06-20'];
    await activateLoad(world.database, { load, days, rows: 1, refused: 0, completeUntil: null });
    const restated = async (changes: object) => (await ask(changes)).json().meta.restated;
    const around: [string, string] = ['2024-06-11', '2024-06-19'];
    expect(await restated({ selectedDate: around })).toBe(false);
    expect(
      await restated({
        selectedDate: ['2024-06-25', '2024-06-26'],
        compare_to: ['2024-06-01', '2024-06-02'],
      }),
    ).toBe(false);
    expect(
      await restated({
        selectedDate: ['2024-06-25', '2024-06-26'],
        compare_to: ['2024-06-10', '2024-06-11'],
      }),
    ).toBe(true);
    expect(await restated({ selectedDate: ['2024-06-20', '2024-06-21'] })).toBe(true);
    // East of UTC the 11th begins on the UTC day before, and the 19th ends within its own.
    expect(await restated({ selectedDate: around, timezone: 'Europe/Berlin' })).toBe(true);
    expect(await restated({ selectedDate: ['2024-06-12', '2024-06-19'], timezone: 'Europe/Berlin' })).toBe(
      false,
    );
    expect(await restated({ selectedDate: ['2024-06-12', '2024-06-19'], timezone: 'America/New_York' })).toBe(
      true,
    );
    expect(await restated({ selectedDate: ['2024-06-11', '2024-06-18'], timezone: 'America/New_York' })).toBe(
      false,
    );
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'explains the error of a body with a field %s',
    async (name) => {
      const answer = await ask({ [name]: { a: 1 } });
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        { [name]: [`${name} is not a field of this request: leave it out.`] },
      ]);
      const filter = { value: 'os', type: 'dimension', comparator: 'in', selectedValues: ['iOS'], [name]: 1 };
      const nested = await ask({ filter_groups: [{ operator: 'or', filters: [filter] }] });
      const path = `filter_groups.0.filters.0.${name}`;
      expect([nested.statusCode, nested.json().errors]).toEqual([
        422,
        { [path]: [`${path} is not a field of this request: leave it out.`] },
      ]);
    },
  );

  it('explains the error of a body with a field __proto__', async () => {
    const answer = await world.app.inject(
      generateRequest(token, JSON.stringify(body).replace('{', '{"__proto__":{"a":1},')),
    );
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining('__proto__')]);
  });

  it('names rows that it leaves out for want of a rate, and the rates that were used alone', async () => {
    const rows = [
      ['USD', 2],
      ['USD', 3],
      ['XDR', 3],
      ['XDR', 3],
      ['GBP', 20],
    ] as const;
    await world.addRows(
      rows.map(([currency, day]) => ({
        ...{ at: `2026-01-${String(day).padStart(2, '0')} 12:00:00`, domain: `${currency}.example` },
        ...{ impressions: 1, earnings: '1', currency },
      })),
    );
    const rate = (day: string, currency: string) => ({ day, currency, per_eur: '2' });
    await world.addRates([
      ...['2025-12-30', '2026-01-01', '2026-01-03', '2026-01-09'].map((day) => rate(day, 'USD')),
      ...['2026-01-03', '2026-01-20'].map((day) => rate(day, 'GBP')),
    ]);
    const january = {
      selectedDate: ['2026-01-01', '2026-01-31'],
      dimensions: ['domain'],
      metrics: ['earnings'],
    };
    const { data, meta } = (await ask(january)).json();
    expect(data).toEqual([
      { domain: 'GBP.example', earnings: 0.5 },
      { domain: 'USD.example', earnings: 1 },
    ]);
    expect(meta).toMatchObject({
      left_out: [{ currency: 'XDR', rows: 2 }],
      rates: [{ source: 'ECB', first_day: '2026-01-01', last_day: '2026-01-20' }],
    });
    const file = await ask({ ...january, format: 'csv' });
    expect([file.statusCode, file.headers['x-rows-left-out']]).toEqual([200, 'XDR=2']);
    expect(file.body).not.toContain('XDR');
    const used = async (changes: object) => (await ask({ ...january, ...changes })).json().meta;
    const ofDomain = (...selectedValues: string[]) => ({
      filter_groups: [
        {
          operator: 'or',
          filters: [{ value: 'domain', type: 'dimension', comparator: 'in', selectedValues }],
        },
      ],
    });
    expect(await used({ selectedDate: ['2026-01-02', '2026-01-02'] })).toMatchObject({
      ...{ left_out: [], rates: [{ source: 'ECB', first_day: '2026-01-01', last_day: '2026-01-01' }] },
    });
    expect(await used(ofDomain('news.example'))).toMatchObject({ left_out: [], rates: [] });
    expect(await used({ metrics: ['impressions'] })).toMatchObject({ left_out: [], rates: [] });
    const stranger = await createReportToken(world.database, {
      ...{ domains: ['news.example'], wholesalers: [], unrestricted: false },
    });
    const theirs = await world.app.inject(generateRequest(stranger, { ...body, ...january }));
    expect(theirs.json().meta).toMatchObject({ left_out: [], rates: [] });
  });

  it('names a currency whose last rate is old, and needs none of one that became the euro', async () => {
    const row = (currency: string, earnings: string) => ({
      ...{ at: '2026-01-28 12:00:00', domain: `${currency}.old.example`, impressions: 1, earnings, currency },
    });
    await world.addRows([row('USD', '1'), row('BGN', '1.95583')]);
    await world.addRates([{ day: '2026-01-17', currency: 'USD', per_eur: '2' }]);
    const late = {
      ...{ selectedDate: ['2026-01-28', '2026-01-28'], dimensions: ['domain'], metrics: ['earnings'] },
    };
    const { data, meta } = (await ask(late)).json();
    expect(data).toEqual([
      { domain: 'BGN.old.example', earnings: 1 },
      { domain: 'USD.old.example', earnings: 0.5 },
    ]);
    const old = { currency: 'USD', rate_day: '2026-01-17', used_until: '2026-01-28' };
    expect(meta.old_rates).toEqual([old]);
    expect(meta.rates).toContainEqual({
      source: 'fixed',
      first_day: '2026-01-01',
      last_day: '2026-01-01',
    });
    const file = await ask({ ...late, format: 'csv' });
    expect(file.headers['x-old-rates']).toBe('USD=2026-01-17');
    await world.addRates([{ day: '2026-01-18', currency: 'USD', per_eur: '2' }]);
  });
});
