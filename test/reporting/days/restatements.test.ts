// tier: system, clickhouse
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Concerned,
  type Fired,
  fireNext,
  lookAtFinalDays,
} from '../../../engine/adapters/postgres/report-schedules/fire.ts';
import type { ReportScope } from '../../../engine/adapters/postgres/report-tokens.ts';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import { openWorkbook } from '../../../reporting/cli/ad-stats/reading/xlsx.ts';
import {
  activateLoad,
  type LoadKind,
  noteDayZone,
  registerLoad,
} from '../../../reporting/ingest/ad-loads.ts';
import { createAdStatsStore } from '../../../reporting/ingest/ad-stats-store.ts';
import { sayDays } from '../../../reporting/ingest/days/ad-days.ts';
import { createKeepDays } from '../../../reporting/ingest/days/keep-days.ts';
import { countRestated } from '../../../reporting/ingest/days/restated-sums.ts';
import type { Provenance } from '../../../reporting/report/provenance.ts';
import { findConcerned } from '../../../reporting/schedules/concerned.ts';
import { createFinalDaysOf } from '../../../reporting/schedules/final-days.ts';
import { createFired } from '../../../reporting/schedules/firings.ts';
import { type AdTexts, adRows } from '../../support/ad-stats.ts';
import { cases } from '../../support/cases.ts';
import { parquetFooter } from '../../support/parquet-footer.ts';
import { unzip } from '../../support/unzip.ts';
import { createAsk, savedBody } from '../saved/support.ts';
import { createReportToken, createReportUser, everything, generateRequest } from '../support.ts';
import { createReportWorld, type ReportWorld, testBounds } from '../world.ts';

const of = (domains: readonly string[], wholesalers: readonly string[] = []): ReportScope => ({
  domains: [...domains],
  wholesalers: [...wholesalers],
  unrestricted: false,
});

interface Change {
  readonly id: number;
  readonly restated_at: string;
  readonly day: string;
  readonly source: string;
  readonly change: string;
  readonly was_final: boolean;
  readonly restated_by?: string | null;
  readonly currencies: readonly {
    readonly currency: string;
    readonly before: { readonly rows: number; readonly impressions: number; readonly earnings: string };
    readonly after: { readonly rows: number; readonly impressions: number; readonly earnings: string };
  }[];
}

/** The second sheet as its reader gives it. */
const sheetOf = ({ loads, rates }: Provenance): string[][] => [
  'kind source load imported_at first_day last_day rows file_sha256 file_name currency rate'.split(' '),
  ...loads.flatMap((load) =>
    (load.files.length === 0 ? [{ sha256: '', name: '' }] : load.files).map(({ sha256, name = '' }) => [
      ...[
        load.kind,
        load.source,
        String(load.load ?? ''),
        load.imported_at ?? '',
        load.first_day,
        load.last_day,
      ],
      ...[String(load.rows), sha256, name],
    ]),
  ),
  ...rates.map(({ day, currency, rate }) => ['rate', '', '', '', day, day, '', '', '', currency, rate]),
];
/** Empty cells at the end of a row say nothing. */
const withoutEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);

describe('days of sources in reports', { timeout: 300_000 }, () => {
  let world: ReportWorld;
  let contents = 0;
  beforeAll(async () => {
    world = await createReportWorld('embedded');
  });
  afterAll(() => world.close());

  const empty = async (): Promise<void> => {
    await world.database.query(
      `TRUNCATE ad_loads, ad_load_files, ad_days, ad_final_days, ad_restated, ad_restatements, ad_sources,
         webhook_messages CASCADE`,
    );
    for (const table of ['ad_stats', 'ad_restated_sums'])
      await world.clickhouse.client.command({ query: `TRUNCATE TABLE ${table}` });
  };
  const load = async (
    rows: readonly AdTexts[],
    more: {
      kind?: LoadKind;
      source?: string;
      says?: 'complete' | 'final' | null;
      onlyDays?: readonly string[];
      name?: string;
    } = {},
  ): Promise<number> => {
    const { kind = 'append', source = 'gam', says = null, onlyDays = null, name = 'file.csv' } = more;
    const content = `content-${++contents}`;
    const files = kind === 'batch' ? {} : { files: [{ content, reading: 'r', name }], madeBy: 'ann@desk' };
    const { load: id } = await registerLoad(world.database, { source, kind, content, ...files });
    const store = createAdStatsStore(world.clickhouse);
    await store.insertRows(adRows(id, rows, source), `days-test-${contents}`);
    const totals = await store.loadTotals(id);
    await activateLoad(world.database, {
      ...{ load: id, ...totals, completeUntil: null, onlyDays, says, mayChangeFinal: true },
    });
    return id;
  };
  const settle = async (): Promise<void> => {
    const step = createKeepDays(world);
    while ((await step()) > 0);
  };
  const feed = async (token: string, query = ''): Promise<{ data: Change[]; next: string | null }> => {
    const answer = await world.app.inject({
      url: `/api/v1/reports/restatements${query}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.statusCode).toBe(200);
    const { data, meta } = answer.json() as { data: Change[]; meta: { next_cursor: string | null } };
    return { data, next: meta.next_cursor };
  };
  const metaOf = async (token: string, more: object = {}) => {
    const body = {
      dimensions: ['day'],
      metrics: ['impressions', 'earnings'],
      currency: 'EUR',
      selectedDate: ['2026-03-01', '2026-03-05'],
      ...more,
    };
    const answer = await world.app.inject(generateRequest(token, body));
    expect(answer.statusCode).toBe(200);
    return (answer.json() as { meta: Record<string, unknown> }).meta;
  };
  const row = (at: string, domain: string, impressions: number, more: AdTexts = {}): AdTexts => ({
    ...{ at, domain, impressions: String(impressions), earnings: '1.5', currency: 'EUR' },
    ...more,
  });

  it('that become final start the schedules that wait for them, by what the token of each sees', async () => {
    await empty();
    const tokenOf = async (domain: string) => {
      const user = await createReportUser(world.database);
      const token = await createReportToken(world.database, of([domain]), user);
      const ask = createAsk(world.app);
      const saved = await ask(token, 'POST', '/saved', { ...savedBody, period: 'yesterday' });
      const [row] = await world.database.query<{ id: number }>(
        `INSERT INTO report_schedules (organization_id, saved_id, token_id, made_by, zone, format, destination, next_at, created_at)
         SELECT organization_id, $2, (SELECT id FROM report_tokens WHERE user_id = users.id), id, 'UTC', 'csv', '{}',
           now() + interval '1 hour', '2026-03-03T12:00:00Z' FROM users WHERE id = $1 RETURNING id`,
        [user, saved.json().data.id],
      );
      return row?.id ?? 0;
    };
    const [a, b, z] = [await tokenOf('a.example'), await tokenOf('b.example'), await tokenOf('z.example')];
    const nowMs = (): number => Date.parse('2026-03-06T08:00:00Z');
    const reader = createReportReader(world.clickhouse, testBounds);
    const firedThen = createFired(nowMs, createFinalDaysOf({ sql: world.database, reader, nowMs }));
    const fired: Fired = async (...given) => ({
      ...(await firedThen(...given)),
      // Later on the clock of the database, too.
      nextAt: new Date(Date.now() + 3_600_000),
    });
    const concerned: Concerned = (sql, events, wanted) =>
      findConcerned(sql, world.clickhouse, events, wanted);
    const dueNow = async (): Promise<string[]> => {
      const due = await world.database.query<{ id: number }>(
        'SELECT id FROM report_schedules WHERE next_at <= now() ORDER BY id',
      );
      return due.map(({ id }) => (id === a ? 'a' : id === b ? 'b' : 'z'));
    };
    const runs = async (): Promise<string[]> => {
      while ((await lookAtFinalDays(world.database, concerned)) > 0);
      while (
        (await fireNext(world.database, 'final', fired, (error) => expect.unreachable(String(error)))) > 0
      );
      const found = await world.database.query<{ id: number; key: string }>(
        'SELECT schedule_id AS id, key FROM report_runs ORDER BY schedule_id, key',
      );
      return found.map(
        ({ id, key }) =>
          `${new Map([
            [a, 'a'],
            [b, 'b'],
            [z, 'z'],
          ]).get(id)} ${key.slice(0, 10)}`,
      );
    };
    await load([row('2026-03-02', 'a.example', 1), row('2026-03-03', 'a.example', 1)], { says: 'final' });
    await load([row('2026-03-02', 'b.example', 1)], { source: 'other', says: 'complete' });
    expect(await runs()).toEqual(['a 2026-03-02', 'a 2026-03-03']);
    expect(await runs()).toEqual(['a 2026-03-02', 'a 2026-03-03']);
    await sayDays(world.database, {
      source: 'other',
      days: ['2026-03-02'],
      state: 'final',
      by: 'person',
      as: 'ann',
    });
    // Only those who may see rows of the source check their days.
    await lookAtFinalDays(world.database, concerned);
    expect(await dueNow()).toEqual(['b']);
    expect(await runs()).toEqual(['a 2026-03-02', 'a 2026-03-03', 'b 2026-03-02']);
    // A process that dies after the event has not said that it read it.
    await sayDays(world.database, {
      source: 'gam',
      days: ['2026-03-04'],
      state: 'final',
      by: 'person',
      as: 'ann',
    });
    await expect(
      world.database.transaction(async (sql) => {
        await lookAtFinalDays({ transaction: (work) => work(sql) }, concerned);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect((await runs()).filter((run) => run.startsWith('a'))).toHaveLength(3);
  });

  it('are told with their state by what the token sees, and where the figures come from', async () => {
    await empty();
    const all = await createReportToken(world.database, everything);
    const a = await createReportToken(world.database, of(['a.example']));
    const none = await createReportToken(world.database, of(['z.example']));
    const own = await load([row('2026-03-01', 'a.example', 1), row('2026-03-02', 'a.example', 2)], {
      says: 'final',
    });
    const other = await load([row('2026-03-01', 'b.example', 5)], { source: 'secret', name: 'secret.csv' });
    expect((await metaOf(all)).days).toEqual([
      { first_day: '2026-03-01', last_day: '2026-03-05', state: 'open' },
    ]);
    const meta = await metaOf(a, { include: ['sources'] });
    expect(meta.days).toEqual([
      { first_day: '2026-03-01', last_day: '2026-03-02', state: 'final' },
      { first_day: '2026-03-03', last_day: '2026-03-05', state: 'open' },
    ]);
    expect(meta.source_states).toMatchObject([
      { source: 'gam', first_day: '2026-03-01', last_day: '2026-03-02', state: 'final', said_by: 'import' },
      { source: 'gam', first_day: '2026-03-03', last_day: '2026-03-05', state: 'open', said_by: null },
    ]);
    expect(JSON.stringify(meta.sources)).not.toContain('"load"');
    expect(meta.sources).toMatchObject({
      loads: [
        {
          source: 'gam',
          kind: 'import',
          rows: 2,
          first_day: '2026-03-01',
          files: [{ sha256: `content-${own}` }],
        },
      ],
      loads_left_out: 0,
    });
    expect(JSON.stringify(meta)).not.toContain('secret');
    expect(JSON.stringify(meta)).not.toContain('file.csv');
    expect(JSON.stringify(await metaOf(all, { include: ['sources'] }))).toContain(`"load":${other}`);
    const blind = await metaOf(none, { include: ['sources'] });
    expect(blind.days).toEqual([{ first_day: '2026-03-01', last_day: '2026-03-05', state: null }]);
    expect([blind.source_states, blind.sources]).toMatchObject([[], { loads: [] }]);
  });

  it('say in a file of each format where its figures come from, by what the token sees', async () => {
    await empty();
    const all = await createReportToken(world.database, everything);
    const a = await createReportToken(world.database, of(['a.example']));
    await load([row('2026-03-01', 'a.example', 1, { currency: 'USD' })], { name: 'ä & "b".csv' });
    await load([row('2026-03-02', 'b.example', 5)], { source: 'secret', kind: 'batch' });
    await world.addRates([{ day: '2026-02-27', currency: 'USD', per_eur: '1.25' }]);
    for (const token of [all, a]) {
      const asked = { include: ['sources'] };
      const { sources } = (await metaOf(token, asked)) as { sources: Provenance };
      expect([sources.loads.length, sources.rates.length]).toEqual([token === all ? 2 : 1, 1]);
      const file = async (format: string) => {
        const body = { dimensions: ['day'], metrics: ['impressions', 'earnings'], currency: 'EUR', ...asked };
        const days = { selectedDate: ['2026-03-01', '2026-03-05'] };
        const answer = await world.app.inject(generateRequest(token, { ...body, ...days, format }));
        expect(answer.statusCode, answer.body).toBe(200);
        return answer;
      };
      for (const format of ['csv', 'ndjson']) {
        const name = `report-2026-03-01-2026-03-05`;
        const answer = await file(format);
        expect(answer.headers).toMatchObject({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${name}.zip"`,
        });
        const files = unzip(answer.rawPayload);
        expect([...files.keys()]).toEqual([`${name}.${format}.sources.json`, `${name}.${format}`]);
        expect(JSON.parse(String(files.get(`${name}.${format}.sources.json`)))).toEqual(sources);
        expect(String(files.get(`${name}.${format}`))).toContain('2026-03-01');
      }
      const folder = await mkdtemp(join(tmpdir(), 'broadside-sources-'));
      const path = join(folder, 'report');
      const parquet = (await file('parquet')).rawPayload;
      expect(JSON.parse(parquetFooter(parquet).keys.get('broadside.sources') ?? '')).toEqual(sources);
      await writeFile(path, parquet);
      const read = await world.clickhouse.client.query({
        query: `SELECT toString(day) AS day, toUInt32(impressions) AS impressions FROM file('${path}', Parquet) ORDER BY day`,
        format: 'JSONEachRow',
      });
      expect(await read.json()).toEqual([
        { day: '2026-03-01', impressions: 1 },
        ...(token === all ? [{ day: '2026-03-02', impressions: 5 }] : []),
      ]);
      await writeFile(path, (await file('xlsx')).rawPayload);
      const book = await openWorkbook(path);
      expect(book.sheets).toEqual(['Report', 'Sources']);
      const lines: unknown[] = [];
      for await (const rows of book.rows('Sources'))
        lines.push(...rows.map(({ cells }) => withoutEnd(cells)));
      expect(lines).toEqual(sheetOf(sources).map(withoutEnd));
      await book.close();
      await rm(folder, { recursive: true });
    }
  });

  it('are as certain as the least certain day of the source that they overlap, in another timezone', async () => {
    await empty();
    const all = await createReportToken(world.database, everything);
    await noteDayZone(world.database, 'gam', 'Europe/Berlin');
    await load([row('2026-03-02T10:00:00Z', 'a.example', 1), row('2026-03-03T10:00:00Z', 'a.example', 1)]);
    await sayDays(world.database, { source: 'gam', days: ['2026-03-02'], state: 'final', by: 'person' });
    const asked = { selectedDate: ['2026-03-02', '2026-03-02'] };
    expect((await metaOf(all, { ...asked, timezone: 'Europe/Berlin' })).days).toMatchObject([
      { state: 'final' },
    ]);
    expect((await metaOf(all, asked)).days).toMatchObject([{ state: 'open' }]);
    await sayDays(world.database, { source: 'gam', days: ['2026-03-03'], state: 'complete', by: 'person' });
    expect((await metaOf(all, asked)).days).toMatchObject([{ state: 'complete' }]);
  });

  it('are in the feed when they were replaced, with the figures before and after of the rows that the token sees', async () => {
    await empty();
    const all = await createReportToken(world.database, everything);
    const a = await createReportToken(world.database, of(['a.example']));
    const none = await createReportToken(world.database, of(['z.example']));
    await load([row('2026-03-01', 'a.example', 10), row('2026-03-01', 'b.example', 7, { currency: 'USD' })]);
    await load([row('2026-03-02', 'a.example', 4)], { says: 'final' });
    await load([row('2026-03-01', 'a.example', 12), row('2026-03-04', 'a.example', 1)], { kind: 'restate' });
    await load([row('2026-03-02', 'a.example', 3)], { kind: 'batch' });
    expect((await feed(all)).data).toEqual([]);
    await settle();
    const eur = (before: number, after: number) => ({
      currency: 'EUR',
      before: { rows: 1, impressions: before, viewable: 0, earnings: '1.5' },
      after: { rows: 1, impressions: after, viewable: 0, earnings: '1.5' },
    });
    const added = { ...eur(4, 7), after: { rows: 2, impressions: 7, viewable: 0, earnings: '3' } };
    const usd = {
      currency: 'USD',
      before: { rows: 1, impressions: 7, viewable: 0, earnings: '1.5' },
      after: { rows: 0, impressions: 0, viewable: 0, earnings: '0' },
    };
    const { data } = await feed(all);
    expect(data).toMatchObject([
      { day: '2026-03-02', source: 'gam', change: 'added', was_final: true, currencies: [added] },
      {
        day: '2026-03-01',
        change: 'replaced',
        was_final: false,
        restated_by: 'ann@desk',
        currencies: [eur(10, 12), usd],
      },
    ]);
    const seen = (await feed(a)).data;
    expect(seen).toMatchObject([{ currencies: [added] }, { currencies: [eur(10, 12)] }]);
    expect(seen[1]).not.toHaveProperty('restated_by');
    expect((await feed(none)).data).toEqual([]);
    const first = await feed(all, '?order=oldest&limit=1');
    expect(first.data).toMatchObject([{ day: '2026-03-01' }]);
    const second = await feed(all, `?order=oldest&limit=1&cursor=${first.next}`);
    expect(second.data).toMatchObject([{ day: '2026-03-02' }]);
    expect(await feed(all, `?order=oldest&cursor=${second.next}`)).toEqual({ data: [], next: second.next });
    // A cursor of the release before names the restatement itself.
    const [oldest] = await world.database.query<{ id: number }>('SELECT min(id) AS id FROM ad_restatements');
    const old = Buffer.from(`${oldest?.id}:2026-03-01`).toString('base64url');
    expect((await feed(all, `?order=oldest&cursor=${old}`)).data).toEqual(second.data);
    // Numbers that count what others import are for those who see everything.
    expect(data.every((change) => 'load' in change)).toBe(true);
    expect(seen.some((change) => 'load' in change)).toBe(false);
    expect(seen.map(({ id }) => id)).toEqual(
      data.map(({ restated_at: at, id }) => {
        expect(Math.abs(id / 1_000 - Date.parse(at))).toBeLessThan(2);
        return id;
      }),
    );
    const wrong = await world.app.inject({
      url: '/api/v1/reports/restatements?cursor=x',
      headers: { authorization: `Bearer ${all}` },
    });
    expect(wrong.statusCode).toBe(422);
  });

  it('of a source that cannot be counted hold up no other source, and come at the end of the feed when they can', async () => {
    await empty();
    const all = await createReportToken(world.database, everything);
    for (const source of ['broken', 'sound']) {
      await load([row('2026-03-01', 'a.example', 1)], { source });
      await load([row('2026-03-01', 'a.example', 2)], { source, kind: 'restate' });
    }
    let isBroken = true;
    let nowMs = 0;
    const step = createKeepDays({
      ...world,
      count: async (clickhouse, restatement) => {
        if (isBroken && restatement.source === 'broken') throw new Error('too many parts');
        await countRestated(clickhouse, restatement);
      },
      clock: { now: () => nowMs },
    });
    for (let time = 0; time < 2; time++) await expect(step()).rejects.toThrow('too many parts');
    expect((await feed(all)).data).toEqual([]);
    await expect(step()).rejects.toThrow('of broken waits behind the others');
    while ((await step()) > 0);
    const sources = async () => (await feed(all, '?order=oldest')).data.map(({ source }) => source);
    expect(await sources()).toEqual(['sound']);
    const place = (await feed(all, '?order=oldest')).next;
    // Those that come later do not wait for it, either.
    await load([row('2026-03-01', 'a.example', 3)], { source: 'sound', kind: 'restate' });
    while ((await step()) > 0);
    expect(await sources()).toEqual(['sound', 'sound']);
    isBroken = false;
    nowMs += 600_000;
    while ((await step()) > 0);
    expect((await feed(all, `?order=oldest&cursor=${place}`)).data.map(({ source }) => source)).toEqual([
      'sound',
      'broken',
    ]);
  });

  it('are said by a person who sees everything, and by nobody else', async () => {
    await empty();
    const say = async (scope: ReportScope, last: string) =>
      world.app.inject({
        method: 'PUT',
        url: '/api/v1/reports/days',
        headers: { authorization: `Bearer ${await createReportToken(world.database, scope)}` },
        payload: { source: 'gam', first_day: '2026-03-01', last_day: last, state: 'final' },
      });
    expect((await say(of(['a.example']), '2026-03-02')).statusCode).toBe(403);
    const future = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect((await say(everything, future)).statusCode).toBe(422);
    expect((await say(everything, '2026-02-01')).statusCode).toBe(422);
    expect((await say(everything, '2026-03-02')).json()).toEqual({
      status: 'success',
      data: { changed: ['2026-03-01', '2026-03-02'] },
    });
  });

  it('tell webhooks of organizations that have rows of the source, each once and in order', async () => {
    await empty();
    const endpointOf = async (domain: string | null): Promise<number> => {
      const [made] = await world.database.query<{ id: number; organization: number }>(
        `WITH owner AS (INSERT INTO organizations (name) VALUES ($1) RETURNING id)
         INSERT INTO webhook_endpoints (organization_id, url, types) SELECT id, 'https://hooks.example/x', '{reports.final}'
         FROM owner RETURNING id, organization_id AS organization`,
        [`o${++contents}`],
      );
      if (made === undefined) throw new Error('no endpoint');
      if (domain !== null)
        await world.database.query('INSERT INTO revenue_domains (organization_id, domain) VALUES ($1, $2)', [
          ...[made.organization, domain],
        ]);
      return made.id;
    };
    const [own, below, any, rival, blind] = [
      await endpointOf('a.example'),
      await endpointOf('example'),
      await endpointOf('*'),
      await endpointOf('b.test'),
      await endpointOf(null),
    ];
    await load([row('2026-03-01', 'a.example', 1)], { says: 'final' });
    await load([row('2026-03-02', 'a.example', 1)], { says: 'final' });
    const step = createKeepDays(world);
    await Promise.all([step(), step(), step()]);
    await settle();
    const told = await world.database.query<{ endpoint: number; day: string }>(
      `SELECT endpoint_id AS endpoint, data ->> 'first_day' AS day FROM webhook_messages ORDER BY id`,
    );
    for (const endpoint of [own, below, any])
      expect(told.filter((one) => one.endpoint === endpoint).map(({ day }) => day)).toEqual([
        '2026-03-01',
        '2026-03-02',
      ]);
    expect(told.filter(({ endpoint }) => endpoint === rival || endpoint === blind)).toEqual([]);
  });

  it('reveal to a token nothing beyond its rows, over random loads', async () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;
    const one = fc.record({
      kind: fc.constantFrom<LoadKind>('append', 'restate', 'batch'),
      source: fc.constantFrom('gam', 'prebid'),
      says: fc.constantFrom('complete' as const, 'final' as const, null),
      rows: fc.array(
        fc.record({
          day: fc.constantFrom(...days),
          domain: fc.constantFrom('a.example', 'b.example'),
          wholesaler: fc.constantFrom('w', 'v'),
          impressions: fc.integer({ min: 1, max: 999 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    });
    const token = await createReportToken(world.database, of(['a.example'], ['w']));
    const all = await createReportToken(world.database, everything);
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 6 }), async (loads) => {
        const run = async (inside: boolean): Promise<{ feed: object; report: Record<string, unknown> }> => {
          await empty();
          for (const { rows, ...more } of loads) {
            const kept = rows.filter(
              ({ domain, wholesaler }) => !inside || (domain === 'a.example' && wholesaler === 'w'),
            );
            const replaced = [...new Set(rows.map(({ day }) => day))];
            await load(
              kept.map(({ day, domain, wholesaler, impressions }) =>
                row(day, domain, impressions, { wholesaler }),
              ),
              {
                ...more,
                says: more.kind === 'batch' ? null : more.says,
                ...(more.kind === 'restate' ? { onlyDays: replaced } : {}),
              },
            );
          }
          await settle();
          const changes = (await feed(inside ? all : token)).data;
          const report = await metaOf(inside ? all : token, { include: ['sources'] });
          return {
            // Which days are final is of the source; the figures are those of the rows alone.
            feed: changes.map(({ day, source, change, currencies }) => ({ day, source, change, currencies })),
            report,
          };
        };
        const whole = await run(false);
        const alone = await run(true);
        const seen = new Set<string>(
          loads.flatMap(({ source, rows }) =>
            rows.some(({ domain, wholesaler }) => domain === 'a.example' && wholesaler === 'w')
              ? [source]
              : [],
          ),
        );
        const named = (whole.report.source_states as { source: string }[]).map(({ source }) => source);
        expect(named.filter((source) => !seen.has(source))).toEqual([]);
        const rowsOf = ({ report }: typeof whole) =>
          (report.sources as { loads: { rows: number }[] }).loads.map(({ rows }) => rows);
        expect(rowsOf(whole)).toEqual(rowsOf(alone));
        const figuresOf = ({ feed: found }: typeof whole) =>
          (found as Change[])
            .filter(({ change }) => change === 'replaced')
            .map(({ day, currencies }) => [day, currencies]);
        expect(figuresOf(whole)).toEqual(figuresOf(alone));
      }),
      { numRuns: cases(4, 15) },
    );
  });
});
