// tier: postgres
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  audiencePredicate,
  countedIn,
  type ReachMaps,
} from '../../engine/adapters/postgres/deliveries/audience.ts';
import { type AudienceCondition, type AudienceRules, parseRules } from '../../engine/contract/audience.ts';
import type { Audience } from '../../engine/contract/frozen-audience.ts';
import { type Reach, reaches } from '../../engine/contract/reach.ts';
import { SHARE_PARTS } from '../../engine/contract/share.ts';
import { buildApp } from '../support/builders.ts';
import { cases } from '../support/cases.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Asked, matches, type Reader } from './audience-model.ts';
import { partOf } from './share-model.ts';

const AT = new Date('2026-03-01T12:34:56.789Z');
const DAY_MS = 86_400_000;
const keys = ['plan', 'topic', "o'clock", 'a"b', '$1', '%'];
const values = ['gold', 'GOLD', '', "x'); DROP TABLE apps; --", 'ż', '{a,b}', 'null'];
const names = ['Chrome', 'chrome', 'FIREFOX', 'Яндекс', 'ЯНДЕКС', 'PL', 'de', 'desktop', "'"];
const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2024-02-29'];

const moment = fc.oneof(
  // On the edges of days, and of whole days ago, to the millisecond.
  fc
    .tuple(fc.constantFrom(...days), fc.constantFrom(-1, 0, 1, DAY_MS - 1))
    .map(([day, ms]) => new Date(Date.parse(`${day}T00:00:00Z`) + ms)),
  fc
    .tuple(fc.constantFrom(1, 2, 30), fc.constantFrom(-1, 0, 1))
    .map(([ago, ms]) => new Date(AT.getTime() - ago * DAY_MS + ms)),
  fc.constant(new Date(AT.getTime() + 5_000)),
);
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null, freq: 3 });
const name = orNull(fc.constantFrom(...names));
const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'UTC'];
const reader: fc.Arbitrary<Omit<Reader, 'seq'>> = fc.record({
  time_zone: orNull(fc.constantFrom(...zones)),
  tags: fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), { maxKeys: 4 }),
  device_type: name,
  browser_name: name,
  os_name: name,
  country: name,
  category_ids: orNull(fc.uniqueArray(fc.constantFrom(1, 2, 3))),
  created_at: moment,
  last_seen_at: moment,
  last_clicked_at: orNull(moment),
});

const list = (of: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 3 });
const momentField = fc.constantFrom('created' as const, 'last_seen' as const, 'last_clicked' as const);
/** Of a share: anywhere, and beside the parts that readers are in. */
const edge = fc.oneof(
  fc.integer({ min: 0, max: SHARE_PARTS }),
  fc
    .tuple(fc.integer({ min: 0, max: 299 }), fc.constantFrom(0, 1))
    .map(([seq, more]) => partOf('autumn', seq) + more),
);
const condition: fc.Arbitrary<AudienceCondition> = fc.oneof(
  fc.record({
    field: fc.constant('tag' as const),
    key: fc.constantFrom(...keys, 'missing'),
    operator: fc.constantFrom('equals' as const, 'not_equals' as const),
    value: fc.constantFrom(...values),
  }),
  fc.record({
    field: fc.constant('tag' as const),
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom('in' as const, 'not_in' as const),
    values: list(values),
  }),
  fc.record({
    field: fc.constant('tag' as const),
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom('exists' as const, 'not_exists' as const),
  }),
  fc.record({
    field: fc.constantFrom('device_type' as const, 'browser' as const, 'os' as const, 'country' as const),
    operator: fc.constantFrom('in' as const, 'not_in' as const),
    values: list(names),
  }),
  fc.record({
    field: fc.constant('category' as const),
    operator: fc.constantFrom('has' as const, 'has_not' as const),
    category_id: fc.constantFrom(1, 2, 4),
  }),
  fc.record({
    field: momentField,
    operator: fc.constantFrom('before' as const, 'after' as const),
    date: fc.constantFrom(...days),
  }),
  fc.record({
    field: momentField,
    operator: fc.constantFrom('within_days' as const, 'more_than_days_ago' as const),
    days: fc.constantFrom(1, 2, 30),
  }),
  fc.constant({ field: 'last_clicked' as const, operator: 'never' as const }),
  fc.record({
    field: fc.constant('time_zone' as const),
    operator: fc.constantFrom('in' as const, 'not_in' as const),
    values: list(zones),
  }),
  fc
    .record({
      key: fc.constantFrom('autumn', "it's", '$1'),
      operator: fc.constantFrom('in' as const, 'not_in' as const),
      edges: fc.uniqueArray(edge, { minLength: 2, maxLength: 2 }),
    })
    .map(({ key, operator, edges }) => {
      const [from = 0, below = 10_000] = edges.toSorted((a, b) => a - b);
      return { field: 'share' as const, key, operator, from, below };
    }),
  fc.record({
    field: fc.constant('delivery' as const),
    operator: fc
      .tuple(fc.constantFrom('', 'not_'), fc.constantFrom(...reaches))
      .map(([not, reach]) => `${not}${reach}` as Reach | `not_${Reach}`),
    delivery_id: fc.constantFrom(12, 13),
  }),
  fc.record({
    field: fc.constant('reachable' as const),
    operator: fc.constantFrom('is' as const, 'is_not' as const),
  }),
);
const groupOf = (member: fc.Arbitrary<AudienceCondition | AudienceRules>): fc.Arbitrary<AudienceRules> =>
  fc.record({
    match: fc.constantFrom('all' as const, 'any' as const),
    conditions: fc.array(member, { minLength: 1, maxLength: 3 }),
  });
const rules = groupOf(fc.oneof(condition, groupOf(fc.oneof(condition, groupOf(condition)))));

describe('the predicate of an audience', async () => {
  const readers = fc.sample(reader, { numRuns: 300, seed: 7 }).map((each, seq) => ({ ...each, seq }));
  /** The first map ends before the last reader; of delivery 13 only one reader is known. */
  const reached = {
    '12 accepted': readers.map(({ seq }) => seq).filter((seq) => seq % 3 > 0 && seq < 250),
    '12 displayed': readers.map(({ seq }) => seq).filter((seq) => seq % 3 === 1 && seq < 250),
    '12 clicked': readers.map(({ seq }) => seq).filter((seq) => seq % 7 === 1 && seq < 250),
    '13 accepted': [299],
    '13 displayed': [],
    '13 clicked': [],
    '0 recent': readers.map(({ seq }) => seq).filter((seq) => seq % 5 === 1 && seq < 260),
  };
  const asked: Asked = { at: AT, zone: 'Europe/Berlin', reached };
  /** From `first` on, as a block's part is read. */
  const reachMaps = (first: number): ReachMaps =>
    new Map(
      Object.entries(reached).map(([key, seqs]) => {
        const bits = new Uint8Array(Math.max(0, Math.ceil((Math.max(-1, ...seqs) + 1 - first) / 8)));
        for (const seq of seqs.map((each) => each - first).filter((place) => place >= 0))
          bits[seq >> 3] = (bits[seq >> 3] ?? 0) | (1 << (seq & 7));
        return [key, { first, bits }];
      }),
    );

  const test = await createTestDatabase();
  const appId = (await buildApp(test.database, { subscribers: readers.length })).id;
  await test.database.query(
    `UPDATE subscriptions SET tags = r.tags, device_type = r.device_type, browser_name = r.browser_name,
         os_name = r.os_name, country = r.country, category_ids = r.category_ids, created_at = r.created_at,
         last_seen_at = r.last_seen_at, last_clicked_at = r.last_clicked_at,
         time_zone_id = (SELECT id FROM time_zones WHERE name = r.time_zone)
       FROM jsonb_to_recordset($1::jsonb) AS r (seq integer, tags jsonb, device_type text, browser_name text,
         os_name text, country text, category_ids integer[], created_at timestamptz, last_seen_at timestamptz,
         last_clicked_at timestamptz, time_zone text)
       WHERE subscriptions.seq = r.seq`,
    [JSON.stringify(readers)],
  );
  afterAll(() => test.drop());

  const matching = async (
    audience: Audience,
    table: ReturnType<typeof countedIn> = 'subscriptions',
  ): Promise<number[]> => {
    const { text, values: parameters } = audiencePredicate(
      { zone: 'Europe/Berlin', ...audience },
      1,
      reachMaps(0),
    );
    const rows = await test.database.query<{ seq: number; matches: boolean | null }>(
      `SELECT seq, ${text} AS matches FROM ${table} WHERE app_id = $1 ORDER BY seq`,
      [appId, ...parameters],
    );
    // Neither true nor false would turn around under a negation.
    expect(rows.filter((row) => row.matches === null)).toEqual([]);
    return rows.filter((row) => row.matches).map(({ seq }) => seq);
  };

  it('matches the subscriptions that the rules mean, for any rules and any subscriptions', async () => {
    const seen = { matched: 0, left: 0, narrow: 0 };
    await fc.assert(
      fc.asyncProperty(rules, async (given) => {
        expect(parseRules(given)).toBe(given);
        const meant = readers.flatMap((each, seq) => (matches(given, each, asked) ? [seq] : []));
        seen.matched += meant.length;
        seen.left += readers.length - meant.length;
        const audience = { rules: given, category_id: null, at: AT.toISOString() };
        expect(await matching(audience)).toEqual(meant);
        if (countedIn(audience) === 'subscriptions') return;
        seen.narrow += 1;
        expect(await matching(audience, 'subscription_facets')).toEqual(meant);
      }),
      { numRuns: cases(100, 400) },
    );
    expect(seen.narrow).toBeGreaterThan(2);
    // Rules that match all or none prove little.
    expect(Math.min(seen.matched, seen.left)).toBeGreaterThan(1_000);
  });

  it('is counted in the narrow rows where they have all that it reads, and names readers in the wide ones', () => {
    const at = AT.toISOString();
    const everybody = { rules: null, category_id: null, at };
    const rulesOf = (...conditions: AudienceCondition[]) => ({
      ...everybody,
      rules: { match: 'all' as const, conditions },
    });
    const country: AudienceCondition = { field: 'country', operator: 'in', values: ['PL'] };
    const seen: AudienceCondition = { field: 'last_seen', operator: 'within_days', days: 30 };
    const part = { key: 'autumn', from: 0, below: 10 };
    const narrow = [
      null,
      everybody,
      rulesOf(country),
      { ...everybody, part: { kind: 'share', ...part } as const },
    ];
    expect(narrow.map(countedIn)).toEqual(narrow.map(() => 'subscription_facets'));
    const wide: Audience[] = [
      rulesOf(country, seen),
      { ...everybody, category_id: 2 },
      { ...everybody, part: { kind: 'named', seqs: [1, 2] } },
    ];
    expect(wide.map(countedIn)).toEqual(wide.map(() => 'subscriptions'));
  });

  it('reads of a reach what a block has of it: the subscriptions from its first one on', async () => {
    const rules: AudienceRules = {
      match: 'all',
      conditions: [{ field: 'delivery', operator: 'accepted', delivery_id: 12 }],
    };
    const audience = { rules, category_id: null, at: AT.toISOString() };
    const { text, values: parameters } = audiencePredicate(audience, 1, reachMaps(128));
    const rows = await test.database.query<{ seq: number }>(
      `SELECT seq FROM subscriptions WHERE app_id = $1 AND ${text} ORDER BY seq`,
      [appId, ...parameters],
    );
    expect(rows.map(({ seq }) => seq)).toEqual(reached['12 accepted'].filter((seq) => seq >= 128));
  });

  it('never treats a missing reach as an empty one', () => {
    const rules: AudienceRules = {
      match: 'all',
      conditions: [{ field: 'delivery', operator: 'not_clicked', delivery_id: 14 }],
    };
    const audience = { rules, category_id: null, at: AT.toISOString() };
    expect(() => audiencePredicate(audience, 1, reachMaps(0))).toThrow(RangeError);
  });

  it('splits readers evenly, the same way for ever, and each split on its own', async () => {
    const seqs = Array.from({ length: 40_000 }, (_, n) => n * 3);
    const quarter = (key: string) => seqs.map((seq) => Math.floor((4 * partOf(key, seq)) / SHARE_PARTS));
    const [one, other] = [quarter('one'), quarter('other')];
    // 16 cells of both splits: 2,500 in each, with a standard deviation of 48.
    const cells = Map.groupBy(seqs.keys(), (n) => `${one[n]} ${other[n]}`);
    expect(cells.size).toBe(16);
    for (const members of cells.values()) expect(Math.abs(members.length - 2_500)).toBeLessThan(250);
    expect([0, 1, 2, 4_294_967, 2_147_483_647].map((seq) => partOf('autumn', seq))).toEqual([
      1110, 2232, 893, 8369, 8405,
    ]);
  });

  it('has no user-written value in its text', () => {
    fc.assert(
      fc.property(rules, (given) => {
        const audience = { rules: given, category_id: 3, at: AT.toISOString() };
        const { text } = audiencePredicate(audience, 2, reachMaps(0));
        expect(
          text.replaceAll(/\$\d+::(text|integer|bigint|boolean|bytea|timestamptz)(\[\])?/g, '?'),
        ).toMatch(/^[a-z_()<>=? \->A-Z"01,\n]+$/);
        for (const written of [...keys, ...values, ...names]) {
          if (written.length > 2) expect(text).not.toContain(written);
        }
      }),
    );
  });

  it('takes subscribers who chose the category and who never stated any, beside the rules', async () => {
    const audience = { rules: null, category_id: 2, never_stated: 'receive', at: AT.toISOString() } as const;
    const plain = await matching(audience);
    const receives = ({ category_ids }: Reader) => category_ids === null || category_ids.includes(2);
    expect(plain).toEqual(readers.flatMap((each, seq) => (receives(each) ? [seq] : [])));
    const never: AudienceRules = { match: 'all', conditions: [{ field: 'last_clicked', operator: 'never' }] };
    const both = await matching({ ...audience, rules: never });
    expect(both).toEqual(plain.filter((seq) => readers[seq]?.last_clicked_at === null));
    expect(both.length).toBeGreaterThan(0);
  });

  it('takes only subscribers who chose the category where an earlier version froze the audience', async () => {
    const plain = await matching({ rules: null, category_id: 2, at: AT.toISOString() });
    expect(plain).toEqual(readers.flatMap((each, seq) => (each.category_ids?.includes(2) ? [seq] : [])));
    const never: AudienceRules = { match: 'all', conditions: [{ field: 'last_clicked', operator: 'never' }] };
    const both = await matching({ rules: never, category_id: 2, at: AT.toISOString() });
    expect(both).toEqual(plain.filter((seq) => readers[seq]?.last_clicked_at === null));
    expect(both.length).toBeGreaterThan(0);
  });

  it('is not built from stored rules that the API never accepts', () => {
    expect(() => parseRules(null)).toThrow(RangeError);
    expect(() => parseRules({ match: 'all', conditions: [] })).toThrow(RangeError);
    expect(() => parseRules({ match: 'all', conditions: [{ field: 'endpoint', operator: 'in' }] })).toThrow(
      RangeError,
    );
  });
});
