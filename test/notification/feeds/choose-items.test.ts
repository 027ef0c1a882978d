// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Check, chooseItems } from '../../../engine/notification/feeds/choose-items.ts';
import type { FeedItem } from '../../../engine/notification/feeds/feed.ts';
import type { FeedFilter } from '../../../engine/notification/feeds/match-item.ts';
import { readItems } from '../../../engine/notification/feeds/read-feed.ts';
import { feedItem } from './feed-item.ts';

const now = new Date('2026-11-23T12:00:00Z');
const everything: FeedFilter = { categories: null, words: null, without: null };
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
const numbered = (n: number, given: Partial<FeedItem> = {}): FeedItem =>
  feedItem({ guid: `g${n}`, link: `https://news.example/${n}`, title: `Title ${n}`, ...given });
type Given = Partial<Omit<Check, 'items'>> & {
  readonly items?: readonly FeedItem[];
  readonly filter?: FeedFilter;
};
const check = ({ items = [], filter = everything, ...given }: Given): Check => ({
  items: readItems(items, filter),
  seen: new Set(),
  isFirstCheck: false,
  perHour: 10,
  sentLastHour: 0,
  overflow: 'drop',
  maxAgeHours: 24,
  now,
  ...given,
});
const choose = (given: Given) => {
  const { send, digest, seenNow } = chooseItems(check(given));
  return {
    send: send.map(({ item }) => item.guid),
    digest: digest?.map(({ item }) => item.guid) ?? null,
    seenNow,
  };
};
const items = [1, 2, 3, 4, 5].map((n) => numbered(n, { publishedAt: hoursAgo(n) }));

describe('a poll of a feed', () => {
  it('sends nothing and remembers everything if it is the first', () => {
    const first = choose({ items, isFirstCheck: true });
    expect(first).toMatchObject({ send: [], digest: null });
    expect(choose({ items, seen: new Set(first.seenNow) }).send).toEqual([]);
    expect(choose({ items: [numbered(6), ...items], seen: new Set(first.seenNow) }).send).toEqual(['g6']);
  });

  it('sends what is new, the oldest first', () => {
    expect(choose({ items }).send).toEqual(['g5', 'g4', 'g3', 'g2', 'g1']);
    const [undated, ...dated] = [numbered(9), ...items];
    expect(choose({ items: [undated, ...dated.toReversed()] }).send).toEqual([
      'g1',
      'g2',
      'g3',
      'g4',
      'g5',
      'g9',
    ]);
  });

  it('sends the newest that the hour has room for, and drops the rest', () => {
    const { send, digest, seenNow } = choose({ items, perHour: 3, sentLastHour: 1 });
    expect({ send, digest }).toEqual({ send: ['g2', 'g1'], digest: null });
    expect(choose({ items, seen: new Set(seenNow) }).send).toEqual([]);
    expect(choose({ items, perHour: 1, sentLastHour: 5 })).toMatchObject({ send: [], digest: null });
  });

  it('sums the rest up in a digest, which takes the place of an item', () => {
    const { send, digest, seenNow } = choose({ items, perHour: 3, overflow: 'digest' });
    expect({ send, digest }).toEqual({ send: ['g2', 'g1'], digest: ['g3', 'g4', 'g5'] });
    expect(choose({ items, seen: new Set(seenNow), overflow: 'digest' })).toMatchObject({
      send: [],
      digest: null,
    });
    expect(choose({ items, perHour: 5, overflow: 'digest' })).toMatchObject({ digest: null });
  });

  it('keeps a digest for which the hour has no room until it has', () => {
    const full = choose({ items, perHour: 2, sentLastHour: 2, overflow: 'digest' });
    expect(full).toEqual({ send: [], digest: null, seenNow: [] });
    const later = choose({
      items,
      perHour: 2,
      sentLastHour: 0,
      overflow: 'digest',
      seen: new Set(full.seenNow),
    });
    expect(later).toMatchObject({ send: ['g1'], digest: ['g2', 'g3', 'g4', 'g5'] });
  });

  it('sends nothing of a feed that comes back with 500 items that are old', () => {
    const back = Array.from({ length: 500 }, (_, n) => numbered(n, { publishedAt: hoursAgo(25 + n) }));
    const first = choose({ items: back, overflow: 'digest' });
    expect(first).toMatchObject({ send: [], digest: null });
    expect(first.seenNow.length).toBeGreaterThanOrEqual(500);
    expect(
      choose({ items: back.map((item) => ({ ...item, publishedAt: now })), seen: new Set(first.seenNow) })
        .send,
    ).toEqual([]);
  });

  it('sends at most its number of a feed that comes back with 500 items without dates', () => {
    const back = Array.from({ length: 500 }, (_, n) => numbered(n));
    expect(choose({ items: back, perHour: 3 }).send).toEqual(['g2', 'g1', 'g0']);
    const { send, digest } = choose({ items: back, perHour: 3, overflow: 'digest' });
    expect([send.length, digest?.length]).toEqual([2, 498]);
  });

  it('sends an article once that the feed holds twice', () => {
    const twice = [
      numbered(1),
      numbered(1, { title: 'Other' }),
      numbered(2),
      numbered(3, { link: numbered(2).link, title: 'Title 2' }),
    ];
    expect(choose({ items: twice }).send).toEqual(['g2', 'g1']);
  });

  it.each([
    [{ categories: ['SPORT'] }, true],
    [{ categories: ['politics'] }, false],
    [{ categories: [] }, false],
    [{ words: ['élysée'] }, true],
    [{ words: ['storm', 'summary'] }, true],
    [{ words: ['warning of'] }, true],
    [{ words: ['warn'] }, false],
    [{ words: ['c', '.*', ' '] }, false],
    [{ without: ['Storm-warning'] }, false],
    [{ without: ['sport'] }, false],
    [{ without: ['warn'] }, true],
    [{ categories: ['sport'], words: ['nothing'] }, false],
  ])('by its filter %j: %s', (filter, isSent) => {
    const item = feedItem({ title: 'Storm-Warning of the Élysée', categories: ['Sport'] });
    const all = { categories: null, words: null, without: null };
    const { send, seenNow } = choose({ items: [item], filter: { ...all, ...filter } });
    expect(send).toEqual(isSent ? ['guid'] : []);
    // A filter that is changed later does not bring back what it left out.
    expect(choose({ items: [item], seen: new Set(seenNow) }).send).toEqual([]);
  });

  it('over any checks, sends nothing twice, nothing of the first, and never more than the hour allows', () => {
    const anyItem = fc
      .record({
        n: fc.integer({ min: 0, max: 25 }),
        hasGuid: fc.boolean(),
        hours: fc.option(fc.integer({ min: 0, max: 40 })),
      })
      .map(({ n, hasGuid, hours }) =>
        // Whether it has a GUID is the feed's habit for one item: else its number alone says who it is.
        numbered(n, {
          guid: hasGuid ? `g${n}` : null,
          publishedAt: hours === null ? null : hoursAgo(hours),
        }),
      );
    const anyLook = fc.record({ items: fc.array(anyItem, { maxLength: 30 }), isNewHour: fc.boolean() });
    const anyRule = fc.record({
      perHour: fc.integer({ min: 0, max: 6 }),
      overflow: fc.constantFrom<Check['overflow']>('drop', 'digest'),
    });
    fc.assert(
      fc.property(fc.array(anyLook, { minLength: 1, maxLength: 12 }), anyRule, (looks, rule) => {
        const seen = new Set<string>();
        const taken = new Set(looks[0]?.items.map(({ link }) => link));
        let sentLastHour = 0;
        for (const [index, { items: here, isNewHour }] of looks.entries()) {
          if (isNewHour) sentLastHour = 0;
          const { send, digest, seenNow } = chooseItems(
            check({ ...rule, items: here, seen, isFirstCheck: index === 0, sentLastHour }),
          );
          for (const { item } of [...send, ...(digest ?? [])]) {
            expect(taken).not.toContain(item.link);
            taken.add(item.link);
          }
          sentLastHour += send.length + (digest === null ? 0 : 1);
          expect(sentLastHour).toBeLessThanOrEqual(rule.perHour);
          for (const key of seenNow) seen.add(key);
        }
      }),
      { numRuns: 500 },
    );
  });
});
