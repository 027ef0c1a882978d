import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChartCard } from '../charts/chart-card.tsx';
import { seriesColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit } from '../charts/units.ts';
import { clickHoursQuery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatClock, formatNumber, formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';

const words = t.funnel;

/** When readers clicked: the hours since it started. Absent while ClickHouse does not answer. */
export default function ClicksSection({ app, delivery }: { app: string; delivery: number }): ReactNode {
  const { data } = useQuery(clickHoursQuery(useApi(), app, delivery));
  if (data === undefined) return null;
  return (
    <ChartCard
      title={words.hours}
      description={words.hoursAbout}
      file={`clicks-${delivery}`}
      empty={data.every(({ clicks }) => clicks === 0) && words.hoursNone}
      table={{
        columns: [{ header: words.hour }, { header: words.clicks, format: formatNumber }],
        rows: data.map(({ from, clicks }) => [formatTime(from), clicks]),
      }}
    >
      <TimeChart
        height={200}
        points={data.map(({ from, clicks }) => ({ at: formatClock(from), clicks }))}
        series={[
          {
            ...{ name: 'clicks', label: words.clicks, axis: words.clicks, type: 'bar' },
            ...{ color: seriesColor(0), unit: countUnit },
          },
        ]}
        time={words.hour}
        withLegend={false}
      />
    </ChartCard>
  );
}
