import type { ReactNode } from 'react';
import { ChartCard } from '../charts/chart-card.tsx';
import { seriesColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit } from '../charts/units.ts';
import type { Standing } from '../data/standing/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { pointsOf } from './hours.ts';

const words = t.standing;

/** Answers that it came too fast, by the hour. */
export function ThrottledChart({ hours }: { hours: Standing['throttled_hours'] }): ReactNode {
  const services = [...new Set(hours.map(({ push_service }) => push_service))];
  return (
    <ChartCard
      title={words.throttled}
      description={words.throttledAbout}
      file="throttled"
      empty={hours.length === 0 && words.throttledEmpty}
      table={{
        columns: [
          { header: words.hour },
          { header: words.service },
          { header: words.throttledCount, format: formatNumber },
          { header: words.acceptedCount, format: formatNumber },
        ],
        rows: hours.map(({ hour, push_service: service, throttled, accepted }) => [
          ...[formatTime(hour), words.services[service], throttled, accepted],
        ]),
      }}
    >
      <TimeChart
        height={220}
        points={pointsOf(hours, Date.now())}
        series={services.map((service, index) => ({
          name: service,
          label: words.services[service],
          axis: words.throttledCount,
          color: seriesColor(index),
          unit: countUnit,
          type: 'bar',
        }))}
        time={words.hour}
        withLegend={services.length > 1}
      />
    </ChartCard>
  );
}
