import type { ReactNode } from 'react';
import { shortDay } from '../charts/axes.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { measureColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit } from '../charts/units.ts';
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
      <TimeChart
        height={260}
        time={t.charts.dayUtc}
        points={growth.map(({ date, new_subscribers: added }) => ({
          at: shortDay(date),
          isUnfinished: date === today(),
          added,
        }))}
        series={[
          {
            name: 'added',
            label: words.growth,
            axis: words.growth,
            color: measureColor.readers,
            unit: countUnit,
            type: 'area',
          },
        ]}
        isSmooth
      />
    </ChartCard>
  );
}
