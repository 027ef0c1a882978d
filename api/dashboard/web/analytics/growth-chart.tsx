import type { ReactNode } from 'react';
import { shortDay } from '../charts/axes.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { measureColor } from '../charts/colors.ts';
import { TimeChart, type TimeSeries } from '../charts/time-chart.tsx';
import { today } from '../data/analytics/period.ts';
import type { Growth } from '../data/analytics/queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';

const words = t.analytics;

export function GrowthChart({ growth: { growth } }: { growth: Growth }): ReactNode {
  const sum = growth.reduce((all, day) => all + day.new_subscribers, 0);
  return (
    <ChartCard
      title={words.growth}
      description={words.growthAbout}
      file="new-subscribers"
      empty={sum === 0 && words.growthEmpty}
      table={{
        columns: [{ header: t.charts.day }, { header: words.growth, format: formatNumber }],
        rows: growth.map((day) => [day.date, day.new_subscribers]),
      }}
    >
      <TimeChart height={260} points={growth.map(pointOf)} series={series} format={formatNumber} isSmooth />
    </ChartCard>
  );
}

const series: readonly TimeSeries[] = [
  { name: 'added', label: words.growth, color: measureColor.readers, type: 'area' },
  { name: 'unfinished', label: words.soFarToday, color: measureColor.readers, type: 'area', isDashed: true },
];

/** Today has not ended: its part of the line is dashed, from the day before. */
function pointOf(
  { date, new_subscribers: count }: Growth['growth'][number],
  at: number,
  all: readonly unknown[],
) {
  const isToday = date === today();
  const isBefore = at === all.length - 2 && (all[at + 1] as { readonly date: string }).date === today();
  return {
    at: shortDay(date),
    added: isToday ? null : count,
    unfinished: isToday || isBefore ? count : null,
  };
}
