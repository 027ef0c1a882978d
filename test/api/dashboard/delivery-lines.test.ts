// tier: unit
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../api/dashboard/web/data/deliveries/lines.ts';
import type { ListedDelivery } from '../../../api/dashboard/web/data/deliveries/resource.ts';

const delivery = (id: number, changes: Partial<ListedDelivery> = {}): ListedDelivery =>
  ({
    ...{ id, name: `Story ${id}`, title: `Title ${id}`, campaign_id: null, campaign_role: null },
    ...{ corrects_delivery_id: null, total_subscribers: 100, success_count: 90, failed_count: 10 },
    ...{ gone_count: 4, capped_subscribers: 0, click_count: 9, click_rate: 10, clicks_known: true },
    ...changes,
  }) as ListedDelivery;
const shown = (lines: ReturnType<typeof linesOf>) => lines.map(({ key, part }) => [key, part]);

describe('a list of deliveries', () => {
  const test = [
    delivery(5, { campaign_id: 7, campaign_role: 'winner', success_count: 720, click_count: 36 }),
    delivery(9),
    delivery(4, { campaign_id: 7, campaign_role: 'variant-2' }),
    delivery(3, { campaign_id: 7, campaign_role: 'variant-1' }),
    delivery(2, { campaign_id: 8, campaign_role: 'run 2026-11-27T07:30:00Z' }),
    delivery(1, { campaign_id: 8, campaign_role: 'run 2026-11-26T07:30:00Z' }),
  ];

  it('has one row for the variants of a test and its winner, with what they have together', () => {
    const lines = linesOf(test);
    expect(shown(lines)).toEqual([
      ['test 7', null],
      ['9', null],
      ['2', null],
      ['1', null],
    ]);
    expect(lines[0]?.variants.map(({ id }) => id)).toEqual([3, 4, 5]);
    expect(lines[0]?.delivery).toMatchObject({ success_count: 900, click_count: 54, click_rate: 6 });
  });

  it('shows the variants below it where it is unfolded', () => {
    expect(shown(linesOf(test, new Set([7]))).slice(0, 4)).toEqual([
      ['test 7', null],
      ['3', 'variant'],
      ['4', 'variant'],
      ['5', 'variant'],
    ]);
  });

  it('does not know the clicks of a test where those of one variant are not known', () => {
    const unknown = test.map((each) => (each.id === 4 ? { ...each, clicks_known: false } : each));
    expect(linesOf(unknown)[0]?.delivery.clicks_known).toBe(false);
  });

  it('stands a correction above what it corrects, in either order and apart', () => {
    const listed = [delivery(6, { corrects_delivery_id: 2 }), delivery(5), delivery(2), delivery(1)];
    expect(shown(linesOf(listed))).toEqual([
      ['6', 'after'],
      ['2', 'before'],
      ['5', null],
      ['1', null],
    ]);
    expect(shown(linesOf(listed.toReversed()))).toEqual([
      ['1', null],
      ['6', 'after'],
      ['2', 'before'],
      ['5', null],
    ]);
  });

  it('leaves one alone whose other half is on another page', () => {
    expect(shown(linesOf([delivery(6, { corrects_delivery_id: 2 }), delivery(5)]))).toEqual([
      ['6', null],
      ['5', null],
    ]);
    expect(shown(linesOf([delivery(3, { campaign_id: 7, campaign_role: 'variant-1' })]))).toEqual([
      ['3', null],
    ]);
  });
});
