import type { ReactNode } from 'react';
import type { Line } from '../data/deliveries/lines.ts';
import type { ListedDelivery } from '../data/deliveries/queries.ts';
import { formatNumber, formatShare, formatTime } from '../format/format.ts';
import { Badges } from '../parts/delivery-badges.tsx';
import { t } from '../texts/t.ts';
import type { Column } from '../ui/data-table.tsx';

const words = t.deliveries;

const figures: readonly Column<ListedDelivery>[] = [
  { key: 'status', header: words.status, cell: (delivery) => <Badges delivery={delivery} /> },
  { key: 'when', header: words.when, sort: 'created_at', time: true, cell: whenOf },
  {
    key: 'audience',
    header: words.audience,
    sort: 'total_subscribers',
    numeric: true,
    cell: ({ total_subscribers, started_at }) =>
      started_at === null ? '–' : formatNumber(total_subscribers),
  },
  {
    key: 'accepted',
    header: words.accepted,
    sort: 'success_count',
    numeric: true,
    cell: ({ success_count, started_at }) => (started_at === null ? '–' : formatNumber(success_count)),
  },
  {
    key: 'failed',
    header: t.delivery.failed,
    numeric: true,
    cell: ({ failed_count, gone_count, started_at }) =>
      started_at === null ? '–' : formatNumber(failed_count - gone_count),
  },
  {
    key: 'clicked',
    header: words.clicks,
    sort: 'click_count',
    numeric: true,
    cell: ({ click_count, clicks_known, rehearsal, started_at }) =>
      rehearsal || started_at === null || !clicks_known ? '–' : formatNumber(click_count),
  },
  {
    key: 'clicks',
    header: words.clickRate,
    sort: 'click_rate',
    numeric: true,
    cell: ({ click_count, clicks_known, success_count, rehearsal }) =>
      rehearsal || !clicks_known ? '–' : formatShare(click_count, success_count),
  },
];

function whenOf({ started_at, scheduled_at, created_at }: ListedDelivery): string {
  return started_at === null && scheduled_at !== null
    ? words.scheduledFor(formatTime(scheduled_at))
    : formatTime(started_at ?? created_at);
}

/** @param nameOf what names a row. */
export const columnsOf = (nameOf: (line: Line) => ReactNode): readonly Column<Line>[] => [
  { key: 'title', header: words.title, names: true, cell: nameOf },
  ...figures.map((column) => ({ ...column, cell: ({ delivery }: Line) => column.cell(delivery) })),
];
