// tier: postgres
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { cases } from '../../../support/cases.ts';
import {
  appIdOf,
  type GivenSubscription,
  insertSubscriptions,
  setSent,
} from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, openTestApi } from '../../support.ts';

const api = await openTestApi();

const times = ['2025-01-01', '2025-06-01', '2025-06-02', '2026-01-31'].map((day) => `${day}T12:00:00.000Z`);
const words = ['anna', 'Annabel', 'bo_b', 'b%b', 'x1', ''];

const subscription = fc.record({
  status: fc.constantFrom('subscribed' as const, 'subscribed' as const, 'unsubscribed' as const),
  user_identity: fc.constantFrom(...words, null),
  device_type: fc.constantFrom('desktop', 'mobile', null),
  browser_name: fc.constantFrom('Chrome', 'Firefox', 'chrome', null),
  country: fc.constantFrom('DE', 'US', null),
  tags: fc.record(
    {
      plan: fc.constantFrom('a', 'b'),
      'k]': fc.constantFrom('1', '2'),
      topic: fc.constantFrom('Ann', 'c%c', 'Sport'),
    },
    { requiredKeys: [] },
  ),
  external_ids: fc.record({ anna: fc.constantFrom(...words) }, { requiredKeys: [] }),
  created_at: fc.constantFrom(...times),
  last_seen_at: fc.constantFrom(...times),
  last_clicked_at: fc.constantFrom(...times, null, null),
  sent: fc.constantFrom(0, 0, 1, 7),
  deleted: fc.constantFrom(false, false, false, true),
});
type Modelled = Required<GivenSubscription> & { sent: number; deleted: boolean };

const filters = [
  fc.record({
    search: fc.constantFrom('ann', 'NN', 'b_b', '%', 'zz', 'a', 'sport', 'plan', 'id of the first'),
  }),
  fc.record({ status: fc.constantFrom('subscribed', 'unsubscribed') }),
  fc.record({ device_type: fc.constantFrom('desktop', 'MOBILE', 'tablet') }),
  fc.record({ browser: fc.constantFrom('CHROME', 'firefox', 'chrom') }),
  fc.record({ country: fc.constantFrom('de', 'US') }),
  fc.record({ plan: fc.constantFrom(['a'], ['b'], ['a', 'b']) }),
  fc.record({ bracket: fc.constantFrom('1', '3') }),
  fc.record({ segment: fc.constantFrom('german' as const, 'of plan a' as const) }),
  fc.record({ created_after: fc.constantFrom('2025-06-01', '2025-06-01T12:00:00Z', '2025-06-01T12:00:01Z') }),
  fc.record({ created_before: fc.constantFrom('2025-06-01', '2025-06-01T11:59:59Z', '2026-12-31') }),
];
/** Their rule, and the same in the language. */
const segments = {
  german: {
    condition: { field: 'country', operator: 'in', values: ['DE'] },
    has: ({ country }: Modelled) => country === 'DE',
  },
  'of plan a': {
    condition: { field: 'tag', key: 'plan', operator: 'equals', value: 'a' },
    has: ({ tags }: Modelled) => tags.plan === 'a',
  },
} as const;
const order = fc.record(
  {
    sort: fc.constantFrom('created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'),
    direction: fc.constantFrom('asc', 'desc'),
    per_page: fc.constantFrom(1, 3, 4, 7, 100),
  },
  { requiredKeys: ['per_page'] },
);
/** Mostly none or one, as more of them leave hardly anything to sort. */
const chosen = fc
  .constantFrom(0, 0, 1, 1, 1, 2, 3)
  .chain((count) => fc.subarray(filters, { minLength: count, maxLength: count }))
  .chain((some): fc.Arbitrary<Query[]> => fc.tuple(...some));
const query = fc.tuple(order, chosen).map(([first, others]): Query => Object.assign({ ...first }, ...others));

interface Query {
  readonly search?: string;
  readonly status?: string;
  readonly device_type?: string;
  readonly browser?: string;
  readonly country?: string;
  readonly plan?: readonly string[];
  readonly bracket?: string;
  /** Name of a segment. */
  readonly segment?: keyof typeof segments;
  readonly created_after?: string;
  readonly created_before?: string;
  readonly sort?: string;
  readonly direction?: string;
  readonly per_page?: number;
}

interface Row extends Modelled {
  readonly id: number;
  readonly seq: number;
}

const lower = (text: string | null) => text?.toLowerCase() ?? null;

/** The specification of the list, in plain words of the language. */
function expected(rows: readonly Row[], asked: Query): number[] {
  const { sort = 'created_at', direction = 'desc' } = asked;
  const has = (row: Row, search: string): boolean =>
    String(row.id) === search ||
    [row.user_identity, ...Object.values(row.external_ids), ...Object.values(row.tags)].some((text) =>
      lower(text)?.includes(search.toLowerCase()),
    );
  const after = asked.created_after?.length === 10 ? `${asked.created_after}T00:00:00Z` : asked.created_after;
  const before =
    asked.created_before?.length === 10 ? `${asked.created_before}T23:59:59Z` : asked.created_before;
  const kept = rows.filter(
    (row) =>
      !row.deleted &&
      (asked.search === undefined || has(row, asked.search)) &&
      (asked.status === undefined || row.status === asked.status) &&
      (asked.device_type === undefined || row.device_type === lower(asked.device_type)) &&
      (asked.browser === undefined || lower(row.browser_name) === lower(asked.browser)) &&
      (asked.country === undefined || row.country === asked.country.toUpperCase()) &&
      (asked.plan ?? []).every((value) => row.tags.plan === value) &&
      (asked.bracket === undefined || row.tags['k]'] === asked.bracket) &&
      (asked.segment === undefined || (row.status === 'subscribed' && segments[asked.segment].has(row))) &&
      (after === undefined || Date.parse(row.created_at) >= Date.parse(after)) &&
      (before === undefined || Date.parse(row.created_at) <= Date.parse(before)),
  );
  const keyOf = (row: Row): number =>
    sort === 'notifications_sent'
      ? row.sent
      : Date.parse(row[sort as 'created_at' | 'last_seen_at' | 'last_clicked_at'] ?? '0001-01-01');
  const ascending = kept.toSorted((a, b) => keyOf(a) - keyOf(b) || a.seq - b.seq);
  return (direction === 'asc' ? ascending : ascending.toReversed()).map(({ id }) => id);
}

function addressOf({ plan = [], bracket, segment, ...plain }: Query, ids: SegmentIds = {}): string {
  const parameters = new URLSearchParams(
    Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  for (const value of plan) parameters.append('tag[plan]', value);
  if (segment !== undefined) parameters.append('segment_id', String(ids[segment]));
  if (bracket !== undefined) parameters.append('tag[k]]', bracket);
  return `?${parameters}`;
}

type SegmentIds = Readonly<Record<string, number>>;
type Call = ReturnType<typeof callAs>;

/** An app of its own whose subscriptions are these; some were deleted through the API afterwards. */
async function populate(given: readonly Modelled[], unusedSeq: boolean) {
  const call = callAs(api.app, await createMember(api.database));
  const identifier: string = (await call('POST', '/apps', appBody())).json().data.identifier;
  const appId: AppId = await appIdOf(api.database, identifier);
  const ids = await insertSubscriptions(api.database, appId, given);
  const rows: Row[] = given.map((each, index) => ({
    ...each,
    id: ids[index]?.id ?? 0,
    seq: ids[index]?.seq ?? 0,
  }));
  await setSent(api.database, appId, new Map(rows.map(({ seq, sent }) => [seq, sent])));
  for (const row of rows.filter(({ deleted }) => deleted)) {
    const answer = await call('DELETE', `/apps/${identifier}/subscriptions/${row.id}`);
    expect(answer.statusCode).toBe(204);
  }
  // What an import leaves that lost a race.
  if (unusedSeq) await api.database.query(`UPDATE apps SET next_seq = next_seq + 1 WHERE id = $1`, [appId]);
  const made: Record<string, number> = {};
  for (const [name, { condition }] of Object.entries(segments)) {
    const rules = { match: 'all', conditions: [condition] };
    made[name] = (await call('POST', `/apps/${identifier}/segments`, { name, rules })).json().data.id;
  }
  return { call, identifier, rows, segmentIds: made };
}

async function readAllPages(call: Call, path: string): Promise<{ ids: number[]; totals: Set<number> }> {
  const ids: number[] = [];
  const totals = new Set<number>();
  for (let page = 1; ; page++) {
    const answer = await call('GET', `${path}&page=${page}`);
    expect(answer.statusCode, answer.body).toBe(200);
    const { data, meta, links } = answer.json();
    ids.push(...data.map((each: { id: number }) => each.id));
    totals.add(meta.total);
    if (links.next === null) return { ids, totals };
  }
}

describe('lists of subscriptions', () => {
  it('give every match exactly once, in order, over all pages, for any filter and sort', async () => {
    const population = fc.array(subscription, { minLength: 5, maxLength: 25 });
    const queries = fc.array(query, { minLength: 15, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(population, queries, fc.boolean(), async (given, asked, unusedSeq) => {
        const { call, identifier, rows, segmentIds } = await populate(given as Modelled[], unusedSeq);
        for (const each of asked) {
          const search = each.search === 'id of the first' ? String(rows[0]?.id) : each.search;
          const named = search === undefined ? each : { ...each, search };
          const read = await readAllPages(
            call,
            `/apps/${identifier}/subscriptions${addressOf(named, segmentIds)}`,
          );
          const ids = expected(rows, named);
          expect({ query: named, ids: read.ids, totals: [...read.totals] }).toEqual({
            query: named,
            ids,
            totals: [ids.length],
          });
        }
      }),
      { numRuns: cases(5, 12), endOnFailure: true },
    );
  });

  it('find by a tag’s value as many as have it, in every order, from both ends', async () => {
    const given = Array.from({ length: 2_400 }, (_, n) => ({
      user_identity: n % 100 === 0 ? `sporty-${n}` : `user-${n}`,
      status: n % 7 === 0 ? ('unsubscribed' as const) : ('subscribed' as const),
      tags:
        n % 3 === 0 ? { topic: 'Culture' } : { topic: 'Sport', club: n % 2 === 0 ? 'Sportfreunde' : 'FC' },
      created_at: times[n % 4] ?? '',
      last_seen_at: times[(n + 1) % 4] ?? '',
      last_clicked_at: n % 5 === 0 ? (times[n % 3] ?? null) : null,
      ...{ device_type: null, browser_name: null, country: null, external_ids: {}, sent: 0, deleted: false },
    }));
    const { call, identifier, rows } = await populate(given, false);
    for (const sort of ['created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'])
      for (const more of [{}, { status: 'subscribed' }]) {
        const asked = { search: 'SPORT', sort, per_page: 100, ...more };
        const ids = expected(rows, asked);
        expect(ids.length).toBeGreaterThan(1_000);
        const read = await readAllPages(call, `/apps/${identifier}/subscriptions${addressOf(asked)}`);
        expect([read.ids, [...read.totals]]).toEqual([ids, [ids.length]]);
      }
  });

  it('find a tag of more than 1,000 values by the whole value alone', async () => {
    const given = Array.from({ length: 1_001 }, (_, n) => ({
      ...{ created_at: times[0] ?? '', tags: { name: `Anna ${n}`, plan: n === 0 ? 'annual' : 'none' } },
    })) as unknown as Modelled[];
    const { call, identifier, rows } = await populate(given, false);
    const search = async (text: string) =>
      (await call('GET', `/apps/${identifier}/subscriptions?search=${encodeURIComponent(text)}`))
        .json()
        .data.map(({ id }: { id: number }) => id);
    expect(await search('Anna 999')).toEqual([rows[999]?.id]);
    expect(await search('anna 999')).toEqual([]);
    expect(await search('ANNU')).toEqual([rows[0]?.id]);
    await call('DELETE', `/apps/${identifier}/subscriptions/${rows[1]?.id}`);
    expect(await search('anna 999')).toEqual([rows[999]?.id]);
  });

  it('end where they end: a page past the last one is empty and knows the total', async () => {
    const given = [{ created_at: times[0] ?? '' }, { created_at: times[1] ?? '' }] as Modelled[];
    const { call, identifier } = await populate(given, false);
    for (const sort of ['created_at', 'notifications_sent', 'last_clicked_at']) {
      const path = `/apps/${identifier}/subscriptions?sort=${sort}&per_page=2&page=2`;
      const { data, meta } = (await call('GET', path)).json();
      expect(data).toEqual([]);
      expect(meta.total).toBe(2);
    }
  });

  it('refuse a segment of another app, as one that never was', async () => {
    const [own, other] = [await populate([], false), await populate([], false)];
    for (const id of [other.segmentIds.german, 2_000_000_000]) {
      const answer = await own.call('GET', `/apps/${own.identifier}/subscriptions?segment_id=${id}`);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().errors).toEqual({ segment_id: ['The app has no such segment.'] });
    }
  });
});
