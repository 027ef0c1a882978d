import { describe, expect, it } from 'vitest';
import { createAnalytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { createEventStore } from '../../engine/adapters/clickhouse/event-store.ts';
import { createReachedReads } from '../../engine/adapters/clickhouse/reached.ts';
import { type NamedReach, recentReach } from '../../engine/contract/audience.ts';
import { type EventType, MAX_EVENTS_PER_BATCH } from '../../engine/contract/event.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import type { Reach } from '../../engine/contract/reach.ts';
import { buildEvent } from '../support/reported-events.ts';

const DAY_MS = 86_400_000;

/** The behaviour with events that both homes of ClickHouse share. */
export function describeEvents(home: () => ClickHouse): void {
  describe('events', () => {
    const insert = (events: Parameters<typeof buildEvent>[0][], token: string) =>
      createEventStore(home()).insertEvents(events.map(buildEvent), token);
    const analytics = () => createAnalytics(home());
    const clicksOfApp = async (app: number): Promise<number> => {
      const clicks = await analytics().clicksSince(app as AppId, '1970-01-01', 1_000);
      return [...clicks.values()].reduce((sum, each) => sum + each, 0);
    };
    const deliveryClicks = (app: number, ...deliveries: number[]) =>
      analytics().deliveryClicks(app as AppId, deliveries as DeliveryId[]);

    async function rows<Row>(query: string): Promise<Row[]> {
      return (await home().client.query({ query, format: 'JSONEachRow' })).json<Row>();
    }

    it('keep every value', async () => {
      const event = { app_id: 4_294_967_295, delivery_id: 2 ** 53 - 1, at: Date.UTC(2026, 1, 3, 4, 5, 6, 7) };
      const ending = await insert(
        [
          { ...event, seq: 2 ** 31 - 1, type: 'displayed', id: 'z'.repeat(64), action: '' },
          { ...event, seq: null, type: 'closed', id: '-_AZaz09', action: 'button-1' },
        ],
        'every-event-value',
      );
      expect(ending).toEqual({ kind: 'inserted', rows: 2 });
      expect(
        await rows(
          `SELECT toString(delivery_id) AS delivery, subscriber < 4294967296 AS known, type, action, event_id, at
           FROM events WHERE app_id = 4294967295 ORDER BY type`,
        ),
      ).toEqual([
        {
          ...{ delivery: '9007199254740991', at: '2026-02-03 04:05:06.007' },
          ...{ known: 1, type: 'displayed', action: '', event_id: 'z'.repeat(64) },
        },
        {
          ...{ delivery: '9007199254740991', at: '2026-02-03 04:05:06.007' },
          ...{ known: 0, type: 'closed', action: 'button-1', event_id: '-_AZaz09' },
        },
      ]);
    });

    it('of a repeated batch are inserted once', async () => {
      const batch = Array.from({ length: MAX_EVENTS_PER_BATCH }, (_, seq) => ({ app_id: 31, seq }));
      for (let time = 0; time < 3; time++) await insert(batch, 'events-again');
      expect(await rows('SELECT toUInt32(count()) AS n FROM events WHERE app_id = 31')).toEqual([
        { n: MAX_EVENTS_PER_BATCH },
      ]);
      expect(await clicksOfApp(31)).toBe(MAX_EVENTS_PER_BATCH);
    });

    it('count a subscriber’s clicks on a delivery once: doubled, on another day, under another batch’s name', async () => {
      const at = Date.UTC(2026, 2, 31, 23, 59, 59, 999);
      const clicks = [
        { app_id: 32, seq: 5, id: 'first-click', at: at + 1 },
        { app_id: 32, seq: 5, id: 'second-click', action: 'button-0', at },
        { app_id: 32, seq: 6, id: 'third-click', at },
      ];
      await insert(clicks, 'doubled-1');
      await insert(clicks.slice(0, 2), 'doubled-2');
      await insert([{ app_id: 32, seq: 5, delivery_id: 2, at }], 'doubled-3');
      expect(await deliveryClicks(32, 1, 2, 3)).toEqual(
        new Map([
          [1, 2],
          [2, 1],
        ]),
      );
      expect(await clicksOfApp(32)).toBe(3);
      expect(await analytics().subscriptionClicks(32 as AppId, [5, 6, 7])).toEqual(
        new Map([
          [5, 2],
          [6, 1],
        ]),
      );
    });

    it('of unknown subscribers count once per id, beside and never instead of those of subscribers', async () => {
      const unknown = { app_id: 33, seq: null };
      await insert(
        [
          { app_id: 33, seq: 0 },
          { ...unknown, id: 'unknown-1' },
        ],
        'unknown-1',
      );
      await insert(
        [
          { ...unknown, id: 'unknown-1' },
          { ...unknown, id: 'unknown-2' },
        ],
        'unknown-2',
      );
      expect(await clicksOfApp(33)).toBe(3);
      expect(await rows('SELECT toUInt32(count()) AS n FROM clicks_by_subscriber WHERE app_id = 33')).toEqual(
        [{ n: 1 }],
      );
    });

    it('without a proof count apart, once per claimed subscriber, and never as a subscriber’s', async () => {
      const claim = { app_id: 39, seq: null, proven: false };
      await insert(
        [
          { app_id: 39, seq: 0, proven: true },
          { ...claim, id: 'unproven-1' },
          { ...claim, id: 'unproven-2' },
          { ...claim, id: 'unproven-3', type: 'closed' },
        ],
        'unproven-1',
      );
      await insert([{ ...claim, id: 'unproven-1' }], 'unproven-2');
      await insert([{ ...claim, id: 'unproven-1', delivery_id: 2 }], 'unproven-3');
      const ids = [1, 2] as DeliveryId[];
      expect(await deliveryClicks(39, ...ids)).toEqual(new Map([[1, 1]]));
      const reactions = await Promise.all(ids.map((id) => analytics().deliveryReactions(39 as AppId, id)));
      expect(reactions).toEqual([
        { displayed: 1, clicked: 1, closed: 0, unproven: { displayed: 3, clicked: 2, closed: 1 } },
        { displayed: 0, clicked: 0, closed: 0, unproven: { displayed: 1, clicked: 1, closed: 0 } },
      ]);
      expect(await clicksOfApp(39)).toBe(1);
      expect(await analytics().clicksSince(39 as AppId, '2000-01-01', 10)).toEqual(new Map([[1, 1]]));
      expect(await analytics().subscriptionClicks(39 as AppId, [0])).toEqual(new Map([[0, 1]]));
    });

    it('say whom a delivery reached, bit by bit: every reaction counts as a display, and unproven claims count for nothing', async () => {
      const seqs = [0, 31, 32, 1_023, 1_024, 70_000];
      await insert(
        [
          ...seqs.map((seq) => ({ app_id: 44, seq, type: 'displayed' as const })),
          { app_id: 44, seq: 31, type: 'clicked' },
          { app_id: 44, seq: 5, type: 'clicked' },
          { app_id: 44, seq: 6, type: 'closed' },
          { app_id: 44, seq: null, proven: false, type: 'clicked', id: 'a claim of a click' },
          { app_id: 44, seq: 7, delivery_id: 2, type: 'clicked' },
          { app_id: 45, seq: 8, type: 'clicked' },
        ],
        'reached-1',
      );
      const reacted = async (reach: Reach, deliveryId = 1 as DeliveryId) => setIn({ deliveryId, reach });
      const setIn = async (named: NamedReach, recentDays?: number) => {
        const map = await createReachedReads(home()).reacted(44 as AppId, named, recentDays);
        return Array.from(map.keys())
          .flatMap((byte) => Array.from({ length: 8 }, (_, bit) => 8 * byte + bit))
          .filter((seq) => ((map[seq >> 3] ?? 0) >> (seq & 7)) & 1);
      };
      expect(await reacted('displayed')).toEqual([0, 5, 6, 31, 32, 1_023, 1_024, 70_000]);
      expect(await reacted('clicked')).toEqual([5, 31]);
      expect(await reacted('clicked', 3 as DeliveryId)).toEqual([]);
      await insert(
        [
          { app_id: 44, seq: 9, delivery_id: 3, type: 'displayed', at: Date.now() - 28 * DAY_MS },
          { app_id: 44, seq: 10, delivery_id: 3, type: 'clicked', at: Date.now() - 31 * DAY_MS },
          { app_id: 44, seq: 11, delivery_id: 4, type: 'closed', at: Date.now() },
        ],
        'reached-2',
      );
      expect(await setIn(recentReach)).toEqual(expect.arrayContaining([9, 11]));
      expect(await setIn(recentReach)).not.toContain(10);
      expect(await setIn(recentReach)).not.toContain(8);
      expect(await setIn(recentReach, 60)).toEqual(expect.arrayContaining([9, 10, 11]));
      expect(await setIn(recentReach, 27)).not.toContain(9);
    });

    it('that are not clicks count as none, and no app has those of another', async () => {
      await insert(
        [
          { app_id: 34, type: 'displayed' },
          { app_id: 34, type: 'closed' },
          { app_id: 35, seq: 1 },
        ],
        'no-clicks',
      );
      expect(await clicksOfApp(34)).toBe(0);
      expect(await deliveryClicks(34, 1)).toEqual(new Map());
      expect(await analytics().clicksSince(34 as AppId, '2000-01-01', 10)).toEqual(new Map());
      expect(await analytics().subscriptionClicks(34 as AppId, [0, 1])).toEqual(new Map());
      expect(await deliveryClicks(36)).toEqual(new Map());
    });

    it('since a day are those of that day and later, of the newest deliveries', async () => {
      const at = Date.UTC(2026, 4, 10);
      await insert(
        [
          { app_id: 37, delivery_id: 1, at: at - 1 },
          { app_id: 37, delivery_id: 2, at },
          { app_id: 37, delivery_id: 3, at: at + 40 * DAY_MS },
          { app_id: 37, delivery_id: 3, seq: 1, at: at - 1 },
        ],
        'since',
      );
      const since = (limit: number) => analytics().clicksSince(37 as AppId, '2026-05-10', limit);
      expect(await since(10)).toEqual(
        new Map([
          [3, 1],
          [2, 1],
        ]),
      );
      expect(await since(1)).toEqual(new Map([[3, 1]]));
    });

    it('of a delivery count a reader once a kind: a click or a close is a display, and a click is not a close', async () => {
      const at = Date.UTC(2026, 4, 10);
      const reaction = (seq: number | null, type: EventType, more = {}) => ({
        app_id: 51,
        seq,
        type,
        at,
        ...more,
      });
      const first = [
        ...[reaction(0, 'displayed'), reaction(1, 'displayed'), reaction(1, 'clicked')],
        // No beacon of their display came.
        ...[reaction(2, 'clicked'), reaction(3, 'closed')],
        // Two copies of one notification: one clicked, the other closed; the later on another day.
        ...[reaction(4, 'closed'), reaction(4, 'clicked', { at: at + DAY_MS, id: 'later-click' })],
      ];
      const claimed = [
        reaction(null, 'clicked', { proven: false, id: 'claimed-1' }),
        reaction(null, 'displayed', { proven: false, id: 'claimed-2' }),
      ];
      await insert(first, 'reactions-1');
      await insert([...first, ...claimed], 'reactions-2');
      await insert(claimed, 'reactions-3');
      await insert([reaction(7, 'displayed', { delivery_id: 2, at: at - DAY_MS })], 'reactions-4');
      await insert([{ ...reaction(8, 'displayed'), app_id: 52 }], 'reactions-5');
      const reactions = { displayed: 5, clicked: 3, closed: 1 };
      const unproven = { displayed: 2, clicked: 1, closed: 0 };
      const none = { displayed: 0, clicked: 0, closed: 0 };
      const of = (delivery: number) => analytics().deliveryReactions(51 as AppId, delivery as DeliveryId);
      expect(await of(1)).toEqual({ ...reactions, unproven });
      expect(await of(2)).toEqual({ ...none, displayed: 1, unproven: none });
      expect(await of(3)).toEqual({ ...none, unproven: none });
      const seen = (delivery: number, before: number) =>
        analytics().seenBefore(51 as AppId, delivery as DeliveryId, new Date(before));
      expect([await seen(1, at), await seen(1, at + 1), await seen(1, at + 2 * DAY_MS)]).toEqual([0, 5, 5]);
      expect([await seen(2, at), await seen(3, at + DAY_MS)]).toEqual([1, 0]);
      // The third one clicked a day later; before the delivery's start, a browser's clock is wrong.
      const byHour = (from: number, hours: number) =>
        analytics().clicksByHour(51 as AppId, 1 as DeliveryId, new Date(from), hours);
      const HOUR_MS = DAY_MS / 24;
      expect(await byHour(at, 48)).toEqual(
        new Map([
          [0, 2],
          [24, 1],
        ]),
      );
      expect(await byHour(at - HOUR_MS, 24)).toEqual(new Map([[1, 2]]));
      const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const came = (on: number, hour: number | null, visits: number) => ({
        ...{ id: 1, date: dayOf(on), hour, visits },
      });
      const hour = new Date(at).getUTCHours();
      const days = [dayOf(at), dayOf(at + DAY_MS)] as const;
      const [now, next] = [came(at, hour, 2), came(at + DAY_MS, hour, 1)];
      const apps = [51 as AppId];
      expect(await analytics().hourlyVisits(apps, ...days, 9)).toEqual([now, next]);
      expect(await analytics().hourlyVisits(apps, days[1], days[1], 9)).toEqual([next]);
      expect(await analytics().hourlyVisits(apps, ...days, 1)).toEqual([now]);
      expect(await analytics().hourlyVisits([52 as AppId], ...days, 9)).toEqual([]);
      expect(await analytics().dailyVisits(apps, ...days, 9)).toEqual(
        [now, next].map((each) => ({ ...each, hour: null })),
      );
      expect(await byHour(at + HOUR_MS, 48)).toEqual(
        new Map([
          [0, 2],
          [23, 1],
        ]),
      );
      expect(await deliveryClicks(51, 1)).toEqual(new Map([[1, reactions.clicked]]));
      const since = (limit: number) => analytics().reactionsSince(51 as AppId, '2026-05-10', limit);
      expect(await since(10)).toEqual(new Map([[1, { ...reactions, unproven }]]));
      expect(await since(0)).toEqual(new Map());
    });

    it('outlive merges as they were', async () => {
      for (let batch = 0; batch < 5; batch++) {
        await insert(
          [
            { app_id: 38, seq: batch },
            { app_id: 38, seq: 0 },
          ],
          `merged-${batch}`,
        );
      }
      for (const table of ['events_by_day', 'clicks_by_subscriber']) {
        await home().client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
      }
      expect(await deliveryClicks(38, 1)).toEqual(new Map([[1, 5]]));
      expect(await analytics().subscriptionClicks(38 as AppId, [0])).toEqual(new Map([[0, 1]]));
    });
  });
}
