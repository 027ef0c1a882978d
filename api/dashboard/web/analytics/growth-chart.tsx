import { AreaChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { numberAxis, shortDay } from '../charts/axes.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { seriesColor } from '../charts/colors.ts';
import { formatNumber } from '../shell/format.ts';
import { t } from '../texts/t.ts';
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
        data={growth.map((day) => ({ day: shortDay(day.date), added: day.new_subscribers }))}
        dataKey="day"
        series={[{ name: 'added', label: words.growth, color: seriesColor(0) }]}
        valueFormatter={formatNumber}
        yAxisProps={numberAxis}
        withDots={growth.length === 1}
        curveType="monotone"
        areaChartProps={{ accessibilityLayer: false }}
        areaProps={{ isAnimationActive: false }}
      />
    </ChartCard>
  );
}
