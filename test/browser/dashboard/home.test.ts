// tier: system
import { describe, expect, it } from 'vitest';
import { iphoneStateOf } from '../../../api/dashboard/web/data/apps/iphone-state.ts';
import { placeIn, typicalFor } from '../../../api/dashboard/web/data/apps/typical.ts';
import type { Campaign } from '../../../api/dashboard/web/data/campaigns/resource.ts';
import type { ListedDelivery } from '../../../api/dashboard/web/data/deliveries/resource.ts';
import { campaignNeedsOf, isFor, needsOf, type Viewer } from '../../../api/dashboard/web/overview/needs.ts';

/** @param at in the time of this machine: `2026-11-16` is a Monday. */
const sent = (id: number, at: string, click_rate: number) => ({
  ...{ id, click_rate, rehearsal: false, success_count: 100, clicks_known: true },
  started_at: new Date(at).toISOString(),
});

describe('the typical rate of a delivery', () => {
  const mornings = [1, 2, 3, 4, 5].map((day, index) => sent(day, `2026-11-0${day + 1}T08:10`, 2 + index));
  const evenings = [1, 2, 3, 4].map((day) => sent(10 + day, `2026-11-0${day + 1}T20:00`, 9));
  const sundays = [sent(20, '2026-11-08T08:00', 30)];
  const all = [...mornings, ...evenings, ...sundays];

  it('is the middle half of the deliveries around the same hour on such a day', () => {
    const band = typicalFor(sent(99, '2026-11-16T09:00', 5), all);
    expect(band).toEqual({ from: 3, to: 5, alike: true, count: 5 });
  });

  it('is over all hours where too few were like it, and nothing where too few were sent at all', () => {
    expect(typicalFor(sent(99, '2026-11-15T09:00', 5), all)).toMatchObject({ alike: false, count: 10 });
    expect(typicalFor(sent(99, '2026-11-16T09:00', 5), mornings.slice(0, 3))).toBeNull();
  });

  it('leaves out the delivery itself, rehearsals, and those whose clicks are not known', () => {
    const others = [
      { ...mornings[0], rehearsal: true },
      { ...mornings[1], clicks_known: false },
    ];
    const one = mornings[4] as (typeof mornings)[number];
    const given = [...others, ...mornings.slice(2)] as typeof mornings;
    expect(typicalFor(one, given)).toBeNull();
  });

  it('says on which side of it a rate lies', () => {
    const band = { from: 3, to: 5, alike: true, count: 5 };
    expect([2.9, 3, 5, 5.1].map((rate) => placeIn(rate, band))).toEqual([
      'below',
      'within',
      'within',
      'above',
    ]);
  });
});

describe('a reason for attention', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');
  const made = (changes: Partial<ListedDelivery>) =>
    ({
      ...{ id: 1, status: 'success', rehearsal: false, rate_per_minute: null, total_subscribers: 1_000 },
      ...{ failed_count: 0, gone_count: 0, created_at: '2026-11-16T09:00:00Z' },
      ...{ started_at: '2026-11-16T09:00:00Z', queued_at: null },
      ...changes,
    }) as ListedDelivery;

  it('is a delivery that failed, failed for many, or goes on for too long; and none that only lost readers who left', () => {
    const deliveries = [
      made({ id: 1, status: 'partial', failed_count: 30, gone_count: 30 }),
      made({ id: 2, status: 'partial', failed_count: 60, gone_count: 30 }),
      made({ id: 3, status: 'failed' }),
      made({ id: 4, status: 'processing' }),
      made({ id: 5, status: 'processing', rate_per_minute: 10 }),
      made({ id: 6, status: 'failed', created_at: '2026-11-01T09:00:00Z' }),
      made({ id: 7, status: 'failed', rehearsal: true }),
    ];
    const needs = needsOf(deliveries, [], now);
    expect(needs.map((need) => 'delivery' in need && [need.kind, need.delivery.id])).toEqual([
      ['stuck', 4],
      ['failed', 3],
      ['troubled', 2],
    ]);
  });

  it('is a push service that refuses many messages, and none that lost one of a few', () => {
    const needs = needsOf(
      [],
      [
        { push_service: 'apple', sent: 500, failed: 400, throttled: 0 },
        { push_service: 'fcm', sent: 9_000, failed: 90, throttled: 0 },
        { push_service: 'wns', sent: 2, failed: 1, throttled: 0 },
      ],
      now,
    );
    expect(needs).toEqual([{ kind: 'service', service: 'apple', failed: 400 }]);
  });

  it('is a test without its winner, a feed with drafts, and one that cannot be read while it runs', () => {
    const feed = (id: number, changes: Partial<Campaign>) =>
      ({
        id,
        kind: 'feed',
        status: 'running',
        error_message: null,
        feed: { drafts: 0 },
        ...changes,
      }) as Campaign;
    const needs = campaignNeedsOf([
      feed(1, { kind: 'ab_test', status: 'deciding', feed: null }),
      feed(2, {}),
      feed(3, { error_message: 'The feed answered 404.', feed: { drafts: 2 } as Campaign['feed'] }),
      feed(4, { error_message: 'The feed answered 404.', status: 'cancelled' }),
    ]);
    expect(needs.map((need) => 'campaign' in need && [need.kind, need.campaign.id])).toEqual([
      ['decide', 1],
      ['unreadable', 3],
      ['drafts', 3],
    ]);
  });

  it('is what waits for approval for whoever may approve it, and what was declined for its author', () => {
    const held = (state: 'waiting' | 'declined', authors: string[]) =>
      ({
        kind: 'held',
        delivery: made({ approval: { state, authors } as ListedDelivery['approval'] }),
      }) as const;
    const [waiting, declined] = [held('waiting', ['ada@a.example']), held('declined', ['ada@a.example'])];
    const see = (viewer: Partial<Viewer>) =>
      [waiting, declined, held('declined', [])].map((need) =>
        isFor({ email: 'bob@a.example', approves: true, rule: 'all', ...viewer }, need),
      );
    expect(see({})).toEqual([true, false, true]);
    expect(see({ email: 'ada@a.example' })).toEqual([false, true, true]);
    expect(see({ approves: false })).toEqual([false, false, true]);
    // The app asks nobody any more: whoever wrote it may let it go.
    expect(see({ email: 'ada@a.example', rule: 'none' })[0]).toBe(true);
  });

  it('is a push service that throttled the app, however little', () => {
    const needs = needsOf([], [{ push_service: 'fcm', sent: 9_000, failed: 0, throttled: 3 }], now);
    expect(needs).toEqual([{ kind: 'throttled', service: 'fcm', times: 3 }]);
  });
});

describe('whether readers with an iPhone can subscribe', () => {
  const stateOf = (...codes: readonly string[]) =>
    iphoneStateOf(codes.map((code) => ({ code, blocks: code !== 'name' })));

  it('is not known of a site that could not be read', () => {
    expect(stateOf('page_unreachable')).toBe('unknown');
  });

  it('is no where something blocks them, and yes where it would only be better', () => {
    expect(stateOf('display', 'name')).toBe('blocked');
    expect(stateOf('name')).toBe('poor');
    expect(stateOf()).toBe('ready');
  });
});
