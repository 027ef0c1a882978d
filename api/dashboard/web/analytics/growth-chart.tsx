import { ChartTooltip } from '@mantine/charts';
import type { ReactNode } from 'react';
import { dayAxis, numberAxis, shortDay } from '../charts/axes.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { measureColor } from '../charts/colors.ts';
import { AreaChart } from '../charts/lazy-charts.tsx';
import { formatNumber } from '../shell/format.ts';
import { t } from '../texts/t.ts';
import { today } from './period.ts';
import type { Growth } from './queries.ts';

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
      <AreaChart
        h={260}
        data={growth.map(pointOf)}
        dataKey="day"
        series={series}
        valueFormatter={formatNumber}
        xAxisProps={dayAxis}
        yAxisProps={numberAxis}
        tooltipProps={{
          content: ({ label, payload }) => (
            <ChartTooltip
              label={label}
              // The day before today is in both parts of the line.
              payload={payload.filter(
                ({ name, value }, at) => value !== null && (name === 'added' || at === 0),
              )}
              series={series}
              valueFormatter={formatNumber}
            />
          ),
        }}
        withDots={growth.length === 1}
        curveType="monotone"
        areaChartProps={{ accessibilityLayer: false }}
        areaProps={{ isAnimationActive: false }}
      />
    </ChartCard>
  );
}

const series = [
  { name: 'added', label: words.growth, color: measureColor.readers },
  { name: 'unfinished', label: words.soFarToday, color: measureColor.readers, strokeDasharray: '5 5' },
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
    day: shortDay(date),
    added: isToday ? null : count,
    unfinished: isToday || isBefore ? count : null,
  };
}
