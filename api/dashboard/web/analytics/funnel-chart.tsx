import type { ReactNode } from 'react';
import { ChartCard } from '../charts/chart-card.tsx';
import { Funnel } from '../charts/funnel.tsx';
import type { FunnelStats } from '../data/analytics/queries.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';

const words = t.funnel;

export const FunnelChart = ({
  funnel: { funnel_by_day: days, totals },
}: {
  funnel: FunnelStats;
}): ReactNode => (
  <ChartCard
    title={words.title}
    description={words.periodAbout}
    file="funnel"
    empty={totals.accepted === 0 && t.analytics.engagementEmpty}
    table={{
      columns: [
        { header: t.charts.day },
        ...[words.accepted, words.displayed, words.clicked, words.closed].map((header) => ({
          header,
          format: formatNumber,
        })),
      ],
      rows: days.map((day) => [day.date, day.accepted, day.displayed, day.clicked, day.closed]),
    }}
  >
    <Funnel figures={totals} />
  </ChartCard>
);
