// tier: postgres
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanForShort } from '../../../../api/client/subscriptions/scan-for-short.ts';
import { sorts } from '../../../../api/client/subscriptions/schema.ts';
import { select } from '../../../../api/client/subscriptions/selection.ts';
import { type BuiltApp, buildApp } from '../../../support/builders.ts';
import { someOf } from '../../../support/cases.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../../support.ts';

const SUBSCRIBERS = 3_000;
const NEW = 120;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

/**
 * Filter and sort as far apart as can be: the newest ones, all unsubscribed, were seen and clicked last and got most,
 * so at the other end of each sort nobody matches for long.
 */
const isNew = (seq: number): boolean => seq >= SUBSCRIBERS - NEW;
const given = Array.from({ length: SUBSCRIBERS }, (_, seq) => ({
  seq,
  created_at: new Date(START_MS + (isNew(seq) ? 30 : 1) * DAY_MS + seq).toISOString(),
  last_seen_at: new Date(START_MS + 31 * DAY_MS + Math.floor(seq / 2) * 1_000).toISOString(),
  last_clicked_at: seq % 3 === 0 ? null : new Date(START_MS + 32 * DAY_MS + seq * 1_000).toISOString(),
  notifications_sent: Math.floor(seq / 7),
  status: isNew(seq) ? 'unsubscribed' : 'subscribed',
  country: isNew(seq) ? 'PL' : 'DE',
  plan: isNew(seq) ? 'new' : 'old',
  // A few at one end, the rest far from it.
  device_type: seq >= SUBSCRIBERS - 10 || seq < 2_000 ? 'tablet' : 'mobile',
}));

describe('a list that is filtered by one thing and sorted by another', () => {
  let api: TestApi;
  let app: BuiltApp;
  let call: ReturnType<typeof callAs>;
  beforeAll(async () => {
    api = await createTestApi();
    app = await buildApp(api.database);
    call = callAs(api.app, await createMember(api.database, { organizationId: app.organizationId }));
    await api.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, created_at, last_seen_at, last_clicked_at, status, country, device_type, tags)
       SELECT $1, seq, 'e' || seq, '', '', created_at, last_seen_at, last_clicked_at, status, country, device_type, jsonb_build_object('plan', plan)
       FROM jsonb_to_recordset($2) AS given (seq integer, created_at timestamptz, last_seen_at timestamptz,
         last_clicked_at timestamptz, status text, country text, plan text, device_type text)`,
      [app.id, JSON.stringify(given)],
    );
    await api.database.query(
      `INSERT INTO block_counts (app_id, block, sent)
       SELECT $1, seq / 1024, array_agg(seq / 7 ORDER BY seq) FROM generate_series(0, 3 * 1024 - 1) AS seq GROUP BY seq / 1024`,
      [app.id],
    );
    await api.database.query(
      `UPDATE apps SET next_seq = $2, subscriber_count = $2, active_subscriber_count = $3 WHERE id = $1`,
      [app.id, SUBSCRIBERS, SUBSCRIBERS - NEW],
    );
    await api.database.query('ANALYZE');
  });
  afterAll(() => api.close());

  const filters: Record<string, (each: (typeof given)[number]) => boolean> = {
    'created_after=2026-01-31': ({ seq }) => isNew(seq),
    'created_before=2026-01-30': ({ seq }) => !isNew(seq),
    'status=unsubscribed': ({ seq }) => isNew(seq),
    'device_type=tablet': (each) => each.device_type === 'tablet',
    'country=PL': ({ seq }) => isNew(seq),
    'tag[plan]=new': ({ seq }) => isNew(seq),
    'tag[plan]=old': ({ seq }) => !isNew(seq),
    'tag[plan]=new&country=DE': () => false,
  };
  const crossings = sorts.flatMap((sort) =>
    ['asc', 'desc'].flatMap((direction) =>
      Object.keys(filters).map((filter) => [sort, direction, filter] as const),
    ),
  );

  // Three and eight filters have no divisor in common: each filter is among them.
  it.each(someOf(crossings, 3))(
    'has its first, middle and last page right: %s %s, %s',
    async (sort, direction, filter) => {
      const keyOf = (each: (typeof given)[number]): string | number => each[sort] ?? '';
      const ascending = given
        .filter((each) => filters[filter]?.(each))
        .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.seq - b.seq));
      const expected = direction === 'asc' ? ascending : ascending.toReversed();
      const pages = Math.max(1, Math.ceil(expected.length / 25));
      for (const page of new Set([1, Math.ceil(pages / 2), pages])) {
        const query = `${filter}&sort=${sort}&direction=${direction}&page=${page}`;
        const { data, meta } = (
          await call('GET', `/apps/${app.identifier}/subscriptions?${encodeURI(query)}`)
        ).json();
        const slice = expected.slice((page - 1) * 25, page * 25);
        expect(meta.total).toBe(expected.length);
        expect(data.map((each: { created_at: string }) => each.created_at)).toHaveLength(slice.length);
        expect(await seqsOf(data)).toEqual(slice.map(({ seq }) => seq));
      }
    },
  );

  it.each([
    { status: 'unsubscribed' },
    { device_type: 'desktop' },
    { browser: 'edge' },
    { country: 'pl' },
  ] as const)('asks an index for %j', async (filters) => {
    const { from, values } = select(app.id, { filters, searchedSeq: null, sort: null });
    const plan = await api.database.transaction(async (sql) => {
      await sql.query('SET LOCAL enable_seqscan = off');
      return sql.query(`EXPLAIN (FORMAT JSON) SELECT count(*) ${from}`, values);
    });
    const [column] = Object.keys(filters);
    expect(JSON.stringify(plan)).toMatch(new RegExp(`"Index Cond":"[^"]*\\b${column} = `));
  });

  it.each([
    ['zq', 'off'],
    ['q', 'off'],
    ['a-b c', 'off'],
    ['éé', 'off'],
    ['zqx', 'on'],
    ['ééé', 'on'],
    ['', 'on'],
  ])('asks the index of words for %o only if it knows so short a text: %s', async (search, expected) => {
    const [setting] = await api.database.transaction(async (sql) => {
      await scanForShort(sql, search);
      return sql.query('SHOW enable_bitmapscan');
    });
    expect(setting).toEqual({ enable_bitmapscan: expected });
  });

  async function seqsOf(data: readonly { readonly id: number }[]): Promise<number[]> {
    const rows = await api.database.query<{ id: number; seq: number }>(
      `SELECT id, seq FROM subscriptions WHERE app_id = $1 AND id = ANY($2)`,
      [app.id, data.map(({ id }) => id)],
    );
    const seqOf = new Map(rows.map(({ id, seq }) => [id, seq]));
    return data.map(({ id }) => seqOf.get(id) ?? -1);
  }
});
